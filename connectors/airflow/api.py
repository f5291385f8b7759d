"""One door to one Airflow: finds out which version it is, proves who we are, tells refusals apart.

An upgrade moves the API to another address; then the version is found out anew and the read repeated.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx

from connectors.airflow.answers import (
    Version,
    elsewhere,
    no_right,
    refused,
    version_in,
    words,
)
from connectors.airflow.doors import Door, Headers
from connectors.airflow.wire import OURS
from connectors.errors import (
    ConnectorError,
    Forbidden,
    NoSuch,
    NotFound,
    Rejected,
    Throttled,
)
from connectors.http import NOTHING_DONE, Answer, Gate, Http, Patience, Request
from connectors.listening import Listener

Query = Mapping[str, str | int | Sequence[str]]
_CHECK_NAME = f"{NOTHING_DONE}. Check the name in dw.yml"
_CHECK_ASKED = f"{NOTHING_DONE}. Check what is asked for, and its version"
_NO_AIRFLOW = (
    "there is no Airflow 2 or 3 at this address{0}; nothing was read. Check the url in dw.yml{1}"
)
_PREFIXES = ("/api/v2", "/api/v1")


class Api(Listener):
    """Asks and, with `dags`, may queue runs of exactly these; on Airflow 2, for 3 has no such address."""

    def __init__(
        self,
        connection: str,
        url: str,
        door: Door,
        *,
        dags: frozenset[str] = frozenset(),
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self.base = base_of(url)
        self._door = door
        self._version: Version | None = None
        inner = door.through(transport or httpx.AsyncHTTPTransport())
        root = urlsplit(self.base).path.rstrip("/")
        starts = {f"{root}/api/v1/{runs_of(dag)}": _is_ours for dag in dags}
        posts = dict.fromkeys(door.logins, bool) | starts
        self._http = Http(
            connection,
            self.base,
            headers={"Accept": "application/json"},
            transport=Gate(inner, posts),
            patience=patience,
        )

    async def version(self, *, fresh: bool = False) -> Version:
        """What it is; asked once, and again when it is not where it was."""
        return await self._http.again(lambda: self._known(fresh=fresh))

    async def get(self, path: str, query: Query | None = None) -> Any:
        """The JSON at this path below the API; tried again after a hiccup, after an upgrade, after a login."""
        return await self._http.again(lambda: self._got(path, query or {}))

    async def ending(self, path: str, query: Query, *, accept: str, keep: int, most: int) -> Answer:
        """The last `keep` bytes of a long answer."""
        version = await self.version()
        url = version.prefix + located(path, query)

        async def ask(headers: Headers) -> Answer:
            told = {**headers, "Accept": accept}
            return await self._http.ending(url, told, keep=keep, most=most)

        answer = await self._admitted(version.prefix, ask)
        problem = self.problem(answer)
        if problem is not None:
            raise problem
        return answer

    async def queue(self, dag: str, body: Mapping[str, Any]) -> Answer:
        """One POST of a run, sent once; sent again only when the login had ended and nothing was done."""
        url = f"/api/v1/{runs_of(dag)}"
        return await self._authorised(Request(method="POST", url=url, json=body), "/api/v1")

    def problem(self, answer: Answer) -> ConnectorError | None:
        """What an answer means, in words; None for a good one."""
        fault = answer.fault()
        if fault is None:
            return None
        said = self.clean(words(answer))
        match answer.status:
            case 404 if not elsewhere(answer):
                says = f"it has no such thing ({said}); {_CHECK_NAME}"
                return NoSuch(says, connection=self.connection)
            case 400 | 409 | 422:
                says = f"it refused: {said or 'it gave no reason'}; {_CHECK_ASKED}"
                return Rejected(says, connection=self.connection)
            case 401 | 403:
                says = no_right(answer, said, self._version)
                return Forbidden(says, connection=self.connection)
            case _:
                return fault

    def _secrets(self) -> tuple[str, ...]:
        return self._door.secrets

    async def _known(self, *, fresh: bool = False) -> Version:
        if self._version is None or fresh:
            self._version = await self._detect()
        return self._version

    async def _got(self, path: str, query: Query) -> Any:
        version = await self._known()
        answer = await self._asked(path, query, version)
        if elsewhere(answer):
            moved = await self._known(fresh=True)
            answer = await self._asked(path, query, moved) if moved != version else answer
        problem = self.problem(answer)
        if problem is not None:
            raise problem
        return answer.json()

    async def _asked(self, path: str, query: Query, version: Version) -> Answer:
        url = version.prefix + located(path, query)
        return await self._authorised(Request(url=url), version.prefix)

    async def _authorised(self, request: Request, prefix: str) -> Answer:
        return await self._admitted(
            prefix, lambda headers: self._http.once(replace(request, headers=headers))
        )

    async def _admitted(self, prefix: str, ask: Callable[[Headers], Awaitable[Answer]]) -> Answer:
        """Ask with our credential, and once more with a new one when it has ended."""
        headers = await self._door.headers(self._http.once, prefix)
        answer = await ask(headers)
        if refused(answer) and self._door.renews(headers):
            answer = await ask(await self._door.headers(self._http.once, prefix))
        return answer

    async def _detect(self) -> Version:
        problem: ConnectorError | None = None
        for prefix in _PREFIXES:
            answer = await self._http.once(Request(url=f"{prefix}/version"))
            if refused(answer):
                answer = await self._authorised(Request(url=f"{prefix}/version"), prefix)
            found = version_in(answer)
            if found is not None:
                return found
            problem = problem or _serious(answer)
            if isinstance(problem, Throttled):
                break
        raise problem or NotFound(_NO_AIRFLOW.format("", ""), connection=self.connection)


def base_of(url: str) -> str:
    """The address that people copy from their browser, without what belongs to a page."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/").removesuffix("/home").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def segment(text: str) -> str:
    """One part of a path: run ids hold `+` and `:`."""
    return quote(text, safe="")


def runs_of(dag: str) -> str:
    """Where the runs of a DAG are."""
    return f"dags/{segment(dag)}/dagRuns"


def located(path: str, query: Query) -> str:
    """`/path?query`; a sequence repeats its key, which both versions read as `any of`."""
    return f"/{path}?{urlencode(query, doseq=True)}" if query else f"/{path}"


def _is_ours(body: bytes) -> bool:
    return str(json.loads(body).get("dag_run_id", "")).startswith(OURS)


def _serious(answer: Answer) -> ConnectorError | None:
    """A fault that has nothing to do with which version it is: either address may be unknown to the other."""
    if answer.status in (404, 405):
        return None
    return answer.fault() or _another(answer)


def _another(answer: Answer) -> ConnectorError:
    kind = answer.response.headers.get("content-type", "no content type").split(";")[0][:60]
    says = _NO_AIRFLOW.format(f" (it gave {kind})", ", and whether a login page is before it")
    return NotFound(says, connection=answer.connection)
