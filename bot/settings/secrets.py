"""Secrets of connections: from `DW_<NAME>_TOKEN` and its like, or from the file `…_FILE` names.

Reading and acting use two credentials, so that a leak of one is not a leak of both.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from bot.settings.errors import ConfigError
from policies.webhooks import secret_of

_AUTHENTICATOR = "DW_TOTP_"
_HOOK = "DW_HOOK_"
_BASE32 = re.compile(r"^[A-Z2-7]{16,}=*$")
KINDS = ("token", "act_token", "password")
SHORTEST = 4
"""A shorter secret could not be masked in a log without masking half of the words in it."""
SHORTEST_OF_A_HOOK = 16
"""Anybody may try at a webhook as often as they like."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Secrets:
    """What one connection may use. `token` and `password` read; `act_token` changes."""

    token: SecretStr | None = None
    act_token: SecretStr | None = None
    password: SecretStr | None = None

    def bare(self) -> dict[str, str | None]:
        """The values out of their wrapping, for the connector that uses them."""
        held = {kind: getattr(self, kind) for kind in KINDS}
        return {
            kind: secret.get_secret_value() if secret else None for kind, secret in held.items()
        }


def stem(connection: str) -> str:
    """`app-primary` → `DW_APP_PRIMARY`: what its variables begin with."""
    return "DW_" + connection.upper().replace("-", "_")


def variables(connection: str) -> tuple[str, ...]:
    """The variables this connection's secrets are read from."""
    return tuple(f"{stem(connection)}_{kind.upper()}" for kind in KINDS)


def lookup(environment: Mapping[str, str], name: str) -> str | None:
    """The value of a secret: from the variable, or from the file that `NAME_FILE` names.

    White space around it is no part of it. Raises `ConfigError`; what it says never holds the value.
    """
    value, file = environment.get(name), environment.get(f"{name}_FILE")
    if value and file:
        raise ConfigError(f"{name}: both it and {name}_FILE are set → unset one of them")
    if file:
        value = _read(Path(file), name)
    value = value.strip() if value else None
    if value and len(value) < SHORTEST:
        raise ConfigError(
            f"{name}: shorter than {SHORTEST} characters, so it could not be kept out of the log"
            " → use a longer secret"
        )
    return value or None


def connection_secrets(environment: Mapping[str, str], connection: str) -> Secrets:
    """All that the environment holds for one connection. Raises `ConfigError` with every problem."""
    found: dict[str, SecretStr | None] = {}
    wrong: list[str] = []
    for kind, name in zip(KINDS, variables(connection), strict=True):
        try:
            value = lookup(environment, name)
        except ConfigError as error:
            wrong += error.lines
        else:
            found[kind] = SecretStr(value) if value else None
    if wrong:
        raise ConfigError(*wrong)
    return Secrets(**found)


def hook_secrets(environment: Mapping[str, str], hooks: Iterable[str]) -> dict[str, SecretStr]:
    """The secret of each webhook of dw.yml, by its name. Raises `ConfigError` with every one that lacks."""
    found: dict[str, SecretStr] = {}
    wrong: list[str] = []
    for hook in hooks:
        name = secret_of(hook)
        try:
            value = lookup(environment, name)
        except ConfigError as error:
            wrong += error.lines
            continue
        if value is None or len(value) < SHORTEST_OF_A_HOOK:
            wrong.append(_no_secret(hook, name, value))
        else:
            found[hook] = SecretStr(value)
    if wrong:
        raise ConfigError(*wrong)
    return found


def _no_secret(hook: str, name: str, value: str | None) -> str:
    if value is None:
        return (
            f"{name}: is not set, and without it anybody could send to webhook {hook}"
            f" → set it, or {name}_FILE, or take the webhook out of dw.yml"
        )
    return f"{name}: shorter than {SHORTEST_OF_A_HOOK} characters → use a longer secret"


def authenticators(environment: Mapping[str, str]) -> dict[str, SecretStr]:
    """The secret of each person's authenticator, by Slack id. Raises `ConfigError`."""
    names = {name.removesuffix("_FILE") for name in environment}
    found: dict[str, SecretStr] = {}
    for name in sorted(filter(authenticator, names)):
        value = lookup(environment, name)
        if value is not None and not _BASE32.match(value.upper()):
            raise ConfigError(
                f"{name}: is no secret of an authenticator → write it as the app shows it, in base 32"
            )
        if value is not None:
            found[name.removeprefix(_AUTHENTICATOR)] = SecretStr(value)
    return found


def authenticator(variable: str) -> bool:
    """True for `DW_TOTP_<Slack id>`."""
    return variable.startswith(_AUTHENTICATOR)


def ending(variable: str) -> bool:
    """True when a variable is named like a secret of some connection or webhook, known or not."""
    of_a_hook = variable.startswith(_HOOK) and variable.endswith("_SECRET")
    return of_a_hook or variable.endswith(tuple(f"_{kind.upper()}" for kind in KINDS))


def _read(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise ConfigError(
            f"{name}_FILE: {path} could not be read ({why}) → name a file that holds only the secret"
        ) from error
