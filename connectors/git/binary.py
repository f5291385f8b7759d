"""The `git` binary, held on a short leash: few verbs, no configuration but ours, bounded time and size.

Whatever a person or a machine has configured for git (helpers, hooks, rewriting of URLs, prompts) does not
count here. A secret is in the environment of the child alone: not in its arguments, nor in any file.
"""

import asyncio
import os
import shutil
import signal
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from connectors.errors import Malformed, NotFound, Rejected, TooSlow
from connectors.git.refusals import meaning
from connectors.masking import masked

#: all that is ever asked of git; each only looks, or brings something here
VERBS = frozenset({"version", "init", "ls-remote", "fetch", "rev-parse", "rev-list", "log"})
NETWORK = frozenset({"ls-remote", "fetch"})
#: the user that hosts take a token from where dw.yml names none
USER = "x-access-token"
_LOOK_EVERY = 0.2
_CHUNK = 65536
_FIXED = {
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.fsmonitor": "false",
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "log.mailmap": "false",
    "log.showSignature": "false",
    "protocol.version": "2",
    "http.followRedirects": "false",
    "remote.origin.pushurl": "ext::false",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """Seconds for what goes over the network and for what does not; bytes for the copy and for an answer."""

    network: float = 120
    local: float = 20
    size: int = 512 * 1024 * 1024
    answer: int = 4 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Remote:
    """Where the repository is and how it knows us. `url` holds no secret."""

    connection: str
    url: str
    user: str = USER
    token: str | None = field(default=None, repr=False)

    @property
    def scheme(self) -> str:
        """The one protocol that may be spoken."""
        return urlsplit(self.url).scheme

    @property
    def header(self) -> str | None:
        """How the token goes over HTTP."""
        if self.token is None or not self.scheme.startswith("http"):
            return None
        pair = b64encode(f"{self.user}:{self.token}".encode()).decode()
        return f"Authorization: Basic {pair}"


@dataclass(kw_only=True, slots=True)
class _Said:
    """What came of one call."""

    out: bytearray = field(default_factory=bytearray)
    err: bytearray = field(default_factory=bytearray)
    endless: bool = False
    too_large: bool = False


class Git:
    """Runs git against one remote and the copy of it in `folder`."""

    def __init__(self, remote: Remote, folder: Path, bounds: Bounds) -> None:
        self.remote, self.folder, self.bounds = remote, folder, bounds

    async def ask(self, verb: str, *words: str) -> bytes:
        """What git prints. Raises `ConnectorError` with what a person can do about it."""
        if verb not in VERBS:
            raise Rejected(f"git {verb} is never run", connection=self.remote.connection)
        network = verb in NETWORK
        process = await asyncio.create_subprocess_exec(
            _binary(self.remote.connection),
            *self._before(verb),
            verb,
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(self.remote, network=network),
            start_new_session=True,
        )
        seconds = self.bounds.network if network else self.bounds.local
        said = await self._listened(process, seconds)
        said.too_large |= verb == "fetch" and await self.too_large()
        self._refuse_too_much(said)
        if process.returncode:
            raise meaning(self._clean(said.err), self.remote.connection, self.remote.url)
        return bytes(said.out)

    def _before(self, verb: str) -> Sequence[str]:
        if verb in ("version", "init"):
            return ()
        return ("--git-dir", str(self.folder), "--literal-pathspecs", "--no-pager")

    async def _listened(self, process: asyncio.subprocess.Process, seconds: float) -> _Said:
        said = _Said()
        try:
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read(process, process.stdout, said.out, said))
                tasks.create_task(self._read(process, process.stderr, said.err, said))
                watch = tasks.create_task(self._watch(process, said))
                await process.wait()
                watch.cancel()
        except TimeoutError:
            problem = TooSlow(
                f"git did not end within {seconds:g} s; it was stopped and nothing is assumed",
                connection=self.remote.connection,
            )
        else:
            return said
        finally:
            await _ended(process)
        raise problem

    async def _read(
        self,
        process: asyncio.subprocess.Process,
        stream: asyncio.StreamReader | None,
        into: bytearray,
        said: _Said,
    ) -> None:
        while stream is not None and (chunk := await stream.read(_CHUNK)):
            if len(into) + len(chunk) > self.bounds.answer:
                said.endless = True
                _kill(process)
            else:
                into += chunk

    async def _watch(self, process: asyncio.subprocess.Process, said: _Said) -> None:
        while process.returncode is None:
            if await self.too_large():
                said.too_large = True
                _kill(process)
            await asyncio.sleep(_LOOK_EVERY)

    async def too_large(self) -> bool:
        """True when the copy is larger than it may be."""
        return await asyncio.to_thread(_size, self.folder) > self.bounds.size

    def _refuse_too_much(self, said: _Said) -> None:
        where = self.remote.connection
        if said.too_large:
            most = self.bounds.size // (1024 * 1024)
            raise Rejected(
                f"its history is larger than {most} MB, so it was not copied whole and nothing is assumed"
                " of it. Name one branch in dw.yml",
                connection=where,
            )
        if said.endless:
            raise Malformed("git printed more than can be read", connection=where)

    def _clean(self, said: bytearray) -> str:
        header = self.remote.header
        pair = header.rpartition(" ")[2] if header else None
        return masked(said.decode("utf-8", "replace"), self.remote.token, pair)


def environment(remote: Remote, *, network: bool) -> Mapping[str, str]:
    """All that the child knows. Without `network` no protocol at all may be spoken."""
    config = {**_FIXED, "remote.origin.url": remote.url}
    if network and remote.header:
        config[f"http.{remote.url}.extraHeader"] = remote.header
    found = {
        "PATH": os.defpath,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_SSH_COMMAND": "ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ALLOW_PROTOCOL": remote.scheme if network else "",
        "GIT_CONFIG_COUNT": str(len(config)),
    }
    for number, (key, value) in enumerate(config.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def _binary(connection: str, which: Callable[[str], str | None] = shutil.which) -> str:
    found = which("git")
    if found is None:
        raise NotFound(
            "git is not installed here, so nobody can tell who changed the code. Install git",
            connection=connection,
        )
    return found


def _size(folder: Path) -> int:
    """Bytes under a folder; files that vanish meanwhile do not count."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(here) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def _kill(process: asyncio.subprocess.Process) -> None:
    """It and the helpers that it started."""
    if process.returncode is not None:
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Nobody waits for it any more: it must not go on."""
    _kill(process)
    await process.wait()
