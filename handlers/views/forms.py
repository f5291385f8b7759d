"""The forms behind the buttons of a request. `meta` travels with a form and comes back with its answer."""

from collections.abc import Sequence

from handlers import ids
from handlers.blocks import (
    Block,
    View,
    choice_field,
    field,
    modal,
    person_field,
    section,
    short_field,
)
from policies.approval import ApprovalRule


def ask_form(tag: ids.Tag) -> View:
    """The form behind Ask."""
    return modal(
        ids.ASK_VIEW,
        "Ask before deciding",
        [
            section("Your question goes into the incident's thread. The time to decide goes on."),
            field(ids.QUESTION_BLOCK, ids.QUESTION, "Question", "What do you need to know?"),
        ],
        submit="Ask",
        private_metadata=tag.encode(),
    )


def approve_form(rule: ApprovalRule, meta: str) -> View:
    """What a yes needs besides the tap: a reason, a code, or both."""
    parts: list[Block | None] = [
        section("Your yes counts for exactly what the request shows, and with this only:")
    ]
    if rule.reason_needed:
        hint = "It is kept with your yes, in the receipt too."
        parts.append(field(ids.REASON_BLOCK, ids.REASON, "Reason", hint))
    if rule.step_up:
        hint = "Six digits, from your authenticator app. It is checked now and not kept."
        parts.append(short_field(ids.CODE_BLOCK, ids.CODE, "Code", hint))
    return modal(ids.APPROVE_VIEW, "Approve", parts, submit="Approve", private_metadata=meta)


def reject_form(meta: str) -> View:
    """Why not, in own words."""
    return modal(
        ids.REJECT_VIEW,
        "Reject",
        [
            section(
                "Nothing of this request runs then. The time to decide goes on until you send it."
            ),
            field(ids.REASON_BLOCK, ids.REASON, "Reason", "It is told in the thread and kept."),
        ],
        submit="Reject",
        private_metadata=meta,
    )


def stop_form(scopes: Sequence[str]) -> View:
    """What to stop, and why; everything for the first reason takes no more than a tap."""
    what = [(_scope(scope), scope) for scope in scopes]
    why = [(words, key) for key, words in ids.STOP_REASONS.items()]
    hint = "Instead of the reason above; leave it empty if that says it."
    own = short_field(ids.REASON_BLOCK, ids.REASON, "In your own words", hint)
    parts: list[Block | None] = [
        section(
            "Nothing new starts from then on. What already runs goes on to its end. "
            "An admin lifts it, two where two are named."
        ),
        choice_field(ids.SCOPE_BLOCK, ids.SCOPE, "Stop what", what),
        choice_field(ids.WHY_BLOCK, ids.WHY, "Why", why),
        {**own, "optional": True, "element": {**own["element"], "max_length": 200}},
    ]
    return modal(ids.STOP_VIEW, "Stop", parts, submit="Stop now")


def _scope(scope: str) -> str:
    kind, _, name = scope.partition(":")
    return f"{kind} {name}" if name else "Everything"


def hand_over_form(meta: str) -> View:
    """Who shall decide instead."""
    hint = "They are asked at once, and you can't decide it any more."
    return modal(
        ids.HAND_OVER_VIEW,
        "Hand over",
        [
            section(
                "Whoever you choose sits in your seat. The time goes on; half of it is left at least."
            ),
            person_field(ids.TO_BLOCK, ids.TO, "Hand over to", hint),
        ],
        submit="Hand over",
        private_metadata=meta,
    )
