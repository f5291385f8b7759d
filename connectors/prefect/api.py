"""One door to one Prefect. A reader's goes to reading addresses only; an actuator's to the runs of its deployments too."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from connectors.errors import ConnectorError, Forbidden, NoSuch, Rejected
from connectors.http import NOTHING_DONE, Answer, Gate, Http, Patience, Request
from connectors.listening import Listener, complaints
from connectors.prefect.address import Address, login

Body = Mapping[str, Any]
#: Prefect asks by POST as well; these change nothing
READS = ("flow_runs/filter", "flow_runs/count", "task_runs/filter", "logs/filter")
NAMES = ("deployments/filter", "flows/filter")
PAGE = 200  # the server refuses to give more at once
_REFUSED = (
    f"it refused the login (HTTP 401): missing, wrong or expired; {NOTHING_DONE}. Check it. {{0}}"
)
_CHECK_NAME = f"{NOTHING_DONE}. Check the name in dw.yml"
_CHECK_ASKED = f"{NOTHING_DONE}. Check what is asked for, and its version"
_HOW = "A server of one's own takes user:password as token, Prefect Cloud an API key"


class Api(Listener):
    """Asks. With `writes` it may also create a run of a deployment, and nothing else."""

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
        self._posts: dict[str, Callable[[bytes], bool]] = {
            f"{self._root}/{path}": bool for path in (*READS, *NAMES)
        }
        self._http = Http(
            connection,
            self.address.api,
            headers=login(token),
            transport=Gate(transport or httpx.AsyncHTTPTransport(), self._posts),
            patience=patience,
        )

    async def get(self, path: str) -> Any:
        """The JSON at this path; tried again after a hiccup, also one of the server's own."""
        return await self._http.again(lambda: self._got(path))

    async def ask(self, path: str, body: Body) -> Any:
        """What a filter finds; tried again as well, for it changes nothing."""
        return await self._http.again(lambda: self._told(path, body))

    async def create_run(self, deployment_id: str, body: Body) -> Any:
        """One run of a deployment; sent once. `body` needs its idempotency key."""
        path = f"deployments/{deployment_id}/create_flow_run"
        if self._writes:  # else the gate is shut to it
            self._posts[f"{self._root}/{path}"] = _has_key
        return await self._told(path, body)

    def _secrets(self) -> tuple[str | None, ...]:
        return (self._token, (self._token or "").partition(":")[2] or None)

    async def _got(self, path: str) -> Any:
        return self._good(await self._http.once(Request(url=f"/{path}")))

    async def _told(self, path: str, body: Body) -> Any:
        return self._good(await self._http.post(f"/{path}", body))

    def _good(self, answer: Answer) -> Any:
        problem = self._problem(answer)
        if problem is not None:
            raise problem
        return answer.json()

    def _problem(self, answer: Answer) -> ConnectorError | None:
        fault = answer.fault()
        if fault is None:
            return None
        said = self.clean(_words(answer)).removesuffix(".")
        match answer.status:
            case 401:
                return Forbidden(_REFUSED.format(_HOW), connection=self.connection)
            case 404 if said and said != "Not Found":
                says = f"it has no such thing ({said}); {_CHECK_NAME}"
                return NoSuch(says, connection=self.connection)
            case 400 | 409 | 422:
                says = f"it refused: {said or 'it gave no reason'}; {_CHECK_ASKED}"
                return Rejected(says, connection=self.connection)
            case _:
                return fault


def _words(answer: Answer) -> str:
    """Prefect explains itself in one of three places."""
    body = answer.told()
    detail = body.get("exception_detail")
    if isinstance(detail, list):
        return complaints(detail)
    return str(body.get("detail") or body.get("exception_message") or "")


def _has_key(body: bytes) -> bool:
    return bool(json.loads(body).get("idempotency_key"))
