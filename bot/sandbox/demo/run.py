"""The demo as one call: workspace, stack and bot are started, the night is played, all is ended again."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, SIGTERM

import bot
from bot.clock import SystemClock
from bot.sandbox.demo import bot_process, config, night, seed
from bot.sandbox.demo.alerts import AlertSender
from bot.sandbox.demo.bot_process import BotProcess
from bot.sandbox.demo.errors import DemoFailed, WentWrong
from bot.sandbox.demo.night import Night, Patience, Scene
from bot.sandbox.demo.owner import Owners
from bot.sandbox.demo.panel import Panel
from bot.sandbox.demo.ports import free_ports, is_free
from bot.sandbox.demo.processes import Household
from bot.sandbox.demo.screens import Screens, plain
from bot.sandbox.demo.stack import Say, Stack
from bot.sandbox.workspace import Workspace

PORT = 8750
_PAGE = Path(bot.__file__).parent / "sandbox" / "page"
_INTERRUPTED = 130
#: What `auto` waits for, in seconds: bounds for a night with a killed bot on a busy machine. The
#: backfill daemon alone may take 30 s, and Slack delivers again only after 60.
AUTO = Patience(bot=240, people=180, backfill=180)


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """`workdir` holds data and logs, `venv` Dagster's environment. `auto` plays the owners too.

    `port` is the page's; without one it is the usual one, or any when that is taken. `patience` bounds
    what `auto` waits for.
    """

    workdir: Path = Path(".demo")
    venv: Path = Path(".venv-dagster")
    port: int | None = None
    auto: bool = False
    patience: Patience = AUTO
    bot_argv: Sequence[str] = bot_process.ARGV


async def run_demo(options: Options, say: Say) -> int:
    """The exit code: 0 when the night was played or a person ended it; 1 when something was missing."""
    household = Household(options.workdir.resolve())
    timed = _timed(say)
    problems: list[BaseException] = []
    code = 1
    try:
        await household.open()
        code = await _until_stopped(_demo(options, household, timed), options)
    except* DemoFailed as group:
        problems.extend(_leaves(group))
    finally:
        await household.close()
    for problem in problems:
        timed(f"the demo stopped: {problem}")
    return 1 if problems else code


async def _until_stopped(work: Coroutine[None, None, int], options: Options) -> int:
    """Ctrl-C and SIGTERM end the work; what it has started is ended on the way out."""
    stop = asyncio.Event()
    with _on_signals(stop):
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work)
            stopping = group.create_task(stop.wait())
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            working.cancel()
            stopping.cancel()
    if working.cancelled():
        return _INTERRUPTED if options.auto else 0
    return working.result()


@contextmanager
def _on_signals(stop: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for each in (SIGINT, SIGTERM):
        loop.add_signal_handler(each, stop.set)
    try:
        yield
    finally:
        for each in (SIGINT, SIGTERM):
            loop.remove_signal_handler(each)


async def _demo(options: Options, household: Household, say: Say) -> int:
    panel = night.panel()
    async with _set_up(options, household, panel, say) as (scene, the_bot):
        async with asyncio.TaskGroup() as group:
            killing = group.create_task(_kill_on_demand(panel, the_bot, say))
            code = await (_by_itself(options, scene) if options.auto else _with_people(scene))
            killing.cancel()
        say("ending everything …")
        return code


async def _by_itself(options: Options, scene: Scene) -> int:
    owners = Owners(scene)
    try:
        async with asyncio.TaskGroup() as group:
            owning = group.create_task(owners.play())
            receipt = await Night(scene, options.patience).play()
            owning.cancel()
    finally:
        await owners.close()
    scene.say(f"the receipt:\n\n{plain(receipt)}\n")
    return 0


async def _with_people(scene: Scene) -> int:
    """Plays as far as the people do their part, then stays open until Ctrl-C."""
    try:
        receipt = await Night(scene, Patience()).play()
        scene.say(f"the receipt:\n\n{plain(receipt)}\n")
        scene.say(f"the night is over; look around at {scene.base_url}, Ctrl-C ends it")
    except DemoFailed as error:
        scene.panel.failed(str(error))
        scene.say(f"the night stops here: {error}\nCtrl-C ends everything")
    await asyncio.Event().wait()
    return 0


async def _kill_on_demand(panel: Panel, the_bot: BotProcess, say: Say) -> None:
    while True:
        await panel.wait_for("kill")
        await the_bot.kill()
        await the_bot.start()
        say("the bot was killed, and a new one started")


@asynccontextmanager
async def _set_up(
    options: Options, household: Household, panel: Panel, say: Say
) -> AsyncIterator[tuple[Scene, BotProcess]]:
    workdir = options.workdir.resolve()
    async with AsyncExitStack() as closing:
        workspace = await closing.enter_async_context(_workspace(options, panel))
        say(f"the workspace is open: {workspace.base_url}")
        stack = Stack(workdir, options.venv.resolve(), household, _noting(say, panel))
        closing.push_async_callback(stack.close)
        closing.push_async_callback(household.close)
        the_bot = _bot(options, household, workspace, stack)
        async with asyncio.TaskGroup() as starting:
            starting.create_task(stack.start())
            starting.create_task(the_bot.start())
        alerts = AlertSender(workspace.api_url, stack.pages.url)
        closing.push_async_callback(alerts.close)
        screens = Screens(workspace.base_url)
        closing.push_async_callback(screens.close)
        scene = Scene(
            stack=stack,
            alerts=alerts,
            screens=screens,
            panel=panel,
            base_url=workspace.base_url,
            bot_is_up=lambda: workspace.connections(seed.BOT_APP) > 0,
            say=say,
        )
        yield scene, the_bot


def _workspace(options: Options, panel: Panel) -> Workspace:
    clock = SystemClock()
    return Workspace(
        seed.workspace_seed(),
        clock=lambda: clock.now().timestamp(),
        port=_port(options.port),
        page=_PAGE if _PAGE.is_dir() else None,
        routes=panel.routes(),
    )


def _bot(options: Options, household: Household, workspace: Workspace, stack: Stack) -> BotProcess:
    """A bot that remembers nothing of an earlier demo."""
    workdir = options.workdir.resolve()
    for old in (*workdir.glob("dw.db*"), *workdir.glob("receipts.anchor*")):
        old.unlink()
    config.write_rules(workdir / "dw.yml", stack.places)
    env = config.environment(workdir, slack=workspace.api_url)
    return BotProcess(household, workdir, env, options.bot_argv)


def _port(wanted: int | None) -> int:
    if wanted is None:
        return PORT if is_free(PORT) else free_ports(1)[0]
    if not is_free(wanted):
        raise WentWrong(f"port {wanted} is taken; choose another with PORT=…")
    return wanted


def _timed(say: Say) -> Say:
    loop = asyncio.get_running_loop()
    start = loop.time()
    return lambda text: say(f"{loop.time() - start:5.1f} s  {text}")


def _noting(say: Say, panel: Panel) -> Say:
    def both(text: str) -> None:
        say(text)
        panel.note(f"is being set up: {text}")

    return both


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
