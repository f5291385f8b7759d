"""Pure: domain in, Block Kit out. Total over phases, escaped, within Slack's limits by construction."""

from handlers.blocks import Message
from handlers.views.answering import (
    approvals,
    explain,
    help_text,
    incident_list,
    receipt_list,
    status,
    unknown,
)
from handlers.views.autonomy import (
    autonomy,
    confirm_level,
    level_changed,
    level_kept,
    level_receipt,
)
from handlers.views.card import card
from handlers.views.forms import approve_form, ask_form, hand_over_form, reject_form, stop_form
from handlers.views.journal import SAYS, reply
from handlers.views.notes import note
from handlers.views.receipt import receipt, receipt_json
from handlers.views.request import request, request_blocks
from handlers.views.standing import back, gone, nobody_owns, not_gone, who_can, who_may
from handlers.views.tab import home_tab
from handlers.views.together import look, more, together
from handlers.views.trouble import (
    ELSEWHERE,
    OLD_BUTTON,
    UNKNOWN_COMMAND,
    UNREADABLE,
    broken,
    lifted,
    not_stopped,
    nothing_shown,
    nothing_stored,
    shown,
    stopped,
    stored,
    stranger,
    too_slow,
)

__all__ = [
    "ELSEWHERE",
    "OLD_BUTTON",
    "SAYS",
    "UNKNOWN_COMMAND",
    "UNREADABLE",
    "Message",
    "approvals",
    "approve_form",
    "ask_form",
    "autonomy",
    "back",
    "broken",
    "card",
    "confirm_level",
    "explain",
    "gone",
    "hand_over_form",
    "help_text",
    "home_tab",
    "incident_list",
    "level_changed",
    "level_kept",
    "level_receipt",
    "lifted",
    "look",
    "more",
    "nobody_owns",
    "not_gone",
    "not_stopped",
    "note",
    "nothing_shown",
    "nothing_stored",
    "receipt",
    "receipt_json",
    "receipt_list",
    "reject_form",
    "reply",
    "request",
    "request_blocks",
    "shown",
    "status",
    "stop_form",
    "stopped",
    "stored",
    "stranger",
    "together",
    "too_slow",
    "unknown",
    "who_can",
    "who_may",
]
