"""HTTP mode: events, interactivity and commands posted to the app's request URL, signed the way Slack signs."""

import asyncio
import hashlib
import hmac
import json
import time
from typing import Any
from urllib.parse import urlencode

import aiohttp

from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.ids import Mint
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.timing import Clock, Timing
from bot.sandbox.workspace.wire.record import Attempt, Delivery
from bot.sandbox.workspace.wire.sockets import Answer


def signed(secret: str, body: str, timestamp: int) -> dict[str, str]:
    """The two headers that prove a request came from Slack."""
    digest = hmac.new(
        secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256
    ).hexdigest()
    return {"X-Slack-Request-Timestamp": str(timestamp), "X-Slack-Signature": f"v0={digest}"}


def encoded(delivery: Delivery) -> tuple[str, str]:
    """Body and content type: JSON for events, a form for the rest."""
    if delivery.kind == "events_api":
        return json.dumps(delivery.payload), "application/json"
    form = (
        delivery.payload
        if delivery.kind == "slash_commands"
        else {"payload": json.dumps(delivery.payload)}
    )
    return urlencode(form), "application/x-www-form-urlencoded"


class Pushes:
    """The HTTP client side of the workspace. Signatures carry the wall clock: the app checks them against its own."""

    def __init__(self, timing: Timing, mint: Mint, wall: Clock = time.time) -> None:
        """Get ready; the session opens with the first push."""
        self._timing = timing
        self._mint = mint
        self._wall = wall
        self._session: aiohttp.ClientSession | None = None

    def _http(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession()
        return self._session

    async def send(self, app: App, delivery: Delivery, attempt: Attempt) -> Answer:
        """Post once per envelope id, all at the same time; the first good answer counts."""
        answers = await asyncio.gather(
            *(self._post(app, delivery, attempt) for _ in attempt.envelope_ids)
        )
        return next((a for a in answers if a.acked), answers[0])

    async def _post(self, app: App, delivery: Delivery, attempt: Attempt) -> Answer:
        body, content_type = encoded(delivery)
        headers = {
            "Content-Type": content_type,
            **signed(app.signing_secret, body, int(self._wall())),
        }
        if attempt.number:
            headers |= {
                "X-Slack-Retry-Num": str(attempt.number),
                "X-Slack-Retry-Reason": attempt.reason,
            }
        attempt.via.append(app.request_url)
        try:
            async with asyncio.timeout(self._timing.ack_deadline):
                return await self._answer(app.request_url, body, headers, attempt)
        except TimeoutError:
            return Answer(acked=False, reason="http_timeout")
        except aiohttp.ClientError:
            return Answer(acked=False, reason="connection_failed")

    async def _answer(
        self, url: str, body: str, headers: dict[str, str], attempt: Attempt
    ) -> Answer:
        async with self._http().post(
            url, data=body.encode(), headers=headers, allow_redirects=False
        ) as response:
            text = await response.text()
            if not response.ok:
                final = response.headers.get("X-Slack-No-Retry") == "1"
                return Answer(acked=False, reason="http_error", final=final)
        attempt.acked_at, attempt.payload = self._mint.now(), _parsed(text)
        return Answer(acked=True)

    async def verify(self, app: App, url: str) -> None:
        """Slack's handshake with a new request URL; `url_verification_failed` unless the challenge comes back."""
        challenge = self._mint.envelope()
        body = json.dumps({"type": "url_verification", "token": "local", "challenge": challenge})
        headers = {
            "Content-Type": "application/json",
            **signed(app.signing_secret, body, int(self._wall())),
        }
        async with self._http().post(url, data=body.encode(), headers=headers) as response:
            text = await response.text()
        said = _parsed(text)
        echoed = said.get("challenge") if isinstance(said, dict) else said
        if not response.ok or echoed != challenge:
            raise SlackError(
                "url_verification_failed",
                f"{url} did not echo the challenge (HTTP {response.status}).",
            )

    async def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()


def _parsed(text: str) -> Any:
    if not text:
        return None
    try:
        found: Json | str = json.loads(text)
    except ValueError:
        return text
    return found
