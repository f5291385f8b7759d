"""What dw.yml says of the systems themselves: where they are, what may be run there, what is read of them."""

from datetime import timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from policies.spans import Span


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
        "git",
    ] = Field(description="what it is")
    url: str | None = Field(
        None, description="base URL of an orchestrator or a repository, or a duckdb file's path"
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
    user: str | None = Field(
        None,
        description="airflow: who reads, for auth: password; git: who the token belongs to, where the host"
        " wants to know",
    )
    act_user: str | None = Field(None, description="airflow: who queues runs, for auth: password")
    environment: str | None = Field(None, description="airflow on MWAA: the environment's name")
    region: str | None = Field(None, description="airflow on MWAA: its AWS region")
    jobs: dict[str, "Job"] = Field(
        default_factory=dict, description="the named jobs (airflow: DAGs) that may be run"
    )
    warnings: bool = Field(
        default=False,
        description="dagster: a failed check of severity WARN opens an incident too; else it only joins one",
    )
    expected: dict[str, "Expected"] = Field(
        default_factory=dict,
        description="airflow, dagster, prefect: jobs whose runs must come as their own schedule says",
    )
    code_of: list[str] = Field(
        default_factory=list, description="git: the connections whose code is in this repository"
    )
    branch: str | None = Field(None, description="git: copy this branch only; left out: all")
    paths: dict[str, list[str]] = Field(
        default_factory=dict,
        description="git: job or asset, or a pattern → where its code is in the repository; left out: anywhere",
    )
    authors: dict[str, str] = Field(
        default_factory=dict,
        description="git: the address that somebody's commits carry → their email or Slack id",
    )


class Job(_Model):
    """A job that may be run, and what it builds."""

    builds: list[str] = Field(default_factory=list, description="the assets it builds")
    location: str | None = Field(
        None, description="dagster: its code location, where two have a job of this name"
    )
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


class Expected(_Model):
    """A job whose run is missed when it does not come. When it should is told by the system itself."""

    late_after: Span = Field(
        timedelta(minutes=30),
        json_schema_extra={"default": "30m"},
        description="how late a run may begin before it counts as one that never came",
    )


class LineageSource(_Model):
    """A file that tells what feeds what, besides what orchestrators and people say."""

    dbt_manifest: str = Field(description="path of a manifest.json; read again when it changes")
