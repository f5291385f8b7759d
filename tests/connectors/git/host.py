"""A host of repositories: the real `git http-backend`, behind a login, on this machine's loopback."""

import asyncio
import os
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from tests.connectors.git.repositories import GIT

TOKEN = "planted-token-of-the-host"


def basic(user: str, token: str) -> str:
    return "Basic " + b64encode(f"{user}:{token}".encode()).decode()


@dataclass
class Host:
    """`answer` is said instead of the repository; `asked` are the services that were wanted."""

    root: Path
    user: str = "x-access-token"
    token: str = TOKEN
    url: str = ""
    answer: Callable[[], web.Response] | None = None
    wait: float = 0
    asked: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    commands: set[str] = field(default_factory=set)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(f"{request.path.rpartition('/')[2]} {request.query_string}".strip())
        self.seen.append(request.headers.get("Authorization", ""))
        self.commands |= running()
        await asyncio.sleep(self.wait)
        if self.answer is not None:
            return self.answer()
        if self.seen[-1] != basic(self.user, self.token):
            return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="host"'})
        return await self._backend(request)

    async def _backend(self, request: web.Request) -> web.Response:
        body = await request.read()
        env = {
            "PATH": os.defpath,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PATH_INFO": request.path,
            "QUERY_STRING": request.query_string,
            "REQUEST_METHOD": request.method,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            "REMOTE_USER": self.user,
        }
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            GIT, "http-backend", env=env, stdin=pipe, stdout=pipe, stderr=pipe
        )
        out, _ = await process.communicate(body)
        head, _, rest = out.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        status = int(headers.pop("Status", "200").split()[0])
        return web.Response(status=status, body=rest, headers=headers)


def running() -> set[str]:
    """The command lines of everything that runs here and is called git."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if "git" in line.split(" ")[0]:
            found.add(line)
    return found


@asynccontextmanager
async def a_host(root: Path) -> AsyncIterator[Host]:
    host = Host(root)
    app = web.Application(client_max_size=2**26)
    app.router.add_route("*", "/{tail:.*}", host.serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield host
    finally:
        await runner.cleanup()
