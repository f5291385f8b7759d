"""Private answers to a tap: through Slack's response_url, else as a message that only one person sees."""

from urllib.parse import urlsplit

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from handlers.blocks import TEXT
from handlers.mrkdwn import cut
from handlers.payloads import address

_log = structlog.get_logger(__name__)
_OK = 200
_HOOKS = ("https", "hooks.slack.com")


class Whispers:
    """Best effort by design: the journal holds what counts, a whisper is a courtesy."""

    def __init__(self, client: AsyncWebClient, session: aiohttp.ClientSession) -> None:
        self._client, self._session = client, session
        configured = urlsplit(client.base_url)
        self._hosts = {_HOOKS, (configured.scheme, configured.hostname)}

    async def tell(self, respond_to: str, text: str) -> None:
        """Say it to the person at this address; what can't be delivered is logged, not raised."""
        to = address.decode(respond_to)
        said = cut(text, TEXT)
        if not (to.url and self._known(to.url) and await self._respond(to, said)):
            await self._ephemeral(to, said)

    def _known(self, url: str) -> bool:
        """Only Slack is answered: what came with a payload could name anybody's machine."""
        parts = urlsplit(url)
        known = (parts.scheme, parts.hostname) in self._hosts
        if not known:
            _log.warning("whisper not sent: this is not Slack's address", host=parts.hostname)
        return known

    async def _respond(self, to: address.Address, text: str) -> bool:
        body = {"response_type": "ephemeral", "replace_original": False, "text": text}
        if to.thread_ts:
            body["thread_ts"] = to.thread_ts
        try:
            async with self._session.post(to.url, json=body, allow_redirects=False) as answer:
                return answer.status == _OK
        except (aiohttp.ClientError, TimeoutError) as error:
            _log.info("whisper not taken by response_url", error=str(error))
            return False

    async def _ephemeral(self, to: address.Address, text: str) -> None:
        if not (to.channel and to.user):
            _log.warning("whisper lost: no way back to this person")
            return
        try:
            await self._client.chat_postEphemeral(
                channel=to.channel, user=to.user, text=text, thread_ts=to.thread_ts or None
            )
        except SlackApiError as error:
            _log.warning("whisper lost", user=to.user, error=error.response["error"])
        except (SlackClientError, aiohttp.ClientError, TimeoutError) as error:
            _log.warning("whisper lost", user=to.user, error=str(error))
