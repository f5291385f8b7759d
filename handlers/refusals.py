"""What Slack's error codes mean for us: wait, say it more plainly, post it anew, or give up with words."""

from collections.abc import Mapping
from typing import Final

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.ports import RetryAfter, Undeliverable

#: anything a call can end with, besides an answer
TROUBLE: Final = (SlackClientError, aiohttp.ClientError, TimeoutError, OSError)

TOO_RICH: Final = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "invalid_attachments",
        "msg_too_long",
        "msg_blocks_too_long",
        "invalid_metadata_format",
        "invalid_metadata_schema",
        "metadata_too_large",
        "no_text",
    }
)
GONE: Final = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
_LATER: Final = {
    "ratelimited": 30.0,
    "rate_limited": 30.0,
    "message_limit_exceeded": 30.0,
    "internal_error": 5.0,
    "fatal_error": 5.0,
    "service_unavailable": 10.0,
    "request_timeout": 5.0,
    "team_added_to_org": 60.0,
}
#: asked again all the same, for somebody may mend it; but it won't pass by itself
_LASTING: Final = {
    "invalid_auth": 60.0,
    "not_authed": 60.0,
    "token_revoked": 60.0,
    "token_expired": 60.0,
    "account_inactive": 60.0,
    "missing_scope": 60.0,
}
_NEVER: Final = {
    "channel_not_found": "there is no such channel, or it is private and I am not in it: invite me",
    "not_in_channel": "I am not in this channel: invite me",
    "is_archived": "this channel is archived: name another one in dw.yml",
    "restricted_action": "the workspace does not let me post here",
    "restricted_action_read_only_channel": "this channel is read-only for me",
    "thread_not_found": "the thread is gone",
    "user_not_found": "this person is not in the workspace",
    "user_disabled": "this person's account is deactivated",
    "cannot_dm_bot": "bots get no direct messages",
}
#: a look-up that no waiting mends: whoever runs dw must install the app again
UNASKABLE: Final = frozenset({"missing_scope", "not_allowed_token_type", "no_permission"})
_SERVER_ERROR: Final = 500


def code(error: BaseException) -> str:
    """Slack's word for it; empty when Slack did not say one."""
    if not isinstance(error, SlackApiError):
        return ""
    data = getattr(error.response, "data", error.response)
    return str(data.get("error") or "") if isinstance(data, Mapping) else ""


def lost(error: BaseException) -> bool:
    """True when the call may have been carried out although no answer came."""
    if isinstance(error, SlackApiError):
        status = getattr(error.response, "status_code", 200)
        return status >= _SERVER_ERROR or code(error) in ("", "internal_error", "fatal_error")
    return True


def translated(error: BaseException, doing: str) -> RetryAfter | Undeliverable:
    """The same trouble in the words of the ports."""
    word = code(error)
    if word in _NEVER:
        return Undeliverable(f"{doing} is not possible: {_NEVER[word]} ({word})")
    if word in _LASTING:
        return RetryAfter(_LASTING[word], f"{doing}: Slack says {word}", lasting=True)
    if word in _LATER or lost(error):
        seconds = _retry_after(error) or _LATER.get(word, 5.0)
        says = f"{doing}: Slack says {word or type(error).__name__}"
        return RetryAfter(seconds, says, tried=lost(error))
    return Undeliverable(f"{doing} is not possible: Slack refused it ({word})")


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    text = next((str(v) for k, v in headers.items() if k.lower() == "retry-after"), "")
    return float(text) if text.isdecimal() else None
