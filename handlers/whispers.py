"""Private answers to a tap: through Slack's response_url, else as a message that only one person sees.

A response_url is believed only where Slack itself is: it comes from outside, and it is called.
Whoever tapped on the home tab or in a form has no channel to be answered in: they get a direct message.
"""

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


class Whispers:
    """Best effort by design: the journal holds what counts, a whisper is a courtesy."""

    def __init__(self, client: AsyncWebClient, session: aiohttp.ClientSession) -> None:
        self._client, self._session = client, session

    async def tell(self, respond_to: str, text: str) -> None:
        """Say it to the person at this address; what can't be delivered is logged, not raised."""
        to = address.decode(respond_to)
        said = cut(text, TEXT)
        if not (self._is_slacks(to.url) and await self._respond(to, said)):
            await self._ephemeral(to, said)

    def _is_slacks(self, url: str) -> bool:
        try:
            theirs, home = urlsplit(url), urlsplit(self._client.base_url)
        except ValueError:
            return False
        if theirs.scheme != home.scheme or not theirs.hostname or not home.hostname:
            return False
        return theirs.hostname == home.hostname or theirs.hostname.endswith(f".{home.hostname}")

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
        if not to.user:
            _log.warning("whisper lost: no way back to this person")
            return
        try:
            await self._post(to, text)
        except SlackApiError as error:
            _log.warning("whisper lost", user=to.user, error=error.response["error"])
        except (SlackClientError, aiohttp.ClientError, TimeoutError) as error:
            _log.warning("whisper lost", user=to.user, error=str(error))

    async def _post(self, to: address.Address, text: str) -> None:
        if to.channel:
            await self._client.chat_postEphemeral(
                channel=to.channel, user=to.user, text=text, thread_ts=to.thread_ts or None
            )
            return
        room = await self._client.conversations_open(users=to.user)
        await self._client.chat_postMessage(channel=room["channel"]["id"], text=text)
