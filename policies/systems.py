"""What dw.yml says of the systems themselves: where they are, what may be run there, what is read of them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Connection(_Model):
    """One external system. `read_only: true` refuses every write and no actuator is built for it."""

    kind: Literal[
        "dagster",
        "airflow",
        "prefect",
        "dbt_cloud",
        "postgres",
        "duckdb",
        "pagerduty",
        "opsgenie",
    ] = Field(description="what it is")
    url: str | None = Field(
        None, description="base URL of an orchestrator, or a duckdb file's path"
    )
    dsn: str | None = Field(None, description="postgresql://host:port/database, without a password")
    read_only: bool = Field(
        default=False, description="refuse every write; no actuator is built for it"
    )
    version: Literal[2, 3] | None = Field(
        None, description="airflow: what it is. Only a 2 that is written here is ever acted on"
    )
    auth: Literal["password", "token", "google", "mwaa", "mwaa_api"] | None = Field(
        None, description="airflow: how it knows us; left out: password where there is a user"
    )
    user: str | None = Field(None, description="airflow: who reads, for auth: password")
    act_user: str | None = Field(None, description="airflow: who queues runs, for auth: password")
    environment: str | None = Field(None, description="airflow on MWAA: the environment's name")
    region: str | None = Field(None, description="airflow on MWAA: its AWS region")
    jobs: dict[str, "Job"] = Field(
        default_factory=dict, description="the named jobs (airflow: DAGs) that may be run"
    )


class Job(_Model):
    """A job that may be run, and what it builds."""

    builds: list[str] = Field(default_factory=list, description="the assets it builds")
    after: list[str] = Field(default_factory=list, description="assets that must be right first")
    config: dict[str, object] = Field(
        default_factory=dict,
        description="what it is run with; {partition} and {day_before} in a text are filled in",
    )
    undo: str = Field(
        "run it again for the same day after the source is mended; it replaces its rows",
        description="how a run of it is taken back, shown before anybody says yes",
    )
    risk: str = Field(
        "rebuilds its own tables only", description="what a run of it may break, shown the same"
    )
    dangerous: bool = Field(
        default=False, description="a yes to it needs `step_up`, where the domain has that on"
    )
    reason_needed: bool = Field(default=False, description="a yes to it needs a reason")
    cost: float | None = Field(
        None, ge=0, description="what a run of it costs, in the unit of `budget.cost_a_day`"
    )


class LineageSource(_Model):
    """A file that tells what feeds what, besides what orchestrators and people say."""

    dbt_manifest: str = Field(description="path of a manifest.json; read again when it changes")
