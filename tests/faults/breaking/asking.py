"""Breaks of promises 1 and 2: acting without a yes, or on another plan than the one that was shown."""

from tests.faults.mutation import Mutation

_MENDING = "tests/bot/worker/test_mending.py"
_APPROVAL = "tests/policies/test_approval.py"
_BANS = "tests/bot/worker/test_bans.py"
_DECIDING = "tests/bot/worker/test_deciding.py"
_ACTING = "tests/bot/worker/test_acting.py"
_LIFECYCLE = "tests/policies/test_lifecycle.py"
_ACTUATOR = "tests/connectors/test_actuator.py"
_WALLS = "tests/architecture/test_walls.py"
_PLAN = "tests/policies/test_plan.py"
_VIEWS = "tests/handlers/test_views.py"

NO_YES = (
    Mutation(
        promise=1,
        breaks="a tap after the end of the last turn counts, when nobody was at work to end it",
        file="bot/worker/deciding.py",
        old="    if await too_late(context, due, incident, state, command.at):\n",
        new="    if False:\n",
        caught_by=(
            f"{_MENDING}::test_a_tap_after_the_end_of_the_last_turn_is_too_late_though_nobody_was_at_work",
        ),
    ),
    Mutation(
        promise=1,
        breaks="no decision at all counts as a yes",
        file="policies/approval.py",
        old="if yes and votes >= request.rule.quorum:",
        new="if votes >= request.rule.quorum or not decisions:",
        caught_by=(f"{_APPROVAL}::test_silence_is_pending_and_then_expired_and_never_a_yes",),
    ),
    Mutation(
        promise=1,
        breaks="the last one in the chain lets the time run out, and that is a yes",
        file="bot/worker/asking.py",
        old="expired = e.RequestExpired(request_id=state.request.id)",
        new="expired = e.ApprovalGranted(request_id=state.request.id)",
        caught_by=(f"{_DECIDING}::test_silence_reminds_escalates_and_ends_as_a_no",),
    ),
    Mutation(
        promise=1,
        breaks="one person fills a quorum of two by tapping twice",
        file="policies/approval.py",
        old="if yes and votes >= request.rule.quorum:",
        new="if yes and len(counting) >= request.rule.quorum:",
        caught_by=(f"{_APPROVAL}::test_one_person_does_not_fill_a_quorum_of_two",),
    ),
    Mutation(
        promise=1,
        breaks="a no of somebody entitled is overlooked",
        file="policies/approval.py",
        old="    if refusal:\n",
        new="    if refusal and not counting:\n",
        caught_by=(
            f"{_APPROVAL}::test_an_entitled_no_refuses",
            f"{_DECIDING}::test_a_no_ends_it_and_nothing_runs",
        ),
    ),
    Mutation(
        promise=1,
        breaks="a tap from another workspace is taken for one from ours",
        file="handlers/elsewhere.py",
        old="    return None if not teams or me.team in teams or same_grid else teams[0]\n",
        new="    return None\n",
        caught_by=(
            "tests/handlers/test_elsewhere.py::test_a_payload_of_another_workspace_is_known",
        ),
    ),
    Mutation(
        promise=1,
        breaks="guests may decide",
        file="policies/people.py",
        old='"guests never decide": self.guest',
        new='"guests never decide": False',
        caught_by=(f"{_APPROVAL}::test_bots_leavers_guests_and_strangers_never_decide",),
    ),
    Mutation(
        promise=1,
        breaks="whoever asked for a change, planned it or broke it may decide",
        file="policies/standing.py",
        old="found = next((b for b in rule.banned if b.keeps_out(person)), None)",
        new="found = None",
        caught_by=(f"{_APPROVAL}::test_a_banned_person_may_not_decide_even_from_the_seat",),
    ),
    Mutation(
        promise=1,
        breaks="a yes counts without the reason that dw.yml wants",
        file="policies/approval.py",
        old="    if rule.reason_needed and not reason.strip():\n",
        new="    if False:\n",
        caught_by=(f"{_BANS}::test_a_yes_without_the_reason_that_is_needed_does_not_count",),
    ),
    Mutation(
        promise=1,
        breaks="anybody in the channel may decide",
        file="policies/standing.py",
        old="grant = next((grant for grant in found.may if grant.person == person.id), None)",
        new='grant = Grant(person=person.id, because="here", hop=0)',
        caught_by=(
            f"{_APPROVAL}::test_somebody_else_is_told_why_and_who_may",
            f"{_APPROVAL}::test_a_seat_that_cannot_be_resolved_holds_nobody_and_says_why",
            f"{_DECIDING}::test_somebody_who_is_not_entitled_is_told_why_and_who_is",
        ),
    ),
    Mutation(
        promise=1,
        breaks="a decision counts by somebody else's right",
        file="policies/approval.py",
        old="mine = decision.grant.person == decision.person",
        new="mine = True",
        caught_by=(f"{_APPROVAL}::test_a_decision_by_somebody_elses_right_does_not_count",),
    ),
    Mutation(
        promise=1,
        breaks="an approval can be built by hand",
        file="policies/approval.py",
        old="if mint is not _MINT or not because:",
        new="if not because:",
        caught_by=(f"{_APPROVAL}::test_an_approval_cannot_be_forged_widened_or_stored",),
    ),
    Mutation(
        promise=1,
        breaks="the worker makes its own approval instead of weighing the decisions",
        file="bot/worker/acting.py",
        old="verdict = weigh(asked.request, asked.decisions, incident.plan, until=until)",
        new="verdict = Approved(None, request_id=asked.request.id, digest=asked.request.digest,"
        " steps=incident.plan.steps, because=asked.decisions, until=until)",
        caught_by=(f"{_WALLS}::test_only_weigh_makes_an_approval",),
    ),
    Mutation(
        promise=1,
        breaks="an actuator no longer looks at the approval it is given",
        file="connectors/base.py",
        old="        approved.check(step, now)\n",
        new="",
        caught_by=(f"{_ACTUATOR}::test_what_nobody_approved_is_not_sent",),
    ),
    Mutation(
        promise=1,
        breaks="a yes lasts for ever",
        file="bot/worker/acting.py",
        old="if isinstance(verdict, Approved) and context.now() <= until else None",
        new="if isinstance(verdict, Approved) else None",
        caught_by=(f"{_ACTING}::test_an_approval_that_lapsed_is_asked_again",),
    ),
    Mutation(
        promise=1,
        breaks="a step may get ready while its owner is still being asked",
        file="policies/lifecycle.py",
        old="e.StepReady: {S.APPROVED: S.READY},",
        new="e.StepReady: {S.APPROVED: S.READY, S.ASKED: S.READY},",
        caught_by=(
            f"{_LIFECYCLE}::test_an_action_starts_only_from_ready_and_ready_only_from_approved",
        ),
    ),
    Mutation(
        promise=1,
        breaks="an expired request approves its steps",
        file="policies/lifecycle.py",
        old="e.RequestExpired: {S.ASKED: S.EXPIRED},",
        new="e.RequestExpired: {S.ASKED: S.APPROVED},",
        caught_by=(f"{_LIFECYCLE}::test_nothing_but_a_grant_leads_to_approved",),
    ),
)

