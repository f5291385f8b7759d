"""Breaks of promise 8: the machine promoted by a file, by itself, by too few, or not demoted."""

from tests.faults.mutation import Mutation

_LEVELS = "tests/policies/test_autonomy.py"
_WORKER = "tests/bot/worker/test_autonomy.py"

LEVELS = (
    Mutation(
        promise=8,
        breaks="a file gives more than L2",
        file="policies/autonomy/levels.py",
        old='return start if rank(start) <= PROPOSE else "L2"',
        new="return start",
        caught_by=(f"{_LEVELS}::test_a_file_never_gives_more_than_l2",),
    ),
    Mutation(
        promise=8,
        breaks="an entry of the bot lets it go alone",
        file="policies/autonomy/levels.py",
        old="self.entry is not None and BOT not in self.entry.by",
        new="self.entry is not None",
        caught_by=(f"{_LEVELS}::test_an_entry_of_the_bot_never_lets_anything_go_alone",),
    ),
    Mutation(
        promise=8,
        breaks="one admin's wish is in force before another has seconded it",
        file="policies/autonomy/levels.py",
        old="if e.about == about and e.receipt is not None]",
        new="if e.about == about]",
        caught_by=(f"{_LEVELS}::test_a_wish_without_a_receipt_is_not_in_force",),
    ),
    Mutation(
        promise=8,
        breaks="anybody sets a level",
        file="policies/autonomy/setting.py",
        old="    if not is_admin(rules, person):\n",
        new="    if person is None:\n",
        caught_by=(
            f"{_LEVELS}::test_only_an_admin_of_dw_yml_may_set_anything",
            f"{_WORKER}::test_a_level_set_by_anybody_else_is_refused_and_told",
        ),
    ),
    Mutation(
        promise=8,
        breaks="one admin alone raises above L2",
        file="policies/autonomy/setting.py",
        old="return min(rules.raise_needs, len(rules.admins)) if rank(level) > PROPOSE else 1",
        new="return 1",
        caught_by=(
            f"{_LEVELS}::test_above_l2_it_takes_two_admins_where_there_are_two",
            f"{_WORKER}::test_the_second_admin_completes_what_the_first_wished",
        ),
    ),
    Mutation(
        promise=8,
        breaks="a row in the table gives a right although no receipt says so",
        file="policies/autonomy/levels.py",
        old="    if receipt is None or receipt.number != entry.receipt:\n        return False\n",
        new="    if receipt is None or receipt.number != entry.receipt:\n        return True\n",
        caught_by=(f"{_LEVELS}::test_an_entry_is_proven_by_the_receipt_that_says_the_same",),
    ),
    Mutation(
        promise=8,
        breaks="a level stays as it was after a bad outcome",
        file="bot/worker/levelling.py",
        old="        entries.append(entry)\n",
        new="",
        caught_by=(
            f"{_WORKER}::test_checks_that_fail_after_its_run_take_the_class_to_l2_and_the_next_one_is_asked_for",
        ),
    ),
    Mutation(
        promise=8,
        breaks="the right of an admin who left goes on",
        file="policies/autonomy/setting.py",
        old="    if person is None or person.barred():\n",
        new="    if person is None:\n",
        caught_by=(f"{_WORKER}::test_an_admin_who_left_takes_the_delegation_along",),
    ),
)
