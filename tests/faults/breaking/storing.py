"""Breaks of promises 3 and 4: a click lost or doubled, a run started twice."""

from tests.faults.mutation import Edit, Mutation

_ACK = "tests/handlers/test_ack.py"
_INBOX = "tests/bot/store/test_inbox.py"
_JOURNAL = "tests/bot/store/test_journal.py"
_DUE = "tests/bot/store/test_due.py"
_DECIDING = "tests/bot/worker/test_deciding.py"
_ACTING = "tests/bot/worker/test_acting.py"
_ACTUATOR = "tests/connectors/test_actuator.py"
_ONCE = "tests/connectors/contract/test_actuators_start_once.py"
_DAGSTER = "tests/connectors/dagster/test_dagster_actuator.py"
_CRASHES = "tests/bot/store/test_crashes.py"
_CLICKS = "tests/handlers/test_clicks.py"
_LEASES = "tests/bot/worker/test_leases.py"
_CLAIMS = "tests/bot/store/test_leases.py"

CLICKS = (
    Mutation(
        promise=3,
        breaks="Slack gets its ack before anything is stored",
        file="handlers/app.py",
        old="process_before_response=True",
        new="process_before_response=False",
        caught_by=(f"{_ACK}::test_nothing_is_acknowledged_before_it_is_stored",),
    ),
    Mutation(
        promise=3,
        breaks="what could not be stored is acknowledged all the same",
        file="handlers/errors.py",
        old='return BoltResponse(status=500, body="")',
        new='return BoltResponse(status=200, body="")',
        caught_by=(
            f"{_ACK}::test_what_could_not_be_stored_is_not_acknowledged_so_slack_sends_it_again",
        ),
    ),
    Mutation(
        promise=3,
        breaks="the inbox takes the same key twice",
        file="bot/store/migrations/versions/m0001_first.py",
        old='        sa.PrimaryKeyConstraint("key", name="pk_inbox"),\n',
        new="",
        caught_by=(f"{_INBOX}::test_the_same_key_twice_is_one_row",),
    ),
    Mutation(
        promise=3,
        breaks="two taps have the same key",
        file="handlers/payloads/parse.py",
        old="return f\"{action.get('action_ts')}:{of(body, 'user', 'id')}:{action.get('action_id')}\"",
        new="return str(action.get('action_id'))",
        caught_by=(f"{_CLICKS}::test_approve_says_who_what_where_and_what_was_on_the_screen",),
    ),
    Mutation(
        promise=3,
        breaks="what arrived is stored without the wish to take it up",
        file="bot/store/inbox.py",
        old="    await wish(connection, [one.due for one in fresh])\n",
        new="",
        caught_by=(f"{_INBOX}::test_what_arrived_is_kept_as_it_came_and_makes_something_due",),
    ),
    Mutation(
        promise=3,
        breaks="of many deciders on one version, more than one wins",
        file="bot/store/journal.py",
        old="mine = (incident.c.id == change.incident_id, incident.c.version == change.base)",
        new="mine = (incident.c.id == change.incident_id,)",
        also=(
            Edit(
                file="bot/store/migrations/versions/m0001_first.py",
                old='        sa.PrimaryKeyConstraint("incident_id", "seq", name="pk_journal"),\n',
                new="",
            ),
        ),
        caught_by=(f"{_JOURNAL}::test_of_ten_deciders_on_one_version_one_wins",),
    ),
    Mutation(
        promise=3,
        breaks="a request that is decided is decided again by the next tap",
        file="bot/worker/deciding.py",
        old="    if not state.open or incident.phase.closed:\n",
        new="    if incident.phase.closed:\n",
        caught_by=(
            f"{_DECIDING}::test_of_two_taps_in_the_same_second_one_decides_and_the_other_is_told",
            f"{_DECIDING}::test_ten_people_at_once_make_one_decision",
        ),
    ),
    Mutation(
        promise=3,
        breaks="a tap made in time is overtaken by the deadline",
        file="bot/worker/asking.py",
        old='    if patient and await context.store.pending("intake", incident.id):\n',
        new="    if False:\n",
        caught_by=(
            f"{_DECIDING}::test_the_deadline_waits_for_a_tap_that_is_stored_and_not_yet_taken_up",
        ),
    ),
    Mutation(
        promise=3,
        breaks="two workers take the same row",
        file="bot/store/due.py",
        old="return and_(rows.c.at <= now, ~rows.c.poisoned, lease_over)",
        new="return and_(rows.c.at <= now, ~rows.c.poisoned, or_(lease_over, rows.c.id > 0))",
        caught_by=(f"{_DUE}::test_a_lease_that_runs_out_frees_the_row",),
    ),
    Mutation(
        promise=3,
        breaks="a row is not finished together with what it causes, and is worked on again",
        file="bot/store/journal.py",
        old="    if change.done is not None:\n        await due.done(connection, change.done)\n",
        new="",
        caught_by=(
            f"{_CRASHES}::test_a_crash_between_any_two_statements_of_a_commit_leaves_nothing",
        ),
    ),
)

