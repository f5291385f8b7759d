"""Breaks of promises 2, 4 and 11: silence that looks like health, troubles that become one, parts taken for the whole."""

from tests.faults.mutation import Edit, Mutation

_LOOKS = "tests/bot/worker/test_looks.py"
_READING = "tests/bot/worker/test_reading.py"
_JOINING = "tests/bot/worker/test_joining.py"
_BACKFILLED = "tests/policies/test_backfills.py"
_WORKED = "tests/bot/worker/test_backfills.py"
_RETRIES = "tests/policies/test_retries_and_namesakes.py"

SILENCE = (
    Mutation(
        promise=11,
        breaks="silence looks like health: nobody is told that a connection is blind",
        file="bot/worker/noticing.py",
        old="    elif sight.blind(context.now(), context.rules.blind_after):\n",
        new="    elif False:\n",
        caught_by=(f"{_LOOKS}::test_being_blind_is_said_once_in_the_alert_channel",),
    ),
    Mutation(
        promise=11,
        breaks="a look that never ends counts as one that saw nothing wrong",
        file="policies/sight.py",
        old="looked_at=now, failures=sight.failures + 1)",
        new="looked_at=now)",
        caught_by=(f"{_LOOKS}::test_looks_that_fall_over_are_seen_as_blindness_too",),
    ),
    Mutation(
        promise=11,
        breaks="a connection is called seeing again before all that failed meanwhile is read",
        file="policies/sight.py",
        old="        return self.failures == 0 and self.problem is not None\n",
        new="        return False\n",
        caught_by=(
            f"{_READING}::test_the_note_says_how_far_it_has_read_before_it_says_that_it_sees_again",
        ),
    ),
)

BACKFILLS = (
    Mutation(
        promise=11,
        breaks="one partition of a backfill that is green again settles all that failed",
        file="policies/recognition.py",
        old="    if len(far.partitions) < far.of:\n",
        new="    if False:\n",
        caught_by=(
            f"{_BACKFILLED}::test_one_green_partition_does_not_settle_the_others",
            f"{_WORKED}::test_each_partition_is_told_and_the_last_settles_the_part",
        ),
    ),
    Mutation(
        promise=11,
        breaks="a partition counts as green although its newest run failed",
        file="policies/backfills.py",
        old="_does(run, step) and run.state.ended]",
        new="_does(run, step) and run.state is RunState.SUCCEEDED]",
        caught_by=(
            f"{_BACKFILLED}::test_a_partition_whose_newest_run_failed_is_not_green_any_more",
        ),
    ),
    Mutation(
        promise=4,
        breaks="a run is proposed beside the retry that Dagster starts by itself",
        file="policies/playbook/__init__.py",
        old='    if case.facts.run.get("retry"):\n',
        new="    if False:\n",
        caught_by=(f"{_RETRIES}::test_beside_a_retry_nothing_is_proposed",),
    ),
)

ONE_CAUSE = (
    Mutation(
        promise=2,
        breaks="a repair that was approved and has begun vanishes into another trouble",
        file="policies/joining.py",
        old="    return waits(incident) and incident.phase in _MAY_MOVE and not incident.begun\n",
        new="    return waits(incident)\n",
        also=(
            Edit(
                file="policies/lifecycle.py",
                old="    if isinstance(event, e.Joined) and incident.begun:\n",
                new="    if False:\n",
            ),
            Edit(
                file="policies/lifecycle.py",
                old="    e.Joined: dict.fromkeys((P.OPEN, P.DIAGNOSED, P.PLANNED, P.HANDED_OVER), P.DISMISSED),\n",
                new="    e.Joined: dict.fromkeys((*_LIVE, P.HANDED_OVER), P.DISMISSED),\n",
            ),
        ),
        caught_by=(f"{_JOINING}::test_a_repair_that_has_begun_is_linked_and_not_taken_away",),
    ),
    Mutation(
        promise=2,
        breaks="what was asked for in a trouble that joined another can still be approved",
        file="policies/joining.py",
        old="    return [*void, e.Joined(",
        new="    return [e.Joined(",
        caught_by=(
            f"{_JOINING}::test_what_was_asked_for_in_what_joined_is_void_with_words_and_asked_once",
        ),
    ),
)
