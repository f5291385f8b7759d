"""Has the run come that a job's schedule promises, or is its sensor still looked at? And is a daemon there?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, JsonValue

from connectors.dagster import queries
from connectors.dagster.daemons import QUEUE, SCHEDULER, SENSOR, last_sign
from connectors.dagster.graphql import GraphQL
from connectors.dagster.params import ExpectedRun
from connectors.dagster.wire import PythonError, Seconds, Wire, WireRun, iso
from connectors.dagster.workspace import Place, locate

_HOME_TAG = ".dagster/repository"
_RUNNING, _FAILED, _WAITS = "RUNNING", "FAILURE", ("QUEUED", "NOT_STARTED")


class _Tick(Wire):
    at: Seconds = Field(alias="timestamp")
    status: str
    error: PythonError | None = None


class _Since(Wire):
    began: Seconds | None = Field(None, alias="startTimestamp")


class _State(Wire):
    status: str
    ticks: list[_Tick] = Field(default_factory=list)
    data: _Since | None = Field(None, alias="typeSpecificData")


class _Schedule(Wire):
    name: str
    job: str | None = Field(None, alias="pipelineName")
    times: list[Seconds] = Field(default_factory=list, alias="potentialTickTimestamps")
    state: _State = Field(alias="scheduleState")


class _Target(Wire):
    job: str | None = Field(None, alias="pipelineName")


class _Sensor(Wire):
    name: str
    every: Seconds = Field(alias="minIntervalSeconds")
    targets: list[_Target] | None = None
    state: _State = Field(alias="sensorState")


class _Repository(Wire):
    schedules: list[_Schedule] = Field(default_factory=list)
    sensors: list[_Sensor] = Field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Owed:
    """Something that should have happened, by when (seconds), which daemon does it, and what is known."""

    at: float
    daemon: str
    says: str


async def expected(graphql: GraphQL, params: ExpectedRun) -> dict[str, JsonValue]:
    """The value of the probe `expected`: `due_at` of what has not begun, None when nothing is missing.

    `held` says why no run is expected at all, `began_at` when the newest run began, `says` what is known.
    """
    place = await locate(graphql, params.job)
    now = params.at.timestamp() if params.at else None
    repository = await _repository(graphql, place, now)
    newest = await _newest(graphql, place)
    owed = sorted(_owed(repository, params.job, newest), key=lambda one: one.at)
    first = owed[0] if owed else None
    return {
        "due_at": iso(first.at) if first else None,
        "held": _held(repository, params.job),
        "began_at": iso(newest.started) if newest else None,
        "says": f"{first.says}; {await last_sign(graphql, first.daemon)}" if first else "",
        "url": f"{graphql.base}/locations/{place.repository}@{place.location}/jobs/{params.job}",
    }


async def _repository(graphql: GraphQL, place: Place, now: float | None) -> _Repository:
    where = place.selector()
    del where["jobName"]
    data = await graphql.read(queries.AUTOMATION, where=where, at=now)
    answer = graphql.wanted(data.get("repositoryOrError"), "Repository")
    return graphql.model(_Repository, answer)


async def _newest(graphql: GraphQL, place: Place) -> WireRun | None:
    wanted: dict[str, JsonValue] = {"pipelineName": place.job}
    if graphql.locations.get(place.job):  # another location may have a job of this name
        home = f"{place.repository}@{place.location}"
        wanted["tags"] = [{"key": _HOME_TAG, "value": home}]
    data: Any = await graphql.read(queries.RUNS, filter=wanted, cursor=None, limit=1)
    answer = graphql.wanted(data.get("runsOrError"), "Runs")
    found = graphql.models(WireRun, answer.get("results"))
    return found[0] if found else None


def _owed(found: _Repository, job: str, newest: WireRun | None) -> Iterator[_Owed]:
    if newest and newest.status in _WAITS and newest.created:
        says = f"run {newest.run_id[:8]} is queued"
        yield _Owed(at=newest.created, daemon=QUEUE, says=says)
    for schedule in _schedules(found, job):
        yield from _of_schedule(schedule)
    for sensor in _sensors(found, job):
        yield from _of_sensor(sensor)


def _of_schedule(schedule: _Schedule) -> Iterator[_Owed]:
    """Its last hour came without a tick, or with one that failed. One that was just switched on owes nothing."""
    tick, state = next(iter(schedule.state.ticks), None), schedule.state
    began = (state.data.began if state.data else None) or (tick.at if tick else None)
    past = schedule.times[:-1]  # the last one is still to come
    due = max((at for at in past if began is not None and at >= began), default=None)
    if state.status != _RUNNING or due is None:
        return
    if tick is None or tick.at < due:
        says = f"its schedule {schedule.name} did not fire"
        yield _Owed(at=due, daemon=SCHEDULER, says=says)
    elif tick.status == _FAILED:
        why = tick.error.headline() if tick.error else "it gives no reason"
        says = f"its schedule {schedule.name} fired and failed: {why}"
        yield _Owed(at=due, daemon=SCHEDULER, says=says)


def _of_sensor(sensor: _Sensor) -> Iterator[_Owed]:
    tick = next(iter(sensor.state.ticks), None)
    if sensor.state.status == _RUNNING and tick is not None:
        says = f"its sensor {sensor.name} was last looked at {iso(tick.at)}"
        yield _Owed(at=tick.at + sensor.every, daemon=SENSOR, says=says)


def _held(found: _Repository, job: str) -> str | None:
    """Nothing starts it by itself, because people switched that off; or because nothing ever does."""
    all_: Sequence[_Schedule | _Sensor] = [*_schedules(found, job), *_sensors(found, job)]
    if not all_:
        return "it has no schedule and no sensor"
    if any(one.state.status == _RUNNING for one in all_):
        return None
    return f"{', '.join(one.name for one in all_)} is switched off"


def _schedules(found: _Repository, job: str) -> list[_Schedule]:
    return [one for one in found.schedules if one.job == job]


def _sensors(found: _Repository, job: str) -> list[_Sensor]:
    return [one for one in found.sensors if any(t.job == job for t in one.targets or ())]
