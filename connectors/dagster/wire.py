"""What Dagster answers, as far as we read it: tolerant of more fields, strict about the ones we use."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from connectors.code_ids import commit_in, commit_of
from policies.run import Run, RunState

PARTITION_TAG = "dagster/partition"
RANGE_START_TAG = "dagster/asset_partition_range_start"
RANGE_END_TAG = "dagster/asset_partition_range_end"
LOCATION_TAG = "dagster/code_location"
_BACKFILL_TAG = "dagster/backfill"
_IMAGE_TAG = "dagster/image"
_REASON_TAG = "dagster/failure_reason"
_MODULES = re.compile(r"^(?:\w+\.)+(?=\w+: )")
_WRAPPINGS = ("RetryRequestedFromPolicy", "RetryRequested", "DagsterExecutionStepExecutionError")
_STATES = {
    "QUEUED": RunState.QUEUED,
    "NOT_STARTED": RunState.QUEUED,
    "MANAGED": RunState.QUEUED,
    "SUCCESS": RunState.SUCCEEDED,
    "FAILURE": RunState.FAILED,
    "CANCELED": RunState.CANCELLED,
}


#: since the epoch, as far as there is a calendar
Seconds = Annotated[float, Field(ge=0, le=253_402_300_799)]
Milliseconds = Annotated[str, Field(pattern=r"^\d{1,14}$")]


class Wire(BaseModel):
    """Base of what comes over the wire: unknown fields are left alone, names are Dagster's."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Key(Wire):
    """An asset key."""

    path: list[str]

    def __str__(self) -> str:
        """The parts joined with `/`."""
        return "/".join(self.path)


class Tag(Wire):
    """A key and a value."""

    key: str
    value: str


class Keyed(Wire):
    """Something that has an asset key as `key`."""

    key: Key


class Fault(Wire):
    """A link of a chain of exceptions."""

    message: str = ""
    kind: str | None = Field(None, alias="className")

    def words(self) -> str:
        """What it says, without the path of its module."""
        return _MODULES.sub("", self.message.strip())


class PythonError(Fault):
    """An exception on the other side, with everything that caused it, outermost first."""

    causes: list[Fault] = Field(default_factory=list)

    def headline(self) -> str:
        """The first line of the outermost one."""
        return self.words().split("\n", maxsplit=1)[0] or "no words were given"

    def root(self) -> str:
        """What really happened: the outermost exception that is not Dagster's wrapping, and the innermost."""
        links = [each for each in (self, *self.causes) if each.message.strip()]
        bare = [each.words() for each in links if each.kind not in _WRAPPINGS]
        said = bare or [each.words() for each in links] or ["no words were given"]
        because = f" (caused by {said[-1]})" if said[-1] != said[0] else ""
        return f"{said[0]}{because}"[:1000]


class Metadata(Wire):
    """One labelled value; which field holds it depends on its type."""

    kind: str = Field(alias="__typename")
    label: str
    text: str | None = None
    int_repr: str | None = Field(None, alias="intRepr")
    number: float | None = Field(None, alias="floatValue")
    flag: bool | None = Field(None, alias="boolValue")
    timestamp: Seconds | None = None
    url: str | None = None
    path: str | None = None
    json_string: str | None = Field(None, alias="jsonString")
    md: str | None = Field(None, alias="mdStr")

    def value(self) -> JsonValue:
        """The value; None for types that hold no single value."""
        if self.int_repr is not None:
            return _parsed(self.int_repr)
        if self.json_string is not None:
            return _parsed(self.json_string)
        if self.timestamp is not None:
            return iso(self.timestamp)
        plain = (self.text, self.number, self.flag, self.url, self.path, self.md)
        return next((value for value in plain if value is not None), None)


def _parsed(text: str) -> JsonValue:
    """What is no JSON after all stays the text it is."""
    try:
        found: JsonValue = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return text[:1000]
    return found


def metadata(entries: Iterable[Metadata]) -> dict[str, JsonValue]:
    """Label → value."""
    return {entry.label: entry.value() for entry in entries}


class WireRun(Wire):
    """A run."""

    run_id: str = Field(alias="runId")
    job: str = Field(alias="jobName")
    status: str
    created: Seconds | None = Field(None, alias="creationTime")
    started: Seconds | None = Field(None, alias="startTime")
    ended: Seconds | None = Field(None, alias="endTime")
    parent: str | None = Field(None, alias="parentRunId")
    tags: list[Tag] = Field(default_factory=list)
    assets: list[Keyed] = Field(default_factory=list)

    def run(self, connection: str, base: str) -> Run:
        """The same in the house's words."""
        tags = tag_map(self.tags)
        return Run(
            connection=connection,
            id=self.run_id,
            job=self.job,
            state=_STATES.get(self.status, RunState.RUNNING),
            url=f"{base}/runs/{self.run_id}",
            partition=partition_of(tags),
            assets=tuple(sorted(str(asset.key) for asset in self.assets)),
            tags=tags,
            created_at=moment(self.created),
            started_at=moment(self.started),
            ended_at=moment(self.ended),
            backfill=tags.get(_BACKFILL_TAG),
            says=tags.get(_REASON_TAG, "").replace("_", " ").lower(),
        )


class Versioned(Wire):
    """What a run or a job tells of the code it uses."""

    run_id: str = Field("", alias="runId")
    ended: Seconds | None = Field(None, alias="endTime")
    snapshot: str | None = Field(None, alias="pipelineSnapshotId")
    tags: list[Tag] = Field(default_factory=list)

    def code_version(self) -> str | None:
        """The image it ran in, else the snapshot of the job's shape (not of the functions' bodies)."""
        image = tag_map(self.tags).get(_IMAGE_TAG)
        if image:
            return f"image {image}"
        return f"snapshot {self.snapshot[:12]}" if self.snapshot else None

    def commit(self) -> str | None:
        """The commit that one of its tags names, else the tag of its image."""
        tags = tag_map(self.tags)
        return commit_of(tags) or commit_in(tags.get(_IMAGE_TAG))


def tag_map(tags: Iterable[Tag]) -> dict[str, str]:
    """Tags as a mapping."""
    return {tag.key: tag.value for tag in tags}


def partition_of(tags: Mapping[str, str]) -> str | None:
    """The one partition a run is about; None for none, or for a range of several."""
    start, end = tags.get(RANGE_START_TAG), tags.get(RANGE_END_TAG)
    return tags.get(PARTITION_TAG) or (start if start == end else None)


def moment(seconds: float | None) -> datetime | None:
    """UTC time of seconds since the epoch."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def iso(seconds: float | None) -> str | None:
    """The same as text."""
    at = moment(seconds)
    return at.isoformat() if at else None


def iso_ms(milliseconds: str) -> str | None:
    """The same for event times, which are strings of milliseconds."""
    return iso(int(milliseconds) / 1000)
