"""One door to one account. Every address ends with a slash: without it dbt Cloud answers 405."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import httpx

from connectors.dbt_cloud.address import Address
from connectors.dbt_cloud.wire import OURS
from connectors.errors import ConnectorError, Forbidden, Malformed, NoSuch, Rejected
from connectors.http import NOTHING_DONE, Answer, Gate, Http, Patience, Request
from connectors.listening import Listener

Query = Mapping[str, str | int]
_NO_DATA = "its answer has no data. Nothing is assumed from it: check its address and its version"
PAGE = 100  # the server gives no more at once
_LONGEST_FILE = 200_000_000  # bytes; the manifest of 5,000 models has 70 MB


class Api(Listener):
    """Asks. With `writes` it may also trigger runs of jobs that carry a key of ours, and nothing else."""

    def __init__(
        self,
        connection: str,
        url: str,
        token: str | None,
        *,
        writes: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self.address = Address.of(url, connection)
        self._token = token
        self._writes = writes
        self._root = httpx.URL(self.address.api).path
        self._posts: dict[str, Callable[[bytes], bool]] = {}
        self._http = Http(
            connection,
            self.address.api,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            transport=Gate(transport or httpx.AsyncHTTPTransport(), self._posts),
            patience=patience,
        )

    async def get(self, path: str, query: Query | None = None) -> Any:
        """The `data` at this path (without slashes at its ends); tried again after a hiccup."""
        return await self._http.again(lambda: self._got(path, query or {}))

    async def artifact(self, run_id: int, name: str, step: int | None = None) -> bytes:
        """A file that a run left behind; `NotFound` when it is not there, or not there yet."""
        at = f"?step={step}" if step is not None else ""

        async def once() -> bytes:
            request = Request(url=f"/runs/{run_id}/artifacts/{name}{at}")
            answer = await self._http.once(request, most=_LONGEST_FILE)
            self._good(answer)
            return answer.response.content

        return await self._http.again(once)

    async def trigger(self, job_id: int, body: Mapping[str, Any]) -> Any:
        """One run of a job; sent once. `body` needs a cause that holds our key."""
        path = f"/jobs/{job_id}/run/"
        if self._writes:  # else the gate is shut to it
            self._posts[f"{self._root}{path}"] = _is_ours
        answer = await self._http.post(path, body)
        self._good(answer)
        return self._data(answer)

    def _secrets(self) -> tuple[str | None, ...]:
        return (self._token,)

    async def _got(self, path: str, query: Query) -> Any:
        asked = f"?{urlencode(query)}" if query else ""
        url = f"/{path}/{asked}" if path else f"/{asked}"
        answer = await self._http.once(Request(url=url))
        self._good(answer)
        return self._data(answer)

    def _good(self, answer: Answer) -> None:
        problem = self._problem(answer)
        if problem is not None:
            raise problem

    def _data(self, answer: Answer) -> Any:
        """What the envelope holds. It may say no although the status says yes."""
        body = answer.json()
        if not isinstance(body, dict) or "data" not in body:
            raise Malformed(_NO_DATA, connection=self.connection)
        status = body.get("status")
        if isinstance(status, dict) and status.get("is_success") is False:
            raise self._no(self.clean(_words(body)))
        return body["data"]

    def _no(self, said: str) -> ConnectorError:
        says = f"it refused: {said or 'it gave no reason'}; {NOTHING_DONE}. Check what is asked for"
        return Rejected(says, connection=self.connection)

    def _problem(self, answer: Answer) -> ConnectorError | None:
        fault = answer.fault()
        if fault is None:
            return None
        said = self.clean(_words(answer.told())).removesuffix(".")
        match answer.status:
            case 401:
                why = "it refused the token (HTTP 401): missing, wrong, expired or of another host"
                return Forbidden(f"{why}; {NOTHING_DONE}. Check it", connection=self.connection)
            case 403:
                why = f"the token may not do this ({said or 'HTTP 403'})"
                says = f"{why}; {NOTHING_DONE}. Check what it may do"
                return Forbidden(says, connection=self.connection)
            case 404 if answer.told():
                why = f"it has no such thing, or the token may not see it ({said or 'HTTP 404'})"
                return NoSuch(f"{why}; {NOTHING_DONE}. Check both", connection=self.connection)
            case 400 | 409 | 422:
                return self._no(said)
            case _:
                return fault


def _words(body: Mapping[str, Any]) -> str:
    status = body.get("status")
    told = status if isinstance(status, dict) else {}
    said = told.get("user_message") or told.get("developer_message") or body.get("detail")
    return str(said or "")


def _is_ours(body: bytes) -> bool:
    return str(json.loads(body).get("cause", "")).startswith(OURS)