OTHER_PLAN = (
    Mutation(
        promise=2,
        breaks="what was never sent is sent later without a fresh look at what would run",
        file="bot/worker/acting.py",
        old="    held, _ = await _unfit(context, incident, step)\n",
        new="    held = None\n",
        caught_by=(
            f"{_MENDING}::test_what_was_never_sent_is_not_sent_when_other_code_would_run_by_now",
        ),
    ),
    Mutation(
        promise=2,
        breaks="the digest leaves out the parameters",
        file="policies/plan.py",
        old='        "params": dict(step.params),\n',
        new="",
        caught_by=(
            f"{_PLAN}::test_another_part_of_a_step_is_another_digest",
            f"{_APPROVAL}::test_what_changed_after_the_click_voids_the_request",
        ),
    ),
    Mutation(
        promise=2,
        breaks="the digest leaves out the version of the code",
        file="policies/plan.py",
        old='        "code_version": step.code_version,\n',
        new="",
        caught_by=(f"{_ACTING}::test_code_that_changed_after_the_yes_voids_it_and_asks_again",),
    ),
    Mutation(
        promise=2,
        breaks="the digest leaves out the reach",
        file="policies/plan.py",
        old='"reach": sorted(reach)}',
        new='"reach": []}',
        caught_by=(f"{_PLAN}::test_another_reach_is_another_digest_and_its_order_is_none",),
    ),
    Mutation(
        promise=2,
        breaks="the digest leaves out what a gate tolerates",
        file="policies/plan.py",
        old="[check.name, check.kind, dict(check.params)]",
        new="[check.name, check.kind]",
        caught_by=(f"{_PLAN}::test_another_tolerance_of_a_gate_is_another_digest",),
    ),
    Mutation(
        promise=2,
        breaks="a larger reach keeps the yes",
        file="policies/approval.py",
        old="    elif grown:\n",
        new="    elif False:\n",
        caught_by=(
            f"{_APPROVAL}::test_a_larger_reach_voids_and_says_what_is_new",
            f"{_ACTING}::test_a_reach_that_grew_after_the_yes_voids_it",
        ),
    ),
    Mutation(
        promise=2,
        breaks="a smaller reach loses the yes",
        file="policies/approval.py",
        old="digest(steps, request.reach) != request.digest",
        new="digest(steps, plan.reach) != request.digest",
        caught_by=(f"{_APPROVAL}::test_a_smaller_reach_keeps_the_yes",),
    ),
    Mutation(
        promise=2,
        breaks="nothing is drafted afresh before a step starts",
        file="bot/worker/acting.py",
        old="fresh = (await drafting.draw(context, incident, afresh=step.id)).plan",
        new="fresh = incident.plan or (await drafting.draw(context, incident)).plan",
        caught_by=(
            f"{_ACTING}::test_code_that_changed_after_the_yes_voids_it_and_asks_again",
            f"{_ACTING}::test_a_reach_that_grew_after_the_yes_voids_it",
        ),
    ),
    Mutation(
        promise=2,
        breaks="a tap on an old screen is taken for one on the new",
        file="bot/worker/deciding.py",
        old="    if command.digest != state.request.digest:\n",
        new="    if False:\n",
        caught_by=(f"{_DECIDING}::test_a_tap_on_an_old_screen_does_not_count",),
    ),
    Mutation(
        promise=2,
        breaks="a yes counts for whatever digest",
        file="policies/approval.py",
        old="return decision.digest == request.digest and mine",
        new="return mine",
        caught_by=(f"{_APPROVAL}::test_a_yes_for_another_digest_does_not_count",),
    ),
    Mutation(
        promise=2,
        breaks="an approval covers steps that it does not hold",
        file="policies/approval.py",
        old="if step not in self.steps or now > self.until:",
        new="if now > self.until:",
        caught_by=(
            f"{_APPROVAL}::test_an_approval_covers_exactly_its_steps_until_its_time",
            f"{_ACTUATOR}::test_what_nobody_approved_is_not_sent",
        ),
    ),
    Mutation(
        promise=2,
        breaks="the buttons do not carry what is on the screen",
        file="handlers/views/request.py",
        old="tag = ids.Tag(incident=incident.id, request=asked.id, digest=asked.digest)",
        new="tag = ids.Tag(incident=incident.id, request=asked.id)",
        caught_by=(f"{_VIEWS}::test_every_button_carries_the_digest_that_is_on_the_screen",),
    ),
)
