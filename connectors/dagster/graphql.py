"""Asks Dagster one of our documents and tells apart the many ways in which it says no."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
from pydantic import JsonValue

from connectors.dagster.queries import READS, WRITES
from connectors.dagster.wire import PythonError
from connectors.errors import Broken, ConnectorError, Forbidden, Malformed, NotFound, Rejected
from connectors.http import NOTHING_DONE, UNKNOWN, Answer, Gate, Http, Patience
from connectors.listening import Listener

Data = Mapping[str, Any]
TOKEN_HEADER = "Dagster-Cloud-Api-Token"  # noqa: S105 - the name of a header
_ASSUMED = "Nothing is assumed from it: check its address and its version"
_NO_DATA = f"its answer holds no data. {_ASSUMED}"
_REFUSALS: Mapping[str, type[ConnectorError]] = {
    "RunNotFoundError": NotFound,
    "AssetNotFoundError": NotFound,
    "PipelineNotFoundError": NotFound,
    "RepositoryNotFoundError": NotFound,
    "InvalidPipelineRunsFilterError": Rejected,
    "UnauthorizedError": Forbidden,
    "PythonError": Broken,
}


class GraphQL(Listener):
    """One connection to one Dagster. `writes` opens the door to the launch document, and to no other.

    `locations` says of a job in which code location it is meant, where dw.yml does.
    """

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
        self.base = url.rstrip("/").removesuffix("/graphql")
        self.locations: Mapping[str, str | None] = {}
        self._token = token
        known = READS | WRITES if writes else READS
        path = _path(self.base, connection) + "/graphql"
        inner = transport or httpx.AsyncHTTPTransport()
        self._http = Http(
            connection,
            self.base,
            headers={TOKEN_HEADER: token} if token else {},
            transport=Gate(inner, {path: lambda body: json.loads(body).get("query") in known}),
            patience=patience,
        )

    async def read(self, document: str, **variables: JsonValue) -> Data:
        """The `data` of an answer; tried again after a hiccup."""
        return await self._http.again(lambda: self._ask(document, variables))

    async def write(self, document: str, **variables: JsonValue) -> Data:
        """The same, sent once only."""
        return await self._ask(document, variables)

    def wanted(self, answer: Any, kind: str) -> Data:
        """`answer` when it is of this type; else the refusal it is, as an error."""
        name = answer.get("__typename") if isinstance(answer, dict) else None
        if name == kind:
            return dict(answer)
        refusal = _REFUSALS.get(name) if isinstance(name, str) else None
        if refusal is None:
            says = f"it answered {self.clean(str(name), 60)} instead of {kind}. {_ASSUMED}"
            raise Malformed(says, connection=self.connection)
        says = self.model(PythonError, answer).root()
        raise refusal(self.clean(says), connection=self.connection)

    def _secrets(self) -> tuple[str | None, ...]:
        return (self._token,)

    async def _ask(self, document: str, variables: Mapping[str, JsonValue]) -> Data:
        body = {"query": document, "variables": dict(variables)}
        return self._data(await self._http.post("/graphql", body))

    def _data(self, answer: Answer) -> Data:
        """Faults hide in three places: the HTTP status, `errors`, and typed errors inside `data`."""
        fault = answer.fault()
        body = self._body(answer, fault)
        if body.get("errors"):
            raise self._errors(answer.status, body["errors"])
        data = body.get("data")
        if isinstance(data, dict) and (fault is None or _typed(data)):
            return data
        raise fault or Malformed(_NO_DATA, connection=self.connection)

    def _body(self, answer: Answer, fault: ConnectorError | None) -> dict[str, Any]:
        """The JSON of an answer; of a bad status only where Dagster explains itself in it."""
        if fault is not None and answer.status not in (400, 500):
            raise fault
        try:
            body = answer.json()
        except Malformed:
            if fault is None:
                raise
            body = None
        if isinstance(body, dict):
            return body
        raise fault or Malformed(_NO_DATA, connection=self.connection)

    def _errors(self, status: int, errors: Any) -> ConnectorError:
        said = [str(e.get("message", "")) for e in errors if isinstance(e, dict)]
        text = self.clean("; ".join(said)) or "it gave no reason"
        if status == httpx.codes.BAD_REQUEST:
            says = f"this Dagster does not know our question: {text}; {NOTHING_DONE}. Check its version"
            return Rejected(says, connection=self.connection)
        return Broken(f"it could not answer: {text}. {UNKNOWN}", connection=self.connection)


def asked(document: str, **variables: JsonValue) -> str:
    """How a piece of evidence names the question: the operation and what was filled in."""
    name = document.split("(", maxsplit=1)[0].split("{", maxsplit=1)[0].strip()
    return f"{name} {json.dumps(variables, sort_keys=True)}" if variables else name


def key_of(asset: str) -> dict[str, JsonValue]:
    """`a/b` as an asset key."""
    return {"path": list(asset.split("/"))}


def _typed(data: Data) -> bool:
    return any(isinstance(part, dict) and "__typename" in part for part in data.values())


def _path(base: str, connection: str) -> str:
    try:
        return httpx.URL(base).path.rstrip("/")
    except httpx.InvalidURL:
        says = "its url in dw.yml can't be used; write it as https://host[:port][/path]"
        problem = NotFound(says, connection=connection)
    raise problem
