"""What each room can say of its own health, for `dw doctor` and `/readyz`."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that was looked at. `ok`: True is well, None wants a look, False is broken.

    `says` gives the reason, and what to do when it is not well. Never a secret.
    """

    name: str
    ok: bool | None
    says: str


Producer: TypeAlias = Callable[[], Awaitable[Sequence[Finding]]]
"""Looks at one part of the house; each room provides its own."""


class Health(Protocol):
    """Whether this process can do its work now."""

    async def ready(self) -> Sequence[Finding]:
        """Database, Slack and worker; anything with `ok=False` means: send no work here."""
        ...
