"""What the use cases must expect of the world."""


class StaleIncident(RuntimeError):
    """Somebody else changed this incident first. Nothing was stored; load it again and look."""


class ClaimLost(StaleIncident):
    """The lease ran out and somebody else works on this. Nothing was stored, and nothing may be sent."""


class StoreUnavailable(RuntimeError):
    """The database could not be read or written. Nothing was stored; whatever needs a yes waits."""


class Unstorable(StoreUnavailable):
    """The database is there but can't hold this value. Nothing of it was stored, and waiting won't mend it."""


class RetryAfter(RuntimeError):
    """The other side asks to wait `seconds`. Nothing is lost; it will be tried again then.

    `tried`: it may have been done although no answer came, so whoever is next must look first. `lasting`: it
    won't pass by itself (a revoked token, a missing scope), so what can't wait for ever is given up after a few
    tries.
    """

    def __init__(
        self, seconds: float, why: str, *, tried: bool = False, lasting: bool = False
    ) -> None:
        self.seconds, self.tried, self.lasting = seconds, tried, lasting
        super().__init__(f"{why}; trying again in {seconds:g} s")


class Undeliverable(RuntimeError):
    """The other side refused this for good. The incident says so; nothing else was lost."""
