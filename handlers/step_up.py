"""A second proof that it is really them: a code of the person's authenticator app, checked and forgotten."""

import hmac
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import pyotp

from bot.clock import Clock

KIND: Final = "totp"
_TRIES: Final = 5
_WINDOW: Final = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """A right code. `key` is its own identity: the same code twice is the same proof."""

    key: str


class StepUp:
    """Knows one secret a person, by Slack id. Too many wrong codes and it listens no more for a while."""

    def __init__(self, secrets: Mapping[str, str], clock: Clock) -> None:
        self._secrets, self._clock = dict(secrets), clock
        self._wrong: dict[str, deque[datetime]] = defaultdict(lambda: deque(maxlen=_TRIES))

    def knows(self, person: str) -> bool:
        """True when this person has an authenticator here."""
        return person in self._secrets

    def check(self, person: str, code: str) -> Proof | str:
        """The proof, or why there is none. A code is good in its half minute, and in the ones beside it."""
        now = self._clock.now()
        if person not in self._secrets:
            return "No authenticator is set up for you here: tell whoever runs me"
        wrong = self._wrong[person]
        if len(wrong) == _TRIES and now - wrong[0] < _WINDOW:
            return "Too many wrong codes. Wait five minutes"
        totp = pyotp.TOTP(self._secrets[person])
        typed = "".join(code.split())
        for count in (totp.timecode(now) + offset for offset in (0, -1, 1)):
            if hmac.compare_digest(totp.generate_otp(count).encode(), typed.encode()):
                return Proof(key=f"{KIND}:{person}:{count}")
        wrong.append(now)
        return "This is not the code of this minute. Look again, and check your phone's clock"
