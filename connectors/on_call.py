"""What readers of on-call schedules share: one question, who is on call, answered with email addresses."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ValidationError

from connectors.base import Reader
from connectors.errors import Malformed
from connectors.http import Gate, Http, Patience
from connectors.params import Params
from policies.evidence import Evidence, Probe

M = TypeVar("M", bound=BaseModel)


_NOBODY_TOLD = "its answer does not tell who is on call. Nothing is assumed from it: check the schedule and the address"


class OnCallParams(Params):
    """Which schedule: its id, or where the system knows it, its name."""

    schedule: str


class OnCall(Reader):
    """A reader of schedules; it sends nothing but GET."""

    kind: ClassVar[str]
    probes: ClassVar[Mapping[str, type[BaseModel]]] = {"on_call": OnCallParams}

    def __init__(
        self,
        connection: str,
        base: str,
        *,
        headers: Mapping[str, str],
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        gate = Gate(transport or httpx.AsyncHTTPTransport(), {})
        self._http = Http(
            connection, base.rstrip("/"), headers=headers, transport=gate, patience=patience
        )

    @abstractmethod
    def _path(self, schedule: str, at: datetime) -> str: ...

    @abstractmethod
    def _emails(self, told: object) -> Sequence[str]: ...

    async def on_call(self, schedule: str, at: datetime) -> tuple[str, ...]:
        """The email of everybody on call at `at`; empty when nobody is. Raises `ConnectorError`."""
        return tuple(self._emails(await self._get(self._path(schedule, at))))

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.close()

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        path = self._path(str(getattr(params, "schedule", "")), now)
        people = list(self._emails(await self._get(path)))
        return Evidence(
            id=evidence_id, probe=probe, at=now, value={"people": list(people)}, query=f"GET {path}"
        )

    async def _get(self, path: str) -> object:
        answer = await self._http.get(path)
        fault = answer.fault()
        if fault is not None:
            raise fault
        return answer.json()

    def _model(self, cls: type[M], told: object) -> M:
        try:
            return cls.model_validate(told)
        except ValidationError:
            problem = Malformed(_NOBODY_TOLD, connection=self.connection)
        raise problem


def segment(name: str) -> str:
    """A name as one part of a path, whatever it holds."""
    return quote(name, safe="")
