"""What may become of a delivery, in one table: its HTTP status, and what its sender can do about it."""

from enum import Enum


class Outcome(Enum):
    """Word, HTTP status, and what to do. The word stands in the answer, in `/metrics` and in `dw doctor`."""

    ACCEPTED = ("accepted", 200, "")
    REPLAYED = ("replayed", 200, "")
    IGNORED = ("ignored", 200, "")
    UNKNOWN = ("unknown", 404, "name it under webhooks in dw.yml, or mend the address")
    WRONG_METHOD = ("wrong_method", 405, "send it with POST")
    SLOW = ("slow", 408, "send it again, faster")
    OVERSIZED = ("oversized", 413, "send less: details belong behind the link")
    ENCODED = ("encoded", 415, "send it uncompressed")
    UNSIGNED = ("unsigned", 401, "give the sender the secret, as docs/webhooks.md says")
    FORGED = ("forged", 401, "compare the sender's secret with DW_HOOK_<NAME>_SECRET")
    STALE = ("stale", 401, "set the sender's clock, and sign each delivery when it is sent")
    MALFORMED = ("malformed", 400, "send what docs/webhooks.md shows for this kind")
    UNSTORED = ("unstored", 503, "send it again later")

    def __init__(self, word: str, status: int, do: str) -> None:
        self.word, self.status, self.do = word, status, do


class Refused(Exception):
    """A delivery is not taken; nothing of it was stored. `says` holds nothing that the sender chose."""

    def __init__(self, outcome: Outcome, says: str) -> None:
        self.outcome, self.says = outcome, says
        super().__init__(says)
