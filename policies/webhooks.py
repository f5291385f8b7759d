"""The webhooks of dw.yml: who may send there, what proves that they did, and whose runs they speak of.

To add a sender: its row in `HOOKS`, its name in `Webhook.kind`, and a module in `policies.recognise.hooks`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Way = Literal["signed", "bearer", "basic"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sort:
    """`about` are the kinds of connection it can speak of (empty: any that runs things); `ways` to prove
    who sends, the usual one first."""

    about: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ("signed",)


HOOKS: Mapping[str, Sort] = {
    "airflow": Sort(about=("airflow",)),
    "astro": Sort(about=("airflow",)),
    "dagsterplus": Sort(about=("dagster",), ways=("bearer",)),
    "prefect": Sort(about=("prefect",), ways=("bearer",)),
    "dbt_cloud": Sort(about=("dbt_cloud",)),
    "openlineage": Sort(ways=("bearer",)),
    "monte_carlo": Sort(),
    "grafana": Sort(ways=("signed", "bearer", "basic")),
    "alertmanager": Sort(ways=("bearer", "basic")),
    "pagerduty": Sort(),
    "generic": Sort(ways=("signed", "bearer")),
}


class Webhook(BaseModel):
    """Somebody who may tell of trouble at `/hooks/<name>`. Its secret is `DW_HOOK_<NAME>_SECRET`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal[
        "airflow",
        "astro",
        "dagsterplus",
        "prefect",
        "dbt_cloud",
        "openlineage",
        "monte_carlo",
        "grafana",
        "alertmanager",
        "pagerduty",
        "generic",
    ] = Field(description="who sends")
    connection: str = Field(description="the connection whose runs and assets it speaks of")
    auth: Way | None = Field(
        None, description="what proves the sender, where there is a choice; see webhooks.md"
    )
    timestamp_header: str | None = Field(
        None, description="grafana: the header that holds the time it signs, as named there"
    )
    assets: dict[str, str] = Field(
        default_factory=dict, description="what the sender calls a table → the asset it is"
    )

    @property
    def way(self) -> Way:
        """What proves the sender."""
        return self.auth or HOOKS[self.kind].ways[0]


def secret_of(name: str) -> str:
    """`dbt-prod` → `DW_HOOK_DBT_PROD_SECRET`: the variable that holds its secret."""
    return "DW_HOOK_" + name.upper().replace("-", "_") + "_SECRET"
