"""What each question to Prefect needs."""

from pydantic import AwareDatetime, Field, JsonValue

from connectors.params import Params


class RunFailure(Params):
    """Which run."""

    run_id: str


class TaskLog(Params):
    """The end of what a run wrote at this level or above; of one task where one is given."""

    run_id: str
    task: str | None = None
    level: int = Field(40, ge=0, le=50, description="10 debug, 20 info, 30 warning, 40 error")
    lines: int = Field(40, ge=1, le=200)


class LastSuccess(Params):
    """The last good run of a deployment (`flow/deployment`) or of a flow, ended before then."""

    job: str
    before: AwareDatetime | None = None


class FindRun(Params):
    """The beginning of a run id, or the name that Prefect gave the run."""

    short: str = Field(min_length=3, max_length=200, pattern=r"^[\w.-]+$")


class ExpectedRun(Params):
    """Has the run come that the deployment's schedule promises? `at`: when this is asked."""

    job: str
    at: AwareDatetime | None = None


class CanRun(Params):
    """Would a run of this deployment, with these parameters, start?"""

    job: str
    config: dict[str, JsonValue] = Field(default_factory=dict)
    partition: str | None = None


class Materialization(Params):
    """The last time a named deployment built an asset."""

    asset: str
    partition: str | None = None


class AssetStates(Params):
    """The same for several."""

    assets: list[str] = Field(max_length=500)
