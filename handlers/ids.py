"""Every name that Slack hands back to us, and what a button carries. Nothing else may invent one."""

import json
from dataclasses import dataclass
from typing import Final

#: buttons and menus
APPROVE: Final = "dw.approve"
APPROVE_WITH: Final = "dw.approve_with"
REJECT: Final = "dw.reject"
REJECT_WITH: Final = "dw.reject_with"
APPROVE_ALL: Final = "dw.approve_all"
REJECT_ALL: Final = "dw.reject_all"
LOOK_AT: Final = "dw.look_at"
ASK: Final = "dw.ask"
WHO: Final = "dw.who"
HAND_OVER: Final = "dw.hand_over"
REVOKE: Final = "dw.revoke"
DONE: Final = "dw.done"
LINK: Final = "dw.link"
RECEIPT_JSON: Final = "dw.receipt_json"
REFRESH: Final = "dw.refresh"
LEVEL: Final = "dw.level"
STOP: Final = "dw.stop"
ACTIONS: Final = (
    APPROVE,
    APPROVE_WITH,
    REJECT,
    REJECT_WITH,
    APPROVE_ALL,
    REJECT_ALL,
    LOOK_AT,
    ASK,
    WHO,
    HAND_OVER,
    REVOKE,
    DONE,
    LINK,
    RECEIPT_JSON,
    REFRESH,
    LEVEL,
    STOP,
)

#: forms
ASK_VIEW: Final = "dw.ask_view"
APPROVE_VIEW: Final = "dw.approve_view"
REJECT_VIEW: Final = "dw.reject_view"
HAND_OVER_VIEW: Final = "dw.hand_over_view"
STOP_VIEW: Final = "dw.stop_view"
VIEWS: Final = (ASK_VIEW, APPROVE_VIEW, REJECT_VIEW, HAND_OVER_VIEW, STOP_VIEW)
QUESTION_BLOCK: Final = "dw.question"
QUESTION: Final = "dw.question_text"
REASON_BLOCK: Final = "dw.reason"
REASON: Final = "dw.reason_text"
CODE_BLOCK: Final = "dw.code"
CODE: Final = "dw.code_text"
TO_BLOCK: Final = "dw.to"
TO: Final = "dw.to_person"
SCOPE_BLOCK: Final = "dw.scope"
SCOPE: Final = "dw.scope_choice"
WHY_BLOCK: Final = "dw.why"
WHY: Final = "dw.why_choice"
FIELDS: Final = (
    *(QUESTION_BLOCK, QUESTION),
    *(REASON_BLOCK, REASON),
    *(CODE_BLOCK, CODE),
    *(TO_BLOCK, TO),
    *(SCOPE_BLOCK, SCOPE),
    *(WHY_BLOCK, WHY),
)

#: modals that only show something
SHOWN_VIEW: Final = "dw.shown"

#: shortcuts and the command
SHOW_OPEN: Final = "dw.show_open"
STOP_ALL: Final = "dw.stop_all"
STOP_HERE: Final = "dw.stop_here"
SHORTCUTS: Final = (SHOW_OPEN, STOP_ALL, STOP_HERE)
COMMAND: Final = "/dw"

#: what a message of ours says about itself, so that it can be found again
COPY_EVENT: Final = "dw_copy"
REPLY_EVENT: Final = "dw_reply"

#: reasons offered beside Reject
REASONS: Final = {
    "wrong_cause": "the cause is wrong",
    "not_now": "not now",
    "by_hand": "it will be done by hand",
}

#: reasons offered with a stop
STOP_REASONS: Final = {
    "looks_wrong": "something looks wrong",
    "wrong_data": "wrong data is going out",
    "maintenance": "maintenance",
    "drill": "a drill",
}

#: the choice behind which a form asks for the reason
OTHER: Final = "other"

_OPTION_MAX: Final = 150
_PARTS: Final = 5


class UnreadableTag(ValueError):
    """This button is not one of ours, or from a version that wrote them differently. Nothing was done."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tag:
    """What a button says: which incident and request, the digest on the screen, a step, a reason."""

    incident: str
    request: str = ""
    digest: str = ""
    step: str = ""
    reason: str = ""

    def encode(self) -> str:
        """As a button value."""
        parts = [self.incident, self.request, self.digest, self.step, self.reason]
        while parts and not parts[-1]:
            parts.pop()
        return json.dumps(parts, separators=(",", ":"))

    @property
    def fits_option(self) -> bool:
        """True when it is short enough for a menu's option."""
        return len(self.encode()) <= _OPTION_MAX


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelTag:
    """What the button says that confirms the change of a level."""

    domain: str
    change_class: str
    level: str
    reason: str = ""

    def encode(self) -> str:
        """As a button value."""
        parts = [self.domain, self.change_class, self.level, self.reason]
        return json.dumps(parts, separators=(",", ":"))


def decode_level(value: str) -> LevelTag:
    """The same from a button value. Raises `UnreadableTag`."""
    domain, change_class, level, reason = _texts(value, 4, 4)
    return LevelTag(domain=domain, change_class=change_class, level=level, reason=reason)


def decode(value: str) -> Tag:
    """The tag of a button value. Raises `UnreadableTag`."""
    parts = _texts(value, 1, _PARTS)
    incident, request, digest, step, reason = [*parts, "", "", "", "", ""][:_PARTS]
    return Tag(incident=incident, request=request, digest=digest, step=step, reason=reason)


def _texts(value: str, least: int, most: int) -> list[str]:
    try:
        parts = json.loads(value)
    except ValueError as error:
        raise UnreadableTag(UnreadableTag.__doc__) from error
    if (
        not isinstance(parts, list)
        or not least <= len(parts) <= most
        or not all(map(_is_text, parts))
    ):
        raise UnreadableTag(UnreadableTag.__doc__)
    return parts


def opening(value: str, place: str) -> str:
    """What a form carries: the button's value, and where it was tapped."""
    return f"{value}\n{place}"


def opened(meta: str) -> tuple[Tag, str]:
    """Both again. Raises `UnreadableTag`."""
    value, _, place = meta.partition("\n")
    return decode(value), place


def _is_text(part: object) -> bool:
    return isinstance(part, str)
