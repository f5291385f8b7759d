"""What each question to Airflow needs. A run id is `dag/run id`; where a job is given, it may be bare."""

from pydantic import AwareDatetime, Field, JsonValue

from connectors.params import Params
from policies.run import within

INTERVAL = r"^\d{4}-\d\d-\d\dT[^/\s]+Z/\d{4}-\d\d-\d\dT[^/\s]+Z$"


class OfRun(Params):
    """Which run."""

    run_id: str
    job: str | None = None

    @property
    def id(self) -> str:
        """Unique in this Airflow."""
        inside = self.job is None or self.run_id.startswith(f"{self.job}/")
        return self.run_id if inside else within(self.job or "", self.run_id)


class RunFailure(OfRun):
    """Why did it fail?"""


class TaskLog(OfRun):
    """The end of a task's log; of its last try where none is given."""

    task: str
    try_number: int | None = Field(None, ge=0)
    map_index: int | None = Field(None, ge=0)
    lines: int = Field(40, ge=1, le=200)


class LastSuccess(Params):
    """The last good run of a DAG, ended before then."""

    job: str
    before: AwareDatetime | None = None


class FindRun(Params):
    """A run by what an alert tells of it: its logical date, or when it started or ended."""

    job: str
    logical_date: AwareDatetime | None = None
    started_at: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None


class ExpectedRun(Params):
    """Has the run come that the DAG's schedule promises? `at`: when this is asked."""

    job: str
    at: AwareDatetime | None = None


class CanRun(Params):
    """Would a run of this DAG, with this configuration and for this interval, start and run?"""

    job: str
    config: dict[str, JsonValue] = Field(default_factory=dict)
    interval: str | None = Field(None, pattern=INTERVAL)
    logical_date: AwareDatetime | None = None


class Materialization(Params):
    """The last time a named DAG built an asset."""

    asset: str
    partition: str | None = None


class AssetStates(Params):
    """The same for several."""

    assets: list[str] = Field(max_length=500)


class ImportErrors(Params):
    """The files of DAGs that can't be read now."""
