"""Builds the Bolt app and its clients so that nothing is acknowledged before it is stored.

Three defaults of the libraries are changed on purpose: Bolt asks Slack who it is with the first event
(and loses that event when the answer is an error), so it is told; the web client repeats calls on
connection errors (and so posts twice), so it may not; its own filter for our own messages is left to
`payloads.own`, which knows all of their shapes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

import structlog
from aiohttp import ClientSession, ClientTimeout, web
from pydantic import SecretStr
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from handlers import refusals
from handlers.payloads.own import Identity

REFUSED = (
    "Refused: Slack did not sign this, or signed it more than five minutes ago. "
    "Nothing was stored, nothing was decided and nothing ran."
)
_log = structlog.get_logger(__name__)
_UNSIGNED = 401
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class SlackRefused(RuntimeError):
    """Slack does not take these tokens. Nothing was started; the message says which and why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """Where Slack is and what opens it. `base_url` ends in `/api`."""

    base_url: str
    bot_token: str
    app_token: str | None = None
    signing_secret: str | None = None

    @property
    def loopback(self) -> bool:
        """True for a workspace on this machine: no proxy on the way."""
        return urlsplit(self.base_url).hostname in _LOOPBACK


class SlackSettings(Protocol):
    """The settings that are about Slack, as `bot.settings` has them."""

    @property
    def slack_base_url(self) -> str:
        """Where Slack's Web API is."""
        ...

    @property
    def slack_bot_token(self) -> SecretStr | None:
        """The bot's token."""
        ...

    @property
    def slack_app_token(self) -> SecretStr | None:
        """The app-level token, for sockets."""
        ...

    @property
    def slack_signing_secret(self) -> SecretStr | None:
        """The signing secret, for HTTP."""
        ...


def access_of(settings: SlackSettings) -> Access:
    """What opens Slack, out of the settings."""
    bot, socket, signing = (
        secret.get_secret_value() if secret else None
        for secret in (
            settings.slack_bot_token,
            settings.slack_app_token,
            settings.slack_signing_secret,
        )
    )
    return Access(
        base_url=settings.slack_base_url,
        bot_token=bot or "",
        app_token=socket,
        signing_secret=signing,
    )


def open_session(access: Access) -> ClientSession:
    """One session for all calls; the caller closes it. Needs a running loop."""
    limits = ClientTimeout(total=10, connect=4)
    return ClientSession(timeout=limits, trust_env=not access.loopback)


def web_client(access: Access, session: ClientSession, *, token: bool = True) -> AsyncWebClient:
    """A client that never repeats a call by itself; without `token` for Bolt, which sets its own."""
    client = AsyncWebClient(
        token=access.bot_token if token else None,
        base_url=access.base_url,
        session=session,
        retry_handlers=[],
    )
    client.proxy = None
    return client


async def identify(client: AsyncWebClient) -> Identity:
    """Who we are. Raises `SlackRefused` with what to do about it."""
    try:
        answer = await client.auth_test()
        app = await _app_id(client, answer["bot_id"])
    except refusals.TROUBLE as error:
        word = refusals.code(error) or type(error).__name__
        raise SlackRefused(f"Slack does not take the bot token ({word}). {_HELP_BOT}") from error
    if not answer["bot_id"]:
        raise SlackRefused(f"This token belongs to a person, not to a bot. {_HELP_BOT}")
    return Identity(
        team=answer["team_id"],
        user=answer["user_id"],
        bot=answer["bot_id"],
        app=app,
        enterprise=answer.get("enterprise_id"),
        scopes=_scopes(answer.headers),
        url=str(answer.get("url") or ""),
    )


async def check_app_token(client: AsyncWebClient, app_token: str) -> None:
    """Ask for one connection. Raises `SlackRefused`: the socket client would try for ever in silence."""
    try:
        await client.apps_connections_open(app_token=app_token)
    except refusals.TROUBLE as error:
        if refusals.code(error) == "ratelimited":
            return
        word = refusals.code(error) or type(error).__name__
        raise SlackRefused(f"Slack does not take the app token ({word}). {_HELP_APP}") from error


def bolt(access: Access, me: Identity, client: AsyncWebClient) -> AsyncApp:
    """The app, without listeners. `client` has no token (see `web_client`)."""

    async def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=me.enterprise,
            team_id=me.team,
            bot_token=access.bot_token,
            bot_id=me.bot,
            bot_user_id=me.user,
        )

    return AsyncApp(
        name="slack_bolt.dw",  # Bolt sets the level of the logger of this name: ours is not its business
        client=client,
        authorize=authorize,
        signing_secret=access.signing_secret or "",
        process_before_response=True,
        ignoring_self_events_enabled=False,
    )


def http_endpoint(app: AsyncApp, refused: Callable[[], None] = lambda: None) -> Any:
    """An aiohttp handler for `POST /slack/events`: signed requests, checked by Bolt.

    What is not signed, or was signed long ago, is logged and told to `refused`; of it nothing is stored.
    """

    async def endpoint(request: web.Request) -> web.Response:
        answer = await app.async_dispatch(await to_bolt_request(request))
        if answer.status != _UNSIGNED:
            return await to_aiohttp_response(answer)
        refused()
        _log.warning("slack_request_refused", sender=request.remote, why="its signature")
        return web.json_response({"error": REFUSED}, status=_UNSIGNED)

    return endpoint


def _scopes(headers: Mapping[str, str]) -> frozenset[str]:
    """What the token may do, as Slack says with every answer; empty when it does not say."""
    said = next((str(v) for k, v in headers.items() if k.lower() == "x-oauth-scopes"), "")
    return frozenset(scope.strip() for scope in said.split(",") if scope.strip())


async def _app_id(client: AsyncWebClient, bot: str | None) -> str | None:
    """Our app's id where Slack tells it; every event tells it too, so its lack is no trouble."""
    if not bot:
        return None
    try:
        answer = await client.bots_info(bot=bot)
        return str(answer["bot"]["app_id"])
    except (*refusals.TROUBLE, KeyError, TypeError):
        return None


_HELP_BOT = "Put the `xoxb-` token of the installed app into DW_SLACK_BOT_TOKEN."
_HELP_APP = "Put an `xapp-` token with `connections:write` into DW_SLACK_APP_TOKEN."
