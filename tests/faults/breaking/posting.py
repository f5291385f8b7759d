"""Breaks of promise 12 at the door: who is believed to post alerts, and which addresses tell ids."""

from tests.faults.mutation import Mutation

_SOURCING = "tests/bot/worker/test_sourcing.py"
_OPENS = "tests/bot/worker/test_what_opens.py"
_HOSTILE = "tests/handlers/test_hostile_alerts.py"
_MONITORS = "tests/policies/test_recognise_monitors.py"

SENDERS = (
    Mutation(
        promise=12,
        breaks="anybody may say whose alerts an app posts",
        file="policies/sources.py",
        old="    if not is_admin(rules, person):\n",
        new="    if False:\n",
        caught_by=(f"{_SOURCING}::test_what_may_not_be_is_refused_with_the_reason",),
    ),
    Mutation(
        promise=12,
        breaks="a sender stays bound after it was unbound",
        file="policies/sources.py",
        old="for name, binding in last.items() if binding.system}",
        new="for name, binding in last.items() if True}",
        caught_by=(
            f"{_SOURCING}::test_what_is_bound_no_more_opens_nothing_and_old_alerts_are_not_read_twice",
        ),
    ),
    Mutation(
        promise=12,
        breaks="a link to anybody's host tells which run it is",
        file="policies/recognise/origin.py",
        old="kept = [link for link in signal.links if _of(link, vendor) or _at(link, home)]",
        new="kept = list(signal.links)",
        caught_by=(
            f"{_HOSTILE}::test_a_foreign_link_beside_the_true_one_changes_nothing",
            f"{_MONITORS}::test_a_link_to_a_foreign_host_tells_nothing",
        ),
    ),
    Mutation(
        promise=12,
        breaks="good news opens an incident",
        file="policies/alert.py",
        old="return self not in (AlertKind.SUCCESS, AlertKind.RESOLVED, AlertKind.RUN_CAME)",
        new="return True",
        caught_by=(f"{_OPENS}::test_what_is_no_trouble_opens_nothing",),
    ),
)
