"""What each question to dbt Cloud needs."""

from pydantic import AwareDatetime, Field

from connectors.params import Params


class RunFailure(Params):
    """Which run."""

    run_id: str


class TaskLog(Params):
    """The end of the log of a run's step; of the one that failed where none is given."""

    run_id: str
    task: str | None = Field(None, description="the step's number or name")
    lines: int = Field(40, ge=1, le=200)


class LastSuccess(Params):
    """The last good run of a job, ended before then."""

    job: str
    before: AwareDatetime | None = None


class FindRun(Params):
    """A run by its whole number: dbt Cloud has no short ones."""

    short: str = Field(pattern=r"^\d{1,20}$")


class CanRun(Params):
    """Would a run of this job start?"""

    job: str


class AssetCheck(Params):
    """The latest result of a test. dbt knows no partitions."""

    asset: str
    check: str
    partition: str | None = None


class CheckHistory(Params):
    """The newest results of a test, as far back as runs are looked at."""

    asset: str
    check: str
    limit: int = Field(30, ge=1, le=500)


class Materialization(Params):
    """The latest time a table was built, in the runs that are looked at."""

    asset: str
    partition: str | None = None


class AssetStates(Params):
    """The same for several."""

    assets: list[str] = Field(max_length=500)
