"""What the use cases must expect of the world."""


class StaleIncident(RuntimeError):
    """Somebody else changed this incident first. Nothing was stored; load it again and look."""


class StoreUnavailable(RuntimeError):
    """The database could not be read or written. Nothing was stored; whatever needs a yes waits."""


class Unstorable(StoreUnavailable):
    """The database is there but can't hold this value. Nothing of it was stored, and waiting won't mend it."""


class RetryAfter(RuntimeError):
    """The other side asks to wait `seconds`. Nothing is lost; it will be tried again then.

    `lasting`: it won't pass by itself (a revoked token, a missing scope), so what can't wait for ever is
    given up after a few tries.
    """

    def __init__(self, seconds: float, why: str, *, lasting: bool = False) -> None:
        self.seconds, self.lasting = seconds, lasting
        super().__init__(f"{why}; trying again in {seconds:g} s")


class Undeliverable(RuntimeError):
    """The other side refused this for good. The incident says so; nothing else was lost."""
