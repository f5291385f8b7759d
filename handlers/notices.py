"""Messages about connections, which belong to no incident: posted once, then updated where they stand."""

from datetime import timedelta

from bot.clock import Clock
from bot.ports import Notice
from handlers import ids, views
from handlers.channels import Channels
from handlers.posting import Label, Place, Poster, Wanted

_TRIED_BEFORE = timedelta(hours=1)


class Notices:
    """`Announcer.notice` over Slack."""

    def __init__(self, poster: Poster, channels: Channels, clock: Clock) -> None:
        self._poster, self._channels, self._clock = poster, channels, clock

    async def show(self, notice: Notice) -> tuple[str, str]:
        """Post it, or update it; one that somebody deleted is posted anew."""
        place = Place(channel=await self._channels.id_of(notice.channel))
        said = views.notice(notice)
        since = notice.blind_from.isoformat()
        label = Label(event=ids.NOTICE_EVENT, says={"connection": notice.connection, "from": since})
        if notice.ts and await self._poster.update(place, notice.ts, said, label):
            return place.channel, notice.ts
        wanted = Wanted(since=self._clock.now() - _TRIED_BEFORE, again=notice.ts is None)
        return await self._poster.post(place, said, label, wanted)
