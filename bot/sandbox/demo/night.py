"""The night, line by line: what happens to the stack, and what the bot and the people make of it."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.sandbox.demo import seed, shop, story
from bot.sandbox.demo.alerts import AlertSender
from bot.sandbox.demo.errors import Missing, WentWrong
from bot.sandbox.demo.panel import Button, Line, Panel
from bot.sandbox.demo.screens import Screens, plain
from bot.sandbox.demo.stack import REPAIRED, ROLLUPS, SESSIONS, Say, Stack
from bot.sandbox.demo.waiting import Look, T, until

CHECK = "raw_sessions_complete"
STALE = "fct_daily_active_users"


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How many seconds each is waited for; None is for as long as it takes, which is right for people."""

    bot: float | None = None
    people: float | None = None
    backfill: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """All that the night needs. `bot_is_up` tells whether the bot's socket is open."""

    stack: Stack
    alerts: AlertSender
    screens: Screens
    panel: Panel
    base_url: str
    bot_is_up: Callable[[], bool]
    say: Say


def panel() -> Panel:
    """The story as it stands before it begins."""
    lines = [
        Line(key="lag", time="Mon 22:40", text="A long index build; the replica falls behind."),
        Line(key="load", time="Tue 00:30", text="The schedule loads Monday from the replica."),
        Line(key="fail", time="Tue 00:41", text="A blocking check fails; the models hold back."),
        Line(key="catch", time="Tue 00:42", text="The replica catches up, too late."),
        Line(key="alert", time="Tue 00:43", text="Dagster+ posts its alert to #data-alerts."),
        Line(key="ask", time="Tue 00:44", text="dw looks for the cause and asks the owner."),
        Line(key="stale", time="Tue 06:50", text="A second alert: the daily numbers are late."),
        Line(key="yes", time="Tue 07:15", text="Ana decides, in Slack."),
        Line(key="backfill", time="Tue 07:16", text="Ana launches the backfill, in Dagster."),
        Line(key="mended", time="Tue 07:38", text="The day is loaded again and the check passes."),
        Line(key="rollups", time="Tue 07:40", text=f"dw runs {ROLLUPS}, once."),
        Line(key="receipt", time="Tue 07:55", text="dw checks the numbers and posts the receipt."),
    ]
    return Panel(
        lines,
        [
            Button(
                key="backfill",
                label="Launch the backfill in Dagster",
                as_="ana",
                hint="Once the request is approved: this is Ana in Dagster's own pages, which look"
                " for new backfills every 30 s.",
                style="primary",
            ),
            Button(
                key="kill",
                label="Kill the bot",
                as_="dee",
                hint="SIGKILL, and a new one is started: nothing may be lost, nothing run twice.",
                style="danger",
            ),
        ],
    )


