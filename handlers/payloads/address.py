"""Where a private answer to a tap goes: Slack's response_url first, else a message only they see, there or directly.

Travels through the desk as one opaque word (`Decide.respond_to`), so the place rides in its fragment.
"""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """The way back to one person. Empty fields are unknown."""

    url: str = ""
    channel: str = ""
    user: str = ""
    thread_ts: str = ""

    def encode(self) -> str | None:
        """As one word; None when there is no way back at all."""
        place = {"channel": self.channel, "user": self.user, "thread_ts": self.thread_ts}
        known = {key: value for key, value in place.items() if value}
        if not self.url and not self.user:
            return None
        return f"{self.url}#{urlencode(known)}"


def decode(word: str) -> Address:
    """The address of such a word."""
    url, _, place = word.partition("#")
    known = {key: values[0] for key, values in parse_qs(place).items()}
    return Address(
        url=url,
        channel=known.get("channel", ""),
        user=known.get("user", ""),
        thread_ts=known.get("thread_ts", ""),
    )
