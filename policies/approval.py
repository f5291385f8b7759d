"""From stored decisions to a verdict, and the only place that can make an `Approved`.

Silence never becomes a yes: every branch that ends in `Approved` counts decisions of people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, final

from policies.deadline import Deadline
from policies.difference import Difference, differences
from policies.people import Grant, Person, Seat
from policies.plan import Plan, Step, digest

Choice = Literal["yes", "no"]
_MINT = object()


class ForgedApproval(RuntimeError):
    """An approval was built outside `weigh`. Nothing ran. This is a defect: report it."""


class NotApproved(RuntimeError):
    """This step is not covered by the approval. Nothing ran. Ask the owner again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hop:
    """One link of the chain: whose turn it is and for how long, in seconds.

    Who sits in a seat that was handed on has handed their right on with it.
    """

    seat: Seat
    seconds: int
    handed_on: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Ban:
    """Somebody, by Slack id or email, who may not decide this one: `you wrote the plan`.

    `name` is what they are called. With `by_name` nobody knows who in Slack that is, and whoever is called
    so may not decide either.
    """

    who: str
    because: str
    name: str = ""
    by_name: bool = False

    def keeps_out(self, person: Person) -> bool:
        """True for whom it is about, as far as that is known."""
        return person.called(self.who) or (self.by_name and person.is_named(self.name))


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalRule:
    """The rule as it stood when the request was made; a later edit of dw.yml does not move it.

    `late_counts`: somebody earlier in the chain may still decide until the request is decided.
    `allowed` are kinds of people that dw.yml lets decide: `guests`, `outsiders`. With `step_up` a yes
    counts only with a code of the person's authenticator, or a login. `untold` are bans that keep nobody out
    here, and why.
    """

    chain: tuple[Hop, ...]
    quorum: int = 1
    late_counts: bool = True
    banned: tuple[Ban, ...] = ()
    allowed: tuple[str, ...] = ()
    reason_needed: bool = False
    step_up: bool = False
    untold: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalRequest:
    """Steps put before a named owner until a deadline. `hop` is whose turn it is now.

    `until` is how the deadline of the present turn came about, once people are asked. `asked_because`: the level is above L2, and why they are asked all the same. `changed` is what is
    different from the void request before it.
    """

    id: str
    owner: str
    step_ids: tuple[str, ...]
    digest: str
    reach: tuple[str, ...]
    plan_version: int
    rule: ApprovalRule
    asked_at: datetime
    deadline: datetime
    hop: int = 0
    until: Deadline | None = None
    level: str = "L2"
    asked_because: str = ""
    changed: tuple[Difference, ...] = ()

    @property
    def turn(self) -> Hop:
        """Whose turn it is."""
        return self.rule.chain[self.hop]

    def seats(self) -> tuple[tuple[int, Seat], ...]:
        """The seats that may decide now: the current hop, and earlier ones where the rule says so."""
        first = 0 if self.rule.late_counts else self.hop
        chain = self.rule.chain
        return tuple(
            (hop, chain[hop].seat) for hop in range(first, self.hop + 1) if not chain[hop].handed_on
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """One person's yes or no: who, when, where from, why, for which digest, and by which right.

    `step_up` names what proved once more that it was them: `totp` or `oidc`.
    """

    key: str
    person: str
    name: str
    choice: Choice
    digest: str
    at: datetime
    where: str
    grant: Grant
    reason: str = ""
    step_up: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    """Not decided yet: `missing` more yes are needed."""

    missing: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """Somebody entitled said no."""

    by: Decision


@dataclass(frozen=True, kw_only=True, slots=True)
class Expired:
    """The last of the chain did not answer in time: that is a no."""

    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Void:
    """What was shown is not what would run. `why` says what changed, `lines` each difference where it is known."""

    why: str
    lines: tuple[Difference, ...] = ()


@final
class Approved:
    """The right to act on exactly these steps until then. Made by `weigh`, never stored, never copied."""

    __slots__ = ("because", "digest", "request_id", "steps", "until")

    def __init__(
        self,
        mint: object,
        *,
        request_id: str,
        digest: str,
        steps: tuple[Step, ...],
        because: tuple[Decision, ...],
        until: datetime,
    ) -> None:
        if mint is not _MINT or not because:
            raise ForgedApproval(ForgedApproval.__doc__)
        for name, value in (
            ("request_id", request_id),
            ("digest", digest),
            ("steps", steps),
            ("because", because),
            ("until", until),
        ):
            object.__setattr__(self, name, value)

    request_id: str
    digest: str
    steps: tuple[Step, ...]
    because: tuple[Decision, ...]
    until: datetime

    def __setattr__(self, name: str, value: object) -> None:
        """Approvals are frozen."""
        raise ForgedApproval(ForgedApproval.__doc__)

    def __reduce__(self) -> str:
        """Approvals are minted anew from the journal; they are neither stored nor copied."""
        raise ForgedApproval(ForgedApproval.__doc__)

    def check(self, step: Step, now: datetime) -> None:
        """Raise `NotApproved` unless exactly this step is covered at `now`."""
        if step not in self.steps or now > self.until:
            raise NotApproved(NotApproved.__doc__)


Verdict = Approved | Pending | Refused | Expired | Void


def changed(request: ApprovalRequest, plan: Plan, shown: Sequence[Step] = ()) -> Void | None:
    """Void, where `plan` would do other than what `request` showed; the lines tell what, or None.

    A smaller reach keeps the yes; a larger one, another step or another parameter does not. The lines
    need the steps as they were `shown`.
    """
    steps = tuple(step for step in plan.steps if step.id in request.step_ids)
    grown = sorted(set(plan.reach) - set(request.reach))
    if len(steps) != len(request.step_ids):
        why = "a step of this request is no longer in the plan"
    elif grown:
        why = "it now reaches more: " + ", ".join(grown)
    elif digest(steps, request.reach) != request.digest:
        why = "what would run is not what was shown"
    else:
        return None
    known = digest(shown, request.reach) == request.digest
    lines = differences(shown, steps, (request.reach, plan.reach)) if known else ()
    return Void(why=why, lines=lines)


def less_reach(request: ApprovalRequest, plan: Plan) -> tuple[str, ...]:
    """What was shown as reached and is not any more: the yes covers it all the same."""
    return tuple(sorted(set(request.reach) - set(plan.reach)))


def weigh(
    request: ApprovalRequest,
    decisions: Sequence[Decision],
    plan: Plan,
    *,
    until: datetime,
    expired_at: datetime | None = None,
    shown: Sequence[Step] = (),
) -> Verdict:
    """What the stored decisions amount to.

    Each person counts once, whatever hats, and so does each for whom somebody decides; only decisions for the digest that was on the screen count.
    `until` is how long the right to act lasts; `expired_at` is set when the last hop ran out; `shown` are
    the steps as they were on the screen, to tell what changed.
    """
    void = changed(request, plan, shown)
    if void is not None:
        return void
    counting = [d for d in decisions if _counts(request, d)]
    refusal = next((d for d in counting if d.choice == "no"), None)
    if refusal:
        return Refused(by=refusal)
    yes = {d.person: d for d in reversed(counting) if d.choice == "yes"}
    votes = min(len(yes), len({d.grant.for_person or d.person for d in yes.values()}))
    if yes and votes >= request.rule.quorum:
        steps = tuple(step for step in plan.steps if step.id in request.step_ids)
        return Approved(
            _MINT,
            request_id=request.id,
            digest=request.digest,
            steps=steps,
            because=tuple(yes.values()),
            until=until,
        )
    if expired_at is not None:
        return Expired(at=expired_at)
    return Pending(missing=max(request.rule.quorum, 1) - votes)


def lacks(rule: ApprovalRule, choice: Choice, reason: str, step_up: str | None) -> str | None:
    """What a yes still needs to count, or None; a no always counts."""
    if choice == "no":
        return None
    if rule.reason_needed and not reason.strip():
        return "this one needs a reason"
    if rule.step_up and not step_up:
        return "this one needs a code of your authenticator, or a login"
    return None


def _counts(request: ApprovalRequest, decision: Decision) -> bool:
    """For the digest that was on the screen, by a right of their own, and with all that it needs."""
    lacking = lacks(request.rule, decision.choice, decision.reason, decision.step_up)
    mine = decision.grant.person == decision.person
    return decision.digest == request.digest and mine and lacking is None
