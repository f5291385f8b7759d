"""A webhook's way in: proven, read, and stored before its sender is told that it arrived."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from aiohttp import web
from pydantic import SecretStr, ValidationError
from pydantic_core import from_json

from bot.clock import Clock
from bot.commands import Received, Told
from bot.desk import Desk
from bot.ports import StoreUnavailable
from handlers.webhooks import body as bodies
from handlers.webhooks.outcomes import Outcome, Refused
from handlers.webhooks.tally import Tally
from handlers.webhooks.verify import Claim, verify
from policies.alert import Alert
from policies.recognise import hooks
from policies.recognise.hooks import Delivery
from policies.recognise.hooks.wire import Found
from policies.webhooks import Webhook

log = structlog.get_logger("webhooks")

LATER = 30
"""Seconds after which a sender may try again, when nothing can be stored."""
NOBODY = "unknown"
"""What those are counted as that no webhook of dw.yml is named like."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Doors:
    """The webhooks of dw.yml with their secrets, and where their news go."""

    webhooks: Mapping[str, Webhook]
    secrets: Mapping[str, SecretStr]
    desk: Desk
    clock: Clock
    tally: Tally

    def routes(self) -> list[web.AbstractRouteDef]:
        """One address each, `/hooks/<name>`; the others are told that there is none."""
        return [web.route("*", "/hooks/{name}", self._answer)] if self.webhooks else []

    async def _answer(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        known = name if name in self.webhooks else NOBODY
        try:
            outcome, says = await self._take(name, request)
        except Refused as refused:
            outcome, says = refused.outcome, refused.says
            log.warning("webhook_refused", hook=known, outcome=outcome.word, says=says)
        self.tally.count(known, outcome, says)
        return _told(outcome, says)

    async def _take(self, name: str, request: web.Request) -> tuple[Outcome, str]:
        if name not in self.webhooks:
            raise Refused(Outcome.UNKNOWN, "there is no webhook of this name")
        if request.method != "POST":
            raise Refused(Outcome.WRONG_METHOD, "only POST brings news")
        body, now = await bodies.read(request), self.clock.now()
        verify(self._claim(name, request, body, now))
        found = _read(self._delivery(name, body, now))
        return await self._stored(found, body, now)

    def _claim(self, name: str, request: web.Request, body: bytes, now: datetime) -> Claim:
        return Claim(
            webhook=self.webhooks[name],
            secret=self.secrets[name].get_secret_value().encode(),
            headers=request.headers,
            body=body,
            now=now,
        )

    def _delivery(self, name: str, body: bytes, now: datetime) -> Delivery:
        """What carries no id is known by what it says within the hour: senders repeat themselves sooner."""
        digest = f"{hashlib.sha256(body).hexdigest()[:32]}@{now:%Y%m%d%H}"
        try:
            read = from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise Refused(Outcome.MALFORMED, "it is not JSON in UTF-8") from error
        hook = hooks.hook_of(name, self.webhooks[name])
        return Delivery(hook=hook, body=read, digest=digest)

    async def _stored(
        self, found: Sequence[Found], body: bytes, now: datetime
    ) -> tuple[Outcome, str]:
        alerts = [one for one in found if isinstance(one, Alert)]
        if not alerts:
            return Outcome.IGNORED, "; ".join(
                one.reason for one in found if not isinstance(one, Alert)
            )
        raw, fresh = body.decode(), 0
        try:
            for alert in alerts:
                command = Told(alert=alert)
                item = Received(key=alert.signal_key, command=command, raw=raw, at=now)
                fresh += await self.desk.receive(item)
                raw = ""  # once is enough
        except StoreUnavailable as error:
            raise Refused(Outcome.UNSTORED, "it can't be stored now") from error
        return (Outcome.ACCEPTED, "") if fresh else (Outcome.REPLAYED, "it was known already")


def _read(delivery: Delivery) -> Sequence[Found]:
    try:
        return hooks.read(delivery)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:100]
        says = f"{where}: {first['msg']}" if where else first["msg"]
        raise Refused(Outcome.MALFORMED, says) from error
    except ValueError as error:
        raise Refused(Outcome.MALFORMED, "it holds a number without end") from error


def _told(outcome: Outcome, says: str) -> web.Response:
    """The answer, in words that help whoever looks at the sender's log."""
    ok = outcome.status < web.HTTPBadRequest.status_code
    said = {"ok": ok, "outcome": outcome.word, "says": says, "do": outcome.do}
    headers = {
        Outcome.WRONG_METHOD: {"Allow": "POST"},
        Outcome.UNSTORED: {"Retry-After": str(LATER)},
    }
    return web.json_response(
        {key: value for key, value in said.items() if value != ""},
        status=outcome.status,
        headers=headers.get(outcome),
    )