RUNS = (
    Mutation(
        promise=4,
        breaks="a process that slept through its lease starts what another one has started",
        file="connectors/base.py",
        old="        await hold()\n",
        new="",
        caught_by=(f"{_LEASES}::test_a_worker_that_slept_through_its_lease_starts_nothing",),
    ),
    Mutation(
        promise=4,
        breaks="a lease is not prolonged while the work is in hand, so a second one begins it too",
        file="bot/worker/holding.py",
        old="        ours = await self._context.store.renew([due for due, _ in held], until)\n",
        new="        ours = {due.id for due, _ in held if until}\n",
        caught_by=(f"{_LEASES}::test_work_that_takes_longer_than_a_lease_stays_in_one_hand",),
    ),
    Mutation(
        promise=4,
        breaks="who lost the row to somebody else stores what came of it all the same",
        file="bot/store/due.py",
        old="    if not await _release_newer(connection, due):\n        raise ClaimLost",
        new="    if not await _release_newer(connection, due) and not due.id:\n        raise ClaimLost",
        caught_by=(f"{_CLAIMS}::test_who_lost_the_claim_can_not_store_what_came_of_it",),
    ),
    Mutation(
        promise=4,
        breaks="a start is sent without looking for its key first",
        file="connectors/base.py",
        old="found = await self.find(key, step)",
        new="found = None",
        caught_by=(
            f"{_ACTUATOR}::test_a_run_that_carries_the_key_already_is_returned_and_not_doubled",
        ),
    ),
    Mutation(
        promise=4,
        breaks="what was started without an answer is sent again without looking",
        file="bot/worker/acting.py",
        old="run = await actuator.find(incident.steps[step.id].key or external_key(incident, step), step)",
        new="run = None",
        also=(
            Edit(
                file="connectors/base.py",
                old="found = await self.find(key, step)",
                new="found = None",
            ),
        ),
        caught_by=(
            f"{_ACTING}::test_a_start_that_was_accepted_but_never_answered_is_adopted",
            f"{_ACTING}::test_a_crash_after_the_start_was_stored_leaves_one_run",
        ),
    ),
    Mutation(
        promise=4,
        breaks="one look is taken for certainty: a run that shows late is doubled",
        file="bot/worker/acting.py",
        old="    if looks < context.pace.look_ups:\n",
        new="    if False:\n",
        caught_by=(
            f"{_ACTING}::test_a_run_that_the_system_shows_late_is_adopted_and_not_started_again",
        ),
    ),
    Mutation(
        promise=4,
        breaks="a start whose outcome stays unknown is repeated for ever",
        file="bot/worker/acting.py",
        old="    if sent >= _SENDS:\n",
        new="    if False:\n",
        caught_by=(f"{_ACTING}::test_a_start_that_stays_unknown_is_not_repeated_for_ever",),
    ),
    Mutation(
        promise=4,
        breaks="the key comes from the moment and not from the step",
        file="bot/worker/acting.py",
        old='return f"{incident.id}:{step.id}:{shown}"',
        new='return f"{incident.id}:{step.id}:{incident.version}"',
        caught_by=(
            f"{_ACTING}::test_the_key_that_was_sent_is_still_the_steps_own_when_its_run_has_ended",
        ),
    ),
    Mutation(
        promise=4,
        breaks="the start is stored after the call, not before it",
        file="bot/worker/acting.py",
        old="    incident = await context.commit(incident, begun, spend=spend)\n",
        new="",
        caught_by=(f"{_ACTING}::test_a_crash_after_the_start_was_stored_leaves_one_run",),
    ),
    Mutation(
        promise=4,
        breaks="Dagster is not told our key",
        file="connectors/dagster/actuator.py",
        old="tags = {STEP_TAG: key, INCIDENT_TAG",
        new="tags = {INCIDENT_TAG",
        caught_by=(
            f"{_DAGSTER}::test_a_job_is_started_where_it_lives_with_our_tags_and_its_partition",
            f"{_DAGSTER}::test_the_same_key_twice_is_one_run",
        ),
    ),
    Mutation(
        promise=4,
        breaks="a start that may have arrived is sent again by the HTTP client",
        file="connectors/dagster/graphql.py",
        old='        """The same, sent once only."""\n        return await self._ask(document, variables)',
        new='        """The same."""\n        return await self._http.again(lambda: self._ask(document, variables))',
        caught_by=(f"{_DAGSTER}::test_each_way_a_start_can_fail_is_told_and_is_never_tried_again",),
    ),
    Mutation(
        promise=4,
        breaks="a start whose answer can't be understood is taken for one that was refused",
        file="connectors/refusing.py",
        old="            return Broken(_UNCLEAR.format(job, why), connection=at)",
        new="            return no(Malformed, why, at)",
        caught_by=(
            f"{_ONCE}::test_a_start_whose_answer_is_lost_is_open_then_found_and_never_sent_again",
        ),
    ),
)
