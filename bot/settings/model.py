"""Settings: the environment's `DW_…` variables, read once."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from pydantic import (
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.settings.errors import ConfigError
from bot.settings.secrets import (
    SHORTEST,
    Secrets,
    authenticator,
    authenticators,
    connection_secrets,
    ending,
    hook_secrets,
    lookup,
    variables,
)
from bot.settings.wording import did_you_mean, reworded
from policies.rules import Rules
from policies.webhooks import secret_of

PREFIX = "DW_"
DATABASES = ("sqlite+aiosqlite://", "postgresql+asyncpg://")
SECRET_FIELDS = (
    "slack_bot_token",
    "slack_app_token",
    "slack_signing_secret",
    "database_url",
    "link_key",
    "smtp_password",
    "oidc_secret",
)
SHORTEST_KEY = 32
NEEDS = (
    ("any", "slack_bot_token", "it speaks with this token"),
    ("socket", "slack_app_token", "DW_SLACK_MODE=socket opens its socket with it"),
    ("http", "slack_signing_secret", "DW_SLACK_MODE=http knows by it what Slack sent"),
)


class Settings(BaseSettings):
    """What differs from one installation to the next. Secrets hide in every repr, log and error."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True
    )

    slack_bot_token: SecretStr | None = Field(None, description="the bot's token, `xoxb-…`")
    slack_app_token: SecretStr | None = Field(
        None, description="the app-level token, `xapp-…`, for `DW_SLACK_MODE=socket`"
    )
    slack_signing_secret: SecretStr | None = Field(
        None, description="proves that a request is Slack's, for `DW_SLACK_MODE=http`"
    )
    slack_base_url: str = Field("https://slack.com/api/", description="where Slack's Web API is")
    slack_mode: Literal["socket", "http"] = Field(
        "socket", description="how Slack reaches `dw`: a socket it opens itself, or `/slack/events`"
    )
    database_url: SecretStr = Field(
        SecretStr("sqlite+aiosqlite:///dw.db"),
        description="`sqlite+aiosqlite:///…` (one process) or `postgresql+asyncpg://…` (any number)",
    )
    link_key: SecretStr | None = Field(
        None, description="signs the links in emails; 32 characters at least, any text"
    )
    smtp_password: SecretStr | None = Field(
        None, description="the password of `mail.user` at the SMTP server"
    )
    oidc_secret: SecretStr | None = Field(
        None, description="the client's secret at the OpenID provider, where it has one"
    )
    config: Path = Field(Path("dw.yml"), description="the rules of the team")
    host: str = Field("127.0.0.1", description="where health, metrics and `/slack/events` listen")
    port: int = Field(8080, ge=0, le=65535, description="the same; 0 takes a free one")
    log: Literal["json", "console"] = Field(
        "json", description="one JSON object a line, or for eyes"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="the least that is logged"
    )
    anchor: Path | None = Field(
        None, description="file outside the database that the head of the receipts is appended to"
    )
    data: Path = Field(
        Path("dw-data"),
        description="folder for copies that can be made again, such as histories of repositories",
    )
    acting: bool = Field(
        default=True, description="`off` builds nothing that could change another system"
    )

    follow_seconds: float = Field(
        5, gt=0, description="how often a run that was started is looked at"
    )
    watch_seconds: float = Field(
        10, gt=0, description="how often a run that a person was asked to start is looked for"
    )

    _environment: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @field_validator("slack_bot_token", "slack_app_token")
    @classmethod
    def _right_token(cls, token: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        begins = "xoxb-" if info.field_name == "slack_bot_token" else "xapp-"
        if token is not None and not token.get_secret_value().startswith(begins):
            msg = f"this token does not begin with {begins} → take the right one from the Slack app"
            raise ValueError(msg)
        return token

    @field_validator("slack_base_url")
    @classmethod
    def _an_address(cls, url: str) -> str:
        if not url.startswith(("https://", "http://")):
            msg = "is no address → write https://slack.com/api/"
            raise ValueError(msg)
        return url if url.endswith("/") else url + "/"

    @field_validator("link_key")
    @classmethod
    def _a_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and len(key.get_secret_value()) < SHORTEST_KEY:
            msg = f"could be guessed → {SHORTEST_KEY} characters at least, `openssl rand -hex 32`"
            raise ValueError(msg)
        return key

    @field_validator("database_url")
    @classmethod
    def _a_database(cls, url: SecretStr) -> SecretStr:
        if not url.get_secret_value().startswith(DATABASES):
            msg = "no such database → write " + "… or ".join(DATABASES) + "…"
            raise ValueError(msg)
        return url

    def secrets_for(self, connection: str) -> Secrets:
        """The secrets of one connection of dw.yml. Raises `ConfigError`."""
        return connection_secrets(self._environment, connection)

    def authenticators(self) -> dict[str, SecretStr]:
        """The secret of each person's authenticator, by Slack id. Raises `ConfigError`."""
        return authenticators(self._environment)

    def hook_secrets(self, hooks: Iterable[str]) -> dict[str, SecretStr]:
        """The secret of each webhook of dw.yml. Raises `ConfigError`: without one, none is let in."""
        return hook_secrets(self._environment, hooks)

    def missing(self) -> tuple[str, ...]:
        """What `dw run` can't do without and is not set, each as a sentence."""
        needs = {field: why for mode, field, why in NEEDS if mode in ("any", self.slack_mode)}
        return tuple(
            f"{variable(field)}: is not set, and {why} → set it, or {variable(field)}_FILE"
            for field, why in needs.items()
            if getattr(self, field) is None
        )

    def lacking(self, rules: Rules) -> tuple[str, ...]:
        """What dw.yml needs of the environment for emails and logins and is not set, each as a sentence."""
        needs = {
            "link_key": (rules.mail or rules.oidc) and "signs the links that people are sent",
            "smtp_password": rules.mail and rules.mail.user and "is the password of mail.user",
        }
        return tuple(
            f"{variable(field)}: is not set, and {why} → set it, or {variable(field)}_FILE"
            for field, why in needs.items()
            if why and getattr(self, field) is None
        )

    def secret_values(self) -> tuple[str, ...]:
        """Every secret there is, bare, for masking. Nothing else may ask for this."""
        own = [getattr(self, field) for field in SECRET_FIELDS if field != "database_url"]
        known = [secret.get_secret_value() for secret in own if secret is not None]
        names = {name.removesuffix("_FILE") for name in self._environment}
        known += [
            self._quietly(name) for name in sorted(names) if ending(name) or authenticator(name)
        ]
        password = urlsplit(self.database_url.get_secret_value()).password or ""
        known += [password, unquote(password)]
        return tuple(dict.fromkeys(value for value in known if len(value) >= SHORTEST))

    def strangers(self, connections: Iterable[str], hooks: Iterable[str] = ()) -> tuple[str, ...]:
        """`DW_` variables that nothing reads, each as a sentence: most are misspelt."""
        secret = {variable(field) for field in SECRET_FIELDS}.union(*map(variables, connections))
        secret |= {secret_of(hook) for hook in hooks}
        plain = {variable(field) for field in type(self).model_fields}
        known = plain | secret | {f"{name}_FILE" for name in secret}
        return tuple(
            f"{name} is set, but nothing reads it" + did_you_mean(name, known, before=" → ")
            for name in sorted(self._environment.keys() - known)
            if not authenticator(name.removesuffix("_FILE"))
        )

    def _quietly(self, name: str) -> str:
        try:
            return lookup(self._environment, name) or ""
        except ConfigError:
            return self._environment.get(name, "")


def load_settings() -> Settings:
    """The settings, or a `ConfigError` that names every wrong variable and shows no secret."""
    here = os.environ  # noqa: TID251 - read once, here
    ours = {name.upper(): value for name, value in here.items() if name.upper().startswith(PREFIX)}
    secrets, wrong = _secrets(ours)
    try:
        settings = Settings(**secrets)
    except ValidationError as error:
        wrong += [_line(detail) for detail in error.errors(include_url=False)]
    else:
        settings._environment = ours  # noqa: SLF001 - only its maker may give it
        if not wrong:
            return settings
    raise ConfigError(*sorted(wrong))  # not from the cause: that one shows what was typed


def variable(field: str) -> str:
    """`slack_mode` → `DW_SLACK_MODE`."""
    return PREFIX + field.upper()


def _secrets(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    found: dict[str, Any] = {}
    wrong: list[str] = []
    for field in SECRET_FIELDS:
        try:
            value = lookup(environment, variable(field))
        except ConfigError as error:
            wrong += error.lines
        else:
            found |= {field: SecretStr(value)} if value else {}
    return found, wrong


def _line(detail: ErrorDetails) -> str:
    what, instead = reworded(detail)
    return f"{variable(str(detail['loc'][0]))}: {what} → {instead}"
