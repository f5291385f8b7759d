"""Breaks of promise 8: levels that rise by themselves, and trust that outlives its reasons."""

from tests.faults.mutation import Edit, Mutation

_PURE = "tests/policies/test_autonomy.py"
_ALONE = "tests/bot/worker/test_autonomy.py"
_STORE = "tests/bot/store/test_levels.py"
_LEVELS = "policies/autonomy/levels.py"
_REASONS = "policies/autonomy/alone.py"
_SETTING = "policies/autonomy/setting.py"

PROMOTIONS = (
    Mutation(
        promise=8,
        breaks="anybody may set a level",
        file=_SETTING,
        old="    if not is_admin(rules, person):\n",
        new="    if False:\n",
        caught_by=(
            f"{_PURE}::test_only_an_admin_of_dw_yml_may_set_anything",
            f"{_ALONE}::test_a_level_set_by_anybody_else_is_refused_and_told",
        ),
    ),
    Mutation(
        promise=8,
        breaks="one admin is enough where two must agree",
        file=_SETTING,
        old="    if not raises or needed(rules, ask.level) == 1:\n",
        new="    if True:\n",
        caught_by=(
            f"{_PURE}::test_above_l2_it_takes_two_admins_where_there_are_two",
            f"{_ALONE}::test_the_second_admin_completes_what_the_first_wished",
        ),
    ),
    Mutation(
        promise=8,
        breaks="an admin seconds their own wish",
        file=_LEVELS,
        old=" and set(entry.by).isdisjoint(like.by)",
        new="",
        caught_by=(
            f"{_PURE}::test_a_wish_is_seconded_by_somebody_else_within_a_day_and_not_after_a_change",
            f"{_ALONE}::test_the_second_admin_completes_what_the_first_wished",
        ),
    ),
    Mutation(
        promise=8,
        breaks="a wish is in force before it is agreed to",
        file=_LEVELS,
        old="e.about == about and e.receipt is not None",
        new="e.about == about",
        caught_by=(f"{_PURE}::test_a_wish_without_a_receipt_is_not_in_force",),
    ),
    Mutation(
        promise=8,
        breaks="a file may give any level",
        file=_LEVELS,
        old='    return start if rank(start) <= PROPOSE else "L2"\n',
        new="    return start\n",
        caught_by=(f"{_PURE}::test_a_file_never_gives_more_than_l2",),
    ),
    Mutation(
        promise=8,
        breaks="an entry of the bot itself lets it act alone",
        file=_LEVELS,
        old=" and BOT not in self.entry.by",
        new="",
        caught_by=(f"{_PURE}::test_an_entry_of_the_bot_never_lets_anything_go_alone",),
    ),
    Mutation(
        promise=8,
        breaks="a row written into the table counts without its receipt",
        file=_REASONS,
        old="    _unproven,\n",
        new="",
        caught_by=(f"{_ALONE}::test_a_row_in_the_table_without_its_receipt_gives_no_right",),
    ),
    Mutation(
        promise=8,
        breaks="somebody who is no admin any more still stands for it",
        file=_REASONS,
        old="    _nobody,\n    _few,\n",
        new="",
        also=(
            Edit(
                file="bot/worker/delegating.py",
                old="return tuple(p for p in known if p is not None and is_admin(context.rules, p))",
                new="return tuple(p for p in known if p is not None)",
            ),
            Edit(
                file="bot/worker/delegating.py",
                old="        if banned:\n",
                new="        if False:\n",
            ),
        ),
        caught_by=(f"{_ALONE}::test_an_admin_who_left_takes_the_delegation_along",),
    ),
    Mutation(
        promise=8,
        breaks="L3 needs no record",
        file=_REASONS,
        old="    _untried,\n",
        new="",
        caught_by=(f"{_ALONE}::test_without_a_clean_record_the_owner_is_asked_and_told_why",),
    ),
    Mutation(
        promise=8,
        breaks="no budget holds",
        file=_REASONS,
        old="    _too_far,\n",
        new="",
        caught_by=(f"{_ALONE}::test_outside_the_budget_the_owner_is_asked",),
    ),
    Mutation(
        promise=8,
        breaks="more is started in a day than its budget",
        file="bot/store/levels.py",
        old="    if number > wanted.limit:\n",
        new="    if False:\n",
        caught_by=(f"{_STORE}::test_a_start_beyond_the_budget_leaves_nothing_behind",),
    ),
    Mutation(
        promise=8,
        breaks="more is paid in a day than its budget",
        file="bot/store/levels.py",
        old="wanted.cost_limit is not None and paid > wanted.cost_limit",
        new="False",
        caught_by=(f"{_STORE}::test_what_runs_cost_is_added_up_and_never_beyond_its_end",),
    ),
    Mutation(
        promise=8,
        breaks="a delegation is not looked at again before its step starts",
        file="bot/worker/acting.py",
        old="    why = await delegating.no_longer(context, incident, step)\n",
        new="    why = None\n",
        caught_by=(
            f"{_ALONE}::test_a_level_lowered_while_the_step_waited_asks_before_it_starts",
            f"{_ALONE}::test_a_budget_spent_while_the_step_waited_asks_before_it_starts",
        ),
    ),
    Mutation(
        promise=8,
        breaks="a class keeps its level after it ended badly",
        file="bot/worker/closing.py",
        old="levels=tuple(lower), ",
        new="",
        caught_by=(
            f"{_ALONE}::test_checks_that_fail_take_the_class_to_l2_and_the_next_one_is_asked_for",
        ),
    ),
    Mutation(
        promise=8,
        breaks="what people do by hand is delegated too",
        file="bot/worker/delegating.py",
        old='        if step.doer != "bot" or step.follow_up or not',
        new="        if step.follow_up or not",
        also=(
            Edit(file=_REASONS, old="    _irreversible,\n", new=""),
            Edit(file=_REASONS, old="    _untried,\n", new=""),
        ),
        caught_by=(f"{_ALONE}::test_a_persons_own_step_is_asked_for_at_every_level",),
    ),
)
