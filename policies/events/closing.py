"""How the numbers were measured, and how it ended."""

from dataclasses import dataclass

from policies.checks import CheckResult


@dataclass(frozen=True, kw_only=True, slots=True)
class VerificationStarted:
    """Every step that holds the receipt is done; the numbers are measured again."""

    step_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChecksRun:
    """Measurements, before or after."""

    results: tuple[CheckResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptIssued:
    """The closing record was written: its number and hash."""

    number: int
    hash: str


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentResolved:
    """The numbers are right again, and there is a receipt."""

    receipt: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HandedOver:
    """The bot can't go on; a person takes it from here. `to` names who, `why` says what is known."""

    to: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """It ended by itself before anybody did anything, such as a late run that came after all."""

    why: str
    url: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reopened:
    """It was handed over without a plan, and now it is known where it began."""

    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Dismissed:
    """A person said this is no trouble."""

    by: str
    reason: str
