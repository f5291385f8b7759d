"""What `dw doctor` says about Slack: the tokens, the scopes, the channels that are read."""

from collections.abc import Sequence

from aiohttp import ClientSession
from slack_sdk.web.async_client import AsyncWebClient

from bot.health import Finding
from handlers import app
from handlers.channels import Channels

#: every scope that some call or event of ours needs; the manifest asks for exactly these
SCOPES = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "dnd:read",
        "groups:history",
        "groups:read",
        "im:history",
        "im:write",
        "usergroups:read",
        "users:read",
        "users:read.email",
    }
)


async def check_slack(
    settings: app.SlackSettings, alert_channels: Sequence[str] = ()
) -> list[Finding]:
    """One finding for each thing that was looked at. Never raises, never shows a token."""
    access = app.access_of(settings)
    session = app.open_session(access)
    try:
        return await _findings(access, session, alert_channels)
    finally:
        await session.close()


async def _findings(
    access: app.Access, session: ClientSession, alert_channels: Sequence[str]
) -> list[Finding]:
    client = app.web_client(access, session)
    try:
        me = await app.identify(client)
    except app.SlackRefused as error:
        return [Finding(name="slack bot token", ok=False, says=str(error))]
    found = [Finding(name="slack bot token", ok=True, says=f"speaks as {me.user} in {me.team}")]
    missing = sorted(SCOPES - me.scopes) if me.scopes else []
    says = f"missing: {', '.join(missing)}; install the app again from manifest.yml"
    found.append(
        Finding(name="slack scopes", ok=not missing, says=says if missing else "all there")
    )
    found += [
        Finding(name="alert channels", ok=False, says=p)
        for p in await _gone(client, alert_channels)
    ]
    if access.app_token:
        found.append(await _app_token(client, access.app_token))
    return found


async def _gone(client: AsyncWebClient, names: Sequence[str]) -> tuple[str, ...]:
    _, problems = await Channels(client).ids_of(names)
    return problems


async def _app_token(client: AsyncWebClient, token: str) -> Finding:
    try:
        await app.check_app_token(client, token)
    except app.SlackRefused as error:
        return Finding(name="slack app token", ok=False, says=str(error))
    return Finding(name="slack app token", ok=True, says="a socket may be opened")
