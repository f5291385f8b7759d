"""What one connection needs besides dw.yml."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Secrets:
    """What one connection needs besides dw.yml. Never shown: not in `repr`, not in errors."""

    token: str | None = field(default=None, repr=False)
    act_token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)


NO_SECRETS = Secrets()
