"""Breaks that the state machine must notice by its own law, without a test that was written for them.

Each names the moment that it drives to on purpose, so that none is left to luck.
"""

from tests.faults.mutation import Edit, Mutation


def _moment(*names: str) -> tuple[str, ...]:
    test = "test_in_the_moments_that_matter_nothing_is_against_the_law"
    return tuple(f"tests/machine/test_moments.py::{test}[sqlite-{name}]" for name in names)


NIGHTS = (
    Mutation(
        promise=1,
        breaks="whoever taps is entitled, in whatever order things happen",
        file="policies/standing.py",
        old="grant = next((grant for grant in found.may if grant.person == person.id), None)",
        new='grant = Grant(person=person.id, because="tapped", hop=0)',
        caught_by=_moment("nobody_entitled_taps", "nobody_answers"),
    ),
    Mutation(
        promise=1,
        breaks="one yes is enough, whatever the quorum",
        file="policies/approval.py",
        old="if yes and votes >= request.rule.quorum:",
        new="if yes:",
        caught_by=_moment("nobody_answers", "somebody_decides_for_another"),
    ),
    Mutation(
        promise=1,
        breaks="somebody and their delegate are two votes",
        file="policies/approval.py",
        old="votes = min(len(yes), len({d.grant.for_person or d.person for d in yes.values()}))",
        new="votes = len(yes)",
        caught_by=_moment("somebody_decides_for_another"),
    ),
    Mutation(
        promise=1,
        breaks="whoever was asked earlier may still decide, though dw.yml says that they may not",
        file="policies/approval.py",
        old="first = 0 if self.rule.late_counts else self.hop",
        new="first = 0",
        caught_by=_moment("nobody_answers"),
    ),
    Mutation(
        promise=1,
        breaks="whoever handed their seat over still sits in it",
        file="policies/approval.py",
        old="for hop in range(first, self.hop + 1) if not chain[hop].handed_on",
        new="for hop in range(first, self.hop + 1)",
        caught_by=_moment("it_is_decided_only_once"),
    ),
    Mutation(
        promise=1,
        breaks="what was taken back still counts",
        file="policies/folding.py",
        old="decisions=tuple(d for d in state.decisions if d.key != event.key),",
        new="decisions=state.decisions,",
        caught_by=_moment("it_is_taken_back"),
    ),
    Mutation(
        promise=1,
        breaks="a request that nobody answers waits for ever",
        file="bot/worker/asking.py",
        old="    return await _end_turn(context, due, incident, state)\n",
        new="    return await context.store.finish(due)\n",
        caught_by=_moment("nobody_entitled_taps"),
    ),
    Mutation(
        promise=1,
        breaks="a tap after the end of the turn counts, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="    if await too_late(context, due, incident, state, command.at):\n",
        new="    if False:\n",
        caught_by=_moment("nobody_answers"),
    ),
    Mutation(
        promise=1,
        breaks="a step starts although the check before it does not pass",
        file="bot/worker/stepping.py",
        old="    short = [result for result in results if result.passed is not True]\n",
        new="    short = [result for result in results if result.passed is False and held]\n",
        caught_by=_moment("something_changes_before_it_starts"),
    ),
    Mutation(
        promise=1,
        breaks="a check that can't be read lets a step start",
        file="bot/worker/stepping.py",
        old="    short = [result for result in results if result.passed is not True]\n",
        new="    short = [result for result in results if result.passed is False]\n",
        caught_by=_moment("it_is_stopped_before_it_starts"),
    ),
    Mutation(
        promise=2,
        breaks="the digest of a tap is not compared, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="    if command.digest != state.request.digest:\n",
        new="    if not command.digest:\n",
        caught_by=_moment("nobody_entitled_taps"),
    ),
    Mutation(
        promise=2,
        breaks="nobody looks afresh at what would run, in whatever order things happen",
        file="bot/worker/acting.py",
        old="fresh = (await drafting.draw(context, incident, afresh=step.id)).plan",
        new="fresh = incident.plan or (await drafting.draw(context, incident)).plan",
        caught_by=_moment("something_changes_before_it_starts", "it_dies_just_before_it_starts"),
    ),
    Mutation(
        promise=2,
        breaks="what was never sent is sent after a crash, whatever would run by now",
        file="bot/worker/acting.py",
        old="    held, _ = await _unfit(context, incident, step)\n",
        new="    held = None\n",
        caught_by=_moment("it_dies_just_before_it_starts"),
    ),
    Mutation(
        promise=3,
        breaks="a decided request is decided again, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="    if not state.open or incident.phase.closed:\n",
        new="    if incident.phase.closed:\n",
        caught_by=_moment("it_is_decided_only_once"),
    ),
    Mutation(
        promise=4,
        breaks="nothing is written down before the call, and then the process dies",
        file="bot/worker/acting.py",
        old="    incident = await context.commit(incident, begun, spend=spend)\n",
        new="",
        caught_by=_moment("it_dies_when_it_has_started"),
    ),
    Mutation(
        promise=4,
        breaks="after a crash it is sent a second time without being looked up first",
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
        caught_by=_moment("it_dies_when_it_has_started"),
    ),
    Mutation(
        promise=4,
        breaks="after a crash one look is enough, and a run that shows late is doubled",
        file="bot/worker/acting.py",
        old="    if looks < context.pace.look_ups:\n",
        new="    if False:\n",
        caught_by=_moment("it_dies_when_it_has_started"),
    ),
    Mutation(
        promise=7,
        breaks="a stop is not seen when somebody decides, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="stop = await context.stopped(incident)",
        new="stop = None",
        caught_by=_moment("nobody_entitled_taps"),
    ),
    Mutation(
        promise=7,
        breaks="a database that is away counts as no stop, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="    stop = await context.stopped(incident)\n",
        new="    from bot.ports import StoreUnavailable\n"
        "    try:\n        stop = await context.stopped(incident)\n"
        "    except StoreUnavailable:\n        stop = None\n",
        caught_by=_moment("the_database_is_away_while_stopped"),
    ),
    Mutation(
        promise=7,
        breaks="a stop is not seen when a step gets ready, in whatever order things happen",
        file="bot/worker/stepping.py",
        old="    stopped = await context.stopped(incident, step.connection)\n",
        new="    stopped = None\n",
        caught_by=_moment("it_is_stopped_before_it_starts"),
    ),
    Mutation(
        promise=7,
        breaks="a stop is not seen when a step starts, in whatever order things happen",
        file="bot/worker/acting.py",
        old="    stopped = await context.stopped(incident, step.connection)\n",
        new="    stopped = None\n",
        caught_by=_moment("it_is_stopped_before_it_starts"),
    ),
    Mutation(
        promise=8,
        breaks="a delegation that ended still starts what waited, in whatever order things happen",
        file="bot/worker/acting.py",
        old="    why = await delegating.no_longer(context, incident, step)\n",
        new="    why = None\n",
        caught_by=_moment("trust_ends_before_it_starts", "who_gave_trust_leaves_before_it_starts"),
    ),
)
