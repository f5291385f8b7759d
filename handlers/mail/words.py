"""What a page says when it does not go on: what happened, what did not, what to do now."""

from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

QUIET: Final = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
FORGED: Final = (
    "This link is not one of ours, or it was changed on the way. Nothing was decided. "
    "Open the link in the email itself, or decide in Slack."
)
FOREIGN: Final = (
    "This link belongs to somebody else than you are logged in as. Nothing was decided. "
    "If you were asked too, use the link in your own email, or decide in Slack."
)
ELSEWHERE: Final = (
    "This answer was sent from another site. It did not count and nothing was decided. "
    "Open the link in the email and answer on the page itself."
)
NOT_OURS: Final = (
    "This answer was not sent by the page as it was shown to you, or that was more than an hour ago. "
    "It did not count and nothing was decided. Open the link once more and answer there."
)
GONE: Final = (
    "One of these requests is not known any more. Nothing changed. Look for them in Slack."
)
CHANGED: Final = (
    "What this link listed is not what would run any more, so it can't be decided here. Nothing changed. "
    "Look for the newer request."
)
LIST_CHANGED: Final = (
    "The list is not the one you saw any more, so your answer did not count. Nothing was decided. "
    "Look at it as it is now, and answer again."
)
ONE_BY_ONE: Final = "A yes to these needs a code of your authenticator, one for each. Decide them one by one. Nothing was decided yet."
USED: Final = (
    "This link, or the code you typed, was used already, and each counts once. This answer did not count. "
    "Open the link once more to see what became of the first one."
)
LOG_IN_AGAIN: Final = (
    "Your login has run out. Your answer did not count and nothing was decided. "
    "Open the link once more and log in."
)
NO_LOGIN: Final = "Nobody logs in here. Nothing was decided. Open the link in the email."
UNAVAILABLE: Final = "I can't reach what I need to know just now. Nothing was decided. Try again in a minute, or decide in Slack."
CHOOSE: Final = "Choose Approve or Reject. Nothing was decided yet."
REASON: Final = "A yes to this one needs a reason. Nothing was decided yet."


def failed(failure: Exception) -> str:
    """A login that came to nothing."""
    return f"{failure}. Nothing was decided. Open the link once more, or decide in Slack."
