"""The worker's voice: every copy of an incident, posted once and kept up to date."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from slack_sdk.web.async_client import AsyncWebClient

from bot.clock import Clock
from bot.ports import Copy, RetryAfter, Showing, Undeliverable
from handlers import ids, refusals, views
from handlers.blocks import TEXT, Message
from handlers.channels import Channels
from handlers.mrkdwn import cut, told
from handlers.posting import Label, Place, Poster
from handlers.whispers import Whispers
from policies.autonomy.levels import Level, LevelEntry
from policies.incident import RequestState

#: a wish older than this may have been tried by a process that died before it could tell
_FRESH = timedelta(seconds=15)
Shown = Callable[[], Awaitable[None]]


async def _nobody() -> None:
    return None


class SlackAnnouncer:
    """`bot.ports.Announcer` over Slack's Web API. `after` is called when a card has changed."""

    def __init__(
        self,
        client: AsyncWebClient,
        poster: Poster,
        channels: Channels,
        whispers: Whispers,
        clock: Clock,
    ) -> None:
        self._client, self._poster, self._channels = client, poster, channels
        self._whispers, self._clock = whispers, clock
        self._rooms: dict[str, str] = {}
        self.after: Shown = _nobody

    async def show(self, showing: Showing) -> Copy | None:
        """Post the copy, or update it where it is; None for silence. Raises `RetryAfter`, `Undeliverable`."""
        said, since = _render(showing)
        if said is None:
            return None
        shown = _shown(said)
        if showing.copy and showing.copy.shown == shown:
            return showing.copy
        copy = await self._updated(showing, said, shown) or await self._posted(
            showing, said, shown, since
        )
        if showing.name == "card":
            await self.after()
        return copy

    async def whisper(self, respond_to: str, text: str) -> None:
        """Tell one person, privately. Best effort."""
        await self._whispers.tell(respond_to, told(text))

    async def reply(self, channel: str, thread_ts: str, text: str, *, key: str) -> None:
        """One message in a thread; with the same key it is there once."""
        await self._poster.post(
            Place(channel=channel, thread_ts=thread_ts),
            Message(text=cut(text, TEXT)),
            Label(event=ids.REPLY_EVENT, says={"key": key}),
            since=self._clock.now() - timedelta(days=1),
            again=True,
        )

    async def homes(self) -> None:
        """Bring the home tabs of those who looked lately up to date."""
        await self.after()

    async def tell_level(self, channel: str, entry: LevelEntry, was: Level) -> None:
        """The change of a level, or the wish for one, in a channel of its domain; told once."""
        await self._poster.post(
            Place(channel=await self._channels.id_of(channel)),
            views.level_changed(entry, was),
            Label(event=ids.REPLY_EVENT, says={"level": str(entry.number)}),
            since=entry.at,
            again=True,
        )

    async def _updated(self, showing: Showing, said: Message, shown: str) -> Copy | None:
        copy = showing.copy
        if copy is None:
            return None
        place = Place(channel=copy.channel, thread_ts=copy.thread_ts)
        there = await self._poster.update(place, copy.ts, said, _label(showing))
        return replace(copy, shown=shown) if there else None

    async def _posted(self, showing: Showing, said: Message, shown: str, since: datetime) -> Copy:
        place = await self._place(showing)
        again = showing.copy is None and self._clock.now() - since > _FRESH
        channel, ts = await self._poster.post(
            place, said, _label(showing), since=since, again=again
        )
        return Copy(
            incident_id=showing.incident.id,
            name=showing.name,
            channel=channel,
            ts=ts,
            thread_ts=place.thread_ts,
            shown=shown,
        )

    async def _place(self, showing: Showing) -> Place:
        kind, *rest = showing.name.split(":")
        if kind == "card":
            return Place(channel=await self._channels.id_of(showing.incident.channel))
        if kind in ("dm", "note", "more"):
            return Place(channel=await self._room(rest[-1]))
        if showing.card is None:
            raise RetryAfter(1.0, "the incident's own message is not posted yet")
        return Place(channel=showing.card.channel, thread_ts=showing.card.ts)

    async def _room(self, person: str) -> str:
        if person not in self._rooms:
            try:
                answer = await self._client.conversations_open(users=person)
            except refusals.TROUBLE as error:
                raise refusals.translated(error, f"a direct message to {person}") from error
            self._rooms[person] = str(answer["channel"]["id"])
        return self._rooms[person]


def _render(showing: Showing) -> tuple[Message | None, datetime]:
    """What the copy shows, None for silence, and when it was first wanted."""
    kind, *rest = showing.name.split(":")
    if kind == "card":
        return views.card(showing), showing.incident.opened_at
    if kind in ("reply", "note"):
        entry = next((e for e in showing.entries if str(e.seq) == rest[0]), None)
        if entry is not None:
            say = views.reply if kind == "reply" else views.note
            return say(showing, entry), entry.at
    state = _request(showing, kind, rest)
    if state is not None and kind == "more":
        return views.more(showing, state), state.request.asked_at
    if state is not None and showing.together:
        return views.together(showing, state), state.request.asked_at
    if state is not None:
        return views.request(showing, state, for_dm=kind == "dm"), state.request.asked_at
    raise Undeliverable(f"{showing.incident.id} has nothing to show as {showing.name!r}")


def _request(showing: Showing, kind: str, rest: list[str]) -> RequestState | None:
    known = kind in ("request", "dm", "more")
    return showing.incident.requests.get(rest[0]) if known else None


def _label(showing: Showing) -> Label:
    says = {"incident": showing.incident.id, "name": showing.name}
    return Label(event=ids.COPY_EVENT, says=says)


def _shown(said: Message) -> str:
    text = json.dumps([said.text, said.blocks], sort_keys=True, ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
