"""The field of the campaign: one workspace, one outside, one database, and any number of replicas over it."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.ports import StoreUnavailable
from bot.sandbox.demo import seed
from bot.sandbox.workspace import SlackError, Workspace, until
from bot.sandbox.workspace.state import Message
from bot.store.engine import Database
from bot.store.store import SqlStore
from tests.faults.campaign import crew
from tests.faults.campaign.counting import Count, count
from tests.faults.campaign.outside import Outside, settled
from tests.faults.campaign.processes import Replica, end_all, last_words

_JOB = re.compile(r"job_(\d+)")
_REQUEST = re.compile(r"request:")
_TRIES, _YES = 12, 0.8
TAPS = 2


@dataclass
class Field:
    """What a campaign plays on."""

    workspace: Workspace
    outside: Outside
    store: SqlStore
    folder: Path
    jobs: int
    replicas: list[Replica] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311 - an order, no secret
    _seen: int = 0
    _requests: dict[int, Message] = field(default_factory=dict)

    # ------------------------------------------------------------------ seeing

    def request(self, number: int) -> Message | None:
        """The request about a job as it stands in the thread, once it was posted."""
        calls = self.workspace.record.calls
        for call in calls[self._seen :]:
            if call.method == "chat.postMessage" and call.ok and _is_request(call.args):
                job = _JOB.search(str(call.args.get("text")) + str(call.args.get("blocks")))
                if job is not None:
                    at = (call.answer["channel"], call.answer["ts"])
                    self._requests[int(job[1])] = self.workspace.message(*at)
        self._seen = len(calls)
        return self._requests.get(number)

    async def hears(self, count: int) -> None:
        """Wait for so many sockets."""
        await until(
            lambda: self.workspace.connections(seed.BOT_APP) >= count, 30, f"{count} sockets"
        )

    # ------------------------------------------------------------------ people

    async def trouble(self, number: int, people: int, *, choice: str = "") -> None:
        """A job fails, its request is posted, and so many people tap at the same time, impatiently: twice.

        `choice` is what they tap on; else most of them approve and some reject.
        """
        crew.alert(self.workspace, number)
        message = await until(lambda: self.request(number), 300, f"The request about job_{number}")
        names = [
            *self.chance.sample(crew.ENTITLED, min(2, people)),
            *self.chance.sample(crew.OTHERS, len(crew.OTHERS)),
            *crew.ENTITLED,
        ]
        chosen = list(dict.fromkeys(names))[:people]
        await asyncio.gather(*(self._taps(name, message, choice) for name in chosen * TAPS))

    async def _taps(self, name: str, message: Message, choice: str) -> None:
        """As long as Slack says that the app did not answer, and the button is still there."""
        person = self.workspace.people[name]
        label = choice or ("Approve" if self.chance.random() < _YES else "Reject")
        for n in range(_TRIES):
            now = self.workspace.message(message.channel, message.ts)
            if not person.sees_button("Approve", on=now):
                return
            try:
                await person.click(label, on=now)
            except SlackError:
                await asyncio.sleep(0.3 * (n + 1))
            else:
                return

    # ------------------------------------------------------------------ the end

    async def quiet(self, within: float = 120) -> None:
        """Wait until every incident is closed and nothing is due."""
        await settled(self._still, within, f"Quiet never came\n{last_words(self.folder)}\n")

    async def _still(self) -> bool:
        try:
            if await self.store.incidents(open_only=True, limit=1):
                return False
            return await self.store.next_at() is None or await self._only_standing()
        except StoreUnavailable:
            return False

    async def _only_standing(self) -> bool:
        """The rows that begin themselves anew are never done."""
        return not (await self.store.stats(SystemClock().now())).waiting

    async def count(self) -> Count:
        """What it all came to."""
        return await count(self.workspace, self.outside, self.store, self.jobs)


def _is_request(args: Mapping[str, Any]) -> bool:
    return bool(_REQUEST.search(str(args.get("metadata"))))


@asynccontextmanager
async def a_field(
    url: str, folder: Path, *, jobs: int, replicas: int = 1, mode: Mapping[str, Any] | None = None
) -> AsyncIterator[Field]:
    """The field with nobody on it yet: `replicas` are told where everything is, and not started."""
    async with AsyncExitStack() as stack:
        outside = await stack.enter_async_context(Outside())
        workspace = await stack.enter_async_context(
            Workspace(crew.workspace_seed(), clock=_epoch, timing=crew.QUICK)
        )
        store = SqlStore(Database(url))
        stack.push_async_callback(store.close)
        told = {
            "url": url,
            "slack": workspace.api_url,
            "outside": outside.url,
            "jobs": jobs,
            "mode": dict(mode or {}),
        }
        made = [
            Replica(n, {**told, "log": str(folder / f"replica{n}.log")}) for n in range(replicas)
        ]
        stack.push_async_callback(end_all, made)
        yield Field(workspace, outside, store, folder, jobs, made)


def _epoch() -> float:
    return SystemClock().now().timestamp()