class Night:
    """Plays the lines one after the other; what is not in order ends it with the reason."""

    def __init__(self, scene: Scene, patience: Patience) -> None:
        self._scene = scene
        self._patience = patience
        self._day = str(story.DAY)
        self._known_rollups: set[str] = set()

    async def play(self) -> str:
        """The whole night. Returns the words of the receipt; raises `DemoFailed`."""
        run = await self._goes_wrong()
        await self._is_alerted(run)
        await self._is_asked()
        await self._is_late()
        await self._is_approved()
        await self._is_mended()
        return await self._is_closed()

    async def _goes_wrong(self) -> str:
        stack, panel = self._scene.stack, self._scene.panel
        self._known_rollups = set(await stack.pages.runs_of(ROLLUPS))
        panel.begin("lag", "An index is being built on the primary; the replica stands at 21:05.")
        await shop.replica_falls_behind(stack.pair)
        panel.done("lag")
        panel.begin("load", "Dagster loads Monday from the replica.")
        tags = {"dagster/schedule_name": "sessions_job_schedule"}
        run = await stack.pages.launch_run(SESSIONS, partition=self._day, tags=tags)
        await stack.ended(run, well=False)
        panel.done("load")
        panel.begin("fail", "The check compares the day with the week before.")
        said = await stack.pages.check("raw_sessions", CHECK, self._day)
        if said is None or said.passed:
            raise WentWrong(f"{CHECK} was to fail, but it said: {said}")
        panel.done("fail", f"{CHECK} fails: {said.says}. The models hold back.")
        self._scene.say(f"{CHECK} fails: {said.says}")
        return run

    async def _is_alerted(self, run: str) -> None:
        panel = self._scene.panel
        panel.begin("catch", "The index build is over; the replica catches up.")
        await shop.replica_catches_up(self._scene.stack.pair)
        panel.done("catch")
        panel.begin("alert", "Dagster+ is about to post.")
        await self._until("the bot's connection to Slack", self._bot_is_up, self._patience.bot)
        await self._scene.alerts.job_failed(run, self._day)
        panel.enable("kill")
        panel.done("alert")
        self._scene.say("Dagster+ has posted its alert to #data-alerts")

    async def _is_asked(self) -> None:
        self._scene.panel.begin("ask", "dw reads the run, the primary and the replica.")

        async def asked() -> bool:
            return bool(await self._scene.screens.asks(seed.CHAIN))

        await self._until("the bot's request for a yes or no", asked, self._patience.bot)
        self._scene.panel.done("ask")
        self._scene.say("dw has found the cause and asks for a yes or no")

    async def _is_late(self) -> None:
        panel = self._scene.panel
        panel.begin("stale", "Nobody is awake. The daily numbers miss their time.")
        await self._scene.alerts.freshness_missed(STALE)
        panel.done("stale")
        self._scene.say("a second alert: the daily numbers are late")

    async def _is_approved(self) -> None:
        panel = self._scene.panel
        panel.begin("yes", "dw waits for Ana's yes or no: it has written to her (Apps, dw).")

        async def approved() -> bool:
            return await self._scene.screens.approved(("ana", "cleo", "dee"))

        await self._until("the approval", approved, self._patience.people)
        panel.done("yes")
        self._scene.say("the request is approved")

    async def _is_mended(self) -> None:
        """By the panel's button, or by whatever else a person does in Dagster: only the effect counts."""
        panel, stack = self._scene.panel, self._scene.stack
        panel.begin("backfill", "Now the owner repairs the day, in Dagster.")
        panel.enable("backfill")

        async def begun() -> bool:
            return panel.was_pressed("backfill") or await self._check_passes()

        await self._until("the backfill", begun, self._patience.people)
        panel.enable("backfill", on=False)
        if panel.was_pressed("backfill"):
            launched = await stack.pages.launch_backfill(REPAIRED, self._day)
            self._scene.say(f"Ana has launched backfill {launched} (Dagster looks every 30 s)")
        panel.done("backfill")
        panel.begin("mended", "Dagster's backfill daemon looks every 30 s, then loads the day.")
        await self._until("the passing check", self._check_passes, self._patience.backfill)
        said = await stack.pages.check("raw_sessions", CHECK, self._day)
        panel.done("mended", f"The check passes: {said.says if said else ''}.")
        self._scene.say(f"{CHECK} passes: {said.says if said else ''}")

    async def _is_closed(self) -> str:
        panel, screens = self._scene.panel, self._scene.screens
        panel.begin("rollups", f"dw sees the day repaired, and runs {ROLLUPS}.")
        await self._until(f"the bot's run of {ROLLUPS}", self._rolled_up, self._patience.bot)
        panel.done("rollups")
        self._scene.say(f"dw has run {ROLLUPS}")
        panel.begin("receipt", "dw checks the numbers against the primary and the Mondays before.")
        receipt = await self._until("the receipt", screens.receipt, self._patience.bot)
        panel.done("receipt")
        await self._all_once()
        panel.note("is over. The receipt is in the incident's thread.")
        return receipt

    async def _all_once(self) -> None:
        """Two alerts made one incident, and one yes made one run."""
        roots = await self._scene.screens.bot_roots()
        if len(roots) != 1:
            raise WentWrong(f"two alerts of one trouble made {len(roots)} incidents, not one")
        runs = await self._new_rollups()
        if len(runs) != 1:
            raise WentWrong(f"{ROLLUPS} ran {len(runs)} times, not once: {', '.join(runs)}")

    async def _bot_is_up(self) -> bool:
        return self._scene.bot_is_up()

    async def _check_passes(self) -> bool:
        said = await self._scene.stack.pages.check("raw_sessions", CHECK, self._day)
        return said is not None and said.passed

    async def _new_rollups(self) -> dict[str, str]:
        runs = await self._scene.stack.pages.runs_of(ROLLUPS)
        return {run: state for run, state in runs.items() if run not in self._known_rollups}

    async def _rolled_up(self) -> bool:
        return "SUCCESS" in (await self._new_rollups()).values()

    async def _until(self, what: str, look: Look[T], within_s: float | None) -> T:
        household = self._scene.stack.household

        async def watched() -> T | None:
            household.check_all()
            if said := await self._scene.screens.handed_over():
                raise WentWrong(f"the incident went to a person. {plain(said)}")
            return await look()

        try:
            return await until(what, watched, within_s=within_s, every_s=0.5)
        except Missing as error:
            raise Missing(f"{error}. The bot's last words:\n{household.tail('bot')}") from error
