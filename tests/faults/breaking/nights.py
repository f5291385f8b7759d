"""Breaks that any night of the state machine must notice by its own law, without a test that was written for them."""

from tests.faults.mutation import Mutation

_NIGHT = (
    "tests/machine/test_machine.py::"
    "test_whatever_happens_nothing_acts_without_a_yes_and_every_request_ends[sqlite]"
)

NIGHTS = (
    Mutation(
        promise=1,
        breaks="whoever taps is entitled, in whatever order things happen",
        file="policies/standing.py",
        old="grant = next((grant for grant in found.may if grant.person == person.id), None)",
        new='grant = Grant(person=person.id, because="tapped", hop=0)',
        caught_by=(_NIGHT,),
    ),
    Mutation(
        promise=1,
        breaks="one yes is enough, whatever the quorum",
        file="policies/approval.py",
        old="if yes and votes >= request.rule.quorum:",
        new="if yes:",
        caught_by=(_NIGHT,),
    ),
    Mutation(
        promise=1,
        breaks="a request that nobody answers waits for ever",
        file="bot/worker/asking.py",
        old="    return await _end_turn(context, due, incident, state)\n",
        new="    return await context.store.finish(due)\n",
        caught_by=(_NIGHT,),
    ),
    Mutation(
        promise=2,
        breaks="the digest of a tap is not compared, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="    if command.digest != state.request.digest:\n",
        new="    if not command.digest:\n",
        caught_by=(_NIGHT,),
    ),
    Mutation(
        promise=2,
        breaks="nobody looks afresh at what would run, in whatever order things happen",
        file="bot/worker/acting.py",
        old="fresh = (await drafting.draw(context, incident, afresh=step.id)).plan",
        new="fresh = incident.plan or (await drafting.draw(context, incident)).plan",
        caught_by=(_NIGHT,),
    ),
    Mutation(
        promise=1,
        breaks="a tap after the end of the turn counts, in whatever order things happen",
        file="bot/worker/deciding.py",
        old="    if await too_late(context, due, incident, state, command.at):\n",
        new="    if False:\n",
        caught_by=(_NIGHT,),
    ),
    Mutation(
        promise=4,
        breaks="nothing is written down before the call, and then the process dies",
        file="bot/worker/acting.py",
        old="    incident = await context.commit(incident, begun, spend=spend)\n",
        new="",
        caught_by=(_NIGHT,),
    ),
)

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
)
