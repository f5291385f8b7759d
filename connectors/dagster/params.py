"""What each question to Dagster needs."""

from datetime import datetime

from pydantic import Field, JsonValue

from connectors.params import Params


class RunFailure(Params):
    """Which run."""

    run_id: str


class AssetCheck(Params):
    """The latest result of a check; of one partition where one is given."""

    asset: str
    check: str
    partition: str | None = None


class CheckHistory(Params):
    """The newest results of a check."""

    asset: str
    check: str
    limit: int = Field(30, ge=1, le=500)


class Materialization(Params):
    """The latest time an asset was written; of one partition where one is given."""

    asset: str
    partition: str | None = None


class Freshness(Params):
    """Is this asset as fresh as its own policy demands?"""

    asset: str


class AssetStates(Params):
    """When each of these was last written."""

    assets: list[str] = Field(max_length=500)


class LastSuccess(Params):
    """The last good run of a job, created before then."""

    job: str
    before: datetime | None = None


class ExpectedRun(Params):
    """Has the run come that the job's schedule or sensor promises? `at`: when this is asked."""

    job: str
    at: datetime | None = None


class CanRun(Params):
    """Would a run of this job, for this partition, start? `at`: when this is asked."""

    job: str
    partition: str | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)
    at: datetime | None = None


class FindRun(Params):
    """The beginning of a run id, as alerts show it."""

    short: str = Field(pattern=r"^[0-9a-f][0-9a-f-]{3,35}$")
