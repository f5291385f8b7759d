"""The two halves of every connector: readers look, actuators change. Two classes, two credentials."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite
from typing import Any, ClassVar, TypeVar, final

from pydantic import BaseModel, ValidationError

from connectors.errors import NotFound, Rejected, TooMany, Transient, Unreachable
from policies.approval import Approved
from policies.evidence import Evidence, Json, Probe
from policies.lineage import Lineage
from policies.plan import Step
from policies.run import Run

R = TypeVar("R")


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """What `dw doctor` shows: the version where there is one, and what the credential may do."""

    version: str
    says: str = ""


class Reader(ABC):
    """Looks, never changes. `probes` maps each question to the model of its parameters."""

    probes: ClassVar[Mapping[str, type[BaseModel]]]

    def __init__(self, connection: str) -> None:
        self.connection = connection

    @abstractmethod
    async def ping(self) -> Health:
        """Raise a `ConnectorError` that tells a person what to mend."""

    @final
    async def read(self, probe: Probe, *, evidence_id: str, now: datetime) -> Evidence:
        """Answer a probe. Raises `NotFound` for an unknown one, else what the system raises."""
        if probe.name not in self.probes:
            known = ", ".join(sorted(self.probes))
            raise NotFound(f"no probe {probe.name!r}; it knows {known}", connection=self.connection)
        params = self.probes[probe.name].model_validate(dict(probe.params))
        evidence = await self._read(probe, params, evidence_id=evidence_id, now=now)
        return replace(evidence, value=_storable(dict(evidence.value)))

    @abstractmethod
    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence: ...

    async def close(self) -> None:
        """Let go of connections."""
        return


class Orchestrator(Reader):
    """A reader of something that runs things."""

    @abstractmethod
    async def run(self, run_id: str) -> Run:
        """One run as it stands; `NotFound` when there is none."""

    @abstractmethod
    async def runs_since(
        self,
        since: datetime,
        *,
        job: str | None = None,
        partition: str | None = None,
        failed_only: bool = False,
    ) -> Sequence[Run]:
        """Runs created (or, with `failed_only`, updated) since then, oldest first, all pages."""

    async def failed_between(
        self, since: datetime, until: datetime | None = None, *, most: int | None = None
    ) -> Sequence[Run]:
        """Runs that ended badly then, oldest first. Raises `TooMany`, soon, when more than `most` did."""
        found = await self.runs_since(since, failed_only=True)
        ended = [run for run in found if until is None or (run.ended_at or since) <= until]
        return not_too_many(ended, len(ended), most, self.connection)

    @abstractmethod
    async def lineage(self, asset: str) -> Lineage:
        """Assets downstream of `asset`, with owners and jobs, as this system knows them."""

    @abstractmethod
    async def code_version(self, job: str) -> str | None:
        """What identifies the code a run of this job would use, where the system tells it."""


def not_too_many(runs: Sequence[R], count: int, most: int | None, connection: str) -> Sequence[R]:
    """The same runs, or `TooMany`: there are `count` of them, and `most` are wanted."""
    if most is None or count <= most:
        return runs
    raise TooMany(f"{count:,} runs fit, and {most:,} are read in one go", connection=connection)


async def _ours() -> None:
    return


class Actuator(ABC):
    """Changes, by an `Approved` and by nothing else. `actions` maps each action to its parameters."""

    actions: ClassVar[Mapping[str, type[BaseModel]]]

    def __init__(self, connection: str) -> None:
        self.connection = connection

    @final
    async def act(
        self,
        step: Step,
        approved: Approved,
        *,
        key: str,
        now: datetime,
        hold: Callable[[], Awaitable[None]] = _ours,
    ) -> Run:
        """Start the step's run once: a run that already carries `key` is returned, not doubled.

        `hold` is asked last, and raises when somebody else does this by now: then nothing is sent.

        Raises `NotApproved` before anything is sent, `Rejected`/`NotFound`/`Forbidden` when the system
        refused (nothing runs), `Unreachable` when nothing was sent, and `TooSlow`/`Broken` when the
        outcome is unknown: then `find` must be asked, and `act` never repeated blindly.
        """
        approved.check(step, now)
        if step.action not in self.actions:
            raise NotFound(f"no action {step.action!r}", connection=self.connection)
        params = self._params(step)
        try:
            found = await self.find(key, step)
        except Transient as error:
            says = f"it can't be asked whether this runs already, so nothing was sent ({error})"
            raise Unreachable(says, connection=self.connection) from error
        if found is not None:
            return found
        await hold()
        return await self._act(step, params, key=key)

    def _params(self, step: Step) -> BaseModel:
        """As the action takes them. Raises `Rejected`: trying again would not make them fit."""
        try:
            return self.actions[step.action].model_validate(dict(step.params))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        says = f"{step.action} does not take these parameters ({wrong}). Nothing was started."
        raise Rejected(says, connection=self.connection)

    @abstractmethod
    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run: ...

    @abstractmethod
    async def find(self, key: str, step: Step) -> Run | None:
        """The run that carries this key, or None when the system surely has none."""

    async def close(self) -> None:
        """Let go of connections."""
        return


def _storable(value: Json) -> Any:
    """JSON from outside may hold half of a surrogate pair, which no database takes: it becomes `?`; and no infinity."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    return value
