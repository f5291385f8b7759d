"""What can go wrong with the world outside, drawn once.

    ConnectorError
    ├── Transient            worth trying again
    │   ├── Unreachable      no connection could be made; nothing was sent
    │   ├── TooSlow          it did not answer in time; for a write the outcome is unknown
    │   │   └── TooMany      more fits than is read in one go
    │   ├── Throttled        it asks to wait (`retry_after` seconds)
    │   └── Broken           it answered with a fault of its own (5xx)
    └── Final                trying again changes nothing
        ├── Forbidden        the credential is missing, wrong or too weak; or the server is read-only
        ├── NotFound         no such job, run or asset, or nothing at its address
        │   └── NoSuch       the system itself says so
        ├── Malformed        an answer that can't be understood
        └── Rejected         it understood and refused: the configuration is not valid

The docstring of a class is its default message.
"""


class ConnectorError(RuntimeError):
    """The other system could not be used."""

    def __init__(self, message: str = "", *, connection: str = "") -> None:
        self.connection = connection
        text = message or (type(self).__doc__ or "").strip()
        super().__init__(f"{connection}: {text}" if connection else text)


class Transient(ConnectorError):
    """The other system could not be used just now."""


class Unreachable(Transient):
    """No connection could be made. Nothing was sent."""


class TooSlow(Transient):
    """It did not answer in time, so its outcome is unknown: a start is looked up, a question asked again."""


class TooMany(TooSlow):
    """More fits than is read in one go. Nothing was left out silently; ask for a shorter time."""


class Throttled(Transient):
    """It asks to wait."""

    def __init__(self, message: str = "", *, connection: str = "", retry_after: float = 1) -> None:
        self.retry_after = retry_after
        super().__init__(message, connection=connection)


class Broken(Transient):
    """It answered with a fault of its own."""


class Final(ConnectorError):
    """Trying again changes nothing."""


class Forbidden(Final):
    """It refused the credential. Nothing was done. Check the token and what it may do."""


class NotFound(Final):
    """It does not know this name. Nothing was done. Check the name in dw.yml."""


class NoSuch(NotFound):
    """It has no such thing, by its own word. Nothing was done. Check the name in dw.yml."""


class Malformed(Final):
    """It gave an answer that can't be understood. Nothing is assumed from it. Check its address and version."""


class Rejected(Final):
    """It understood and refused. Nothing was started."""
