"""Breaks of what the journal takes, and of the ways that lead to a grant."""

from tests.faults.mutation import Mutation


def _each_event(name: str) -> str:
    return f"tests/policies/test_lifecycle_as_agreed.py::test_{name}"


GRANTS = (
    Mutation(
        promise=1,
        breaks="the journal takes a grant on which nobody said yes",
        file="policies/lifecycle.py",
        old='    if isinstance(event, e.ApprovalGranted) and "yes" not in {d.choice for d in state.decisions}:\n',
        new="    if False:\n",
        caught_by=(
            "tests/policies/test_lifecycle_of_requests.py::test_a_grant_without_the_yes_of_anybody_is_refused",
            "tests/policies/test_lifecycle_of_requests.py::test_without_a_decision_no_order_of_events_leads_to_approved",
        ),
    ),
    Mutation(
        promise=1,
        breaks="an expired request can still be granted",
        file="policies/lifecycle.py",
        old='    e.ApprovalGranted: {"open": "approved"},\n',
        new='    e.ApprovalGranted: {"open": "approved", "expired": "approved"},\n',
        caught_by=(
            "tests/policies/test_lifecycle_of_requests.py::test_nothing_but_a_grant_ends_a_request_as_approved",
        ),
    ),
    Mutation(
        promise=1,
        breaks="a reminder that nobody answers is taken for a yes",
        file="bot/worker/asking.py",
        old="    await context.commit(incident, e.Reminded(request_id=state.request.id), done=due)\n",
        new="    await context.commit(incident, e.ApprovalGranted(request_id=state.request.id), done=due)\n",
        caught_by=(
            "tests/architecture/test_ways_to_a_yes.py::test_a_grant_is_made_where_a_tap_is_counted_or_a_delegation_and_nowhere_else",
        ),
    ),
    Mutation(
        promise=1,
        breaks="the end of a turn goes through the place where taps are counted",
        file="bot/worker/asking.py",
        old="    return await _end_turn(context, due, incident, state)\n",
        new="    from bot.worker.deciding import _count\n\n    return await _count(context, due, due.payload, incident, None)\n",
        caught_by=(
            "tests/architecture/test_ways_to_a_yes.py::test_each_kind_of_work_gets_to_no_other_yes_than_its_own",
        ),
    ),
    Mutation(
        promise=5,
        breaks="the journal takes it that the bot starts what is a person's to start",
        file="policies/lifecycle.py",
        old='    e.ActionStarted: "bot",\n',
        new="",
        caught_by=(
            _each_event("each_event_moves_steps_and_request_as_agreed_whatever_they_stand_at"),
        ),
    ),
    Mutation(
        promise=4,
        breaks="the journal takes it that a step with an unknown outcome is started again",
        file="policies/lifecycle.py",
        old="    e.ActionStarted: {S.READY: S.STARTED},\n",
        new="    e.ActionStarted: {S.READY: S.STARTED, S.UNCERTAIN: S.STARTED},\n",
        caught_by=(
            _each_event("each_event_moves_steps_and_request_as_agreed_whatever_they_stand_at"),
        ),
    ),
    Mutation(
        promise=1,
        breaks="a request that was refused can be voided, and so is asked for again and again",
        file="policies/lifecycle.py",
        old='    e.RequestVoided: dict.fromkeys(("open", "approved"), "void"),\n',
        new='    e.RequestVoided: dict.fromkeys(("open", "approved", "refused"), "void"),\n',
        caught_by=(
            _each_event("each_event_moves_steps_and_request_as_agreed_whatever_they_stand_at"),
        ),
    ),
)
