"""The one way the workspace says no.

`SlackError` carries the code Slack would answer (`channel_not_found`) and whatever Slack puts beside it; the Web API turns it into
`{"ok": false, "error": code}` and the person API adds a sentence for whoever clicked.
"""

from typing import Any

Json = dict[str, Any]


class SlackError(Exception):
    """The workspace refuses; `code` is Slack's word for it, `details` go into the answer beside it."""

    def __init__(self, code: str, message: str = "", **details: Any) -> None:
        """Refuse with `code`; `message` is for a person."""
        super().__init__(message or code)
        self.code = code
        self.message = message or code.replace("_", " ")
        self.details = details

    def body(self) -> Json:
        """The Web API answer."""
        return {"ok": False, "error": self.code, **self.details}


class TooFast(SlackError):
    """The caller must wait `retry_after` seconds; answered as HTTP 429."""

    def __init__(self, retry_after: int) -> None:
        """Say how long to wait."""
        super().__init__("ratelimited")
        self.retry_after = retry_after
