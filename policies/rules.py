"""The typed model of `dw.yml`: what may be touched, who owns what, who is asked, and for how long.

Secrets are never here: they come from the environment (see `bot.settings`).
"""

from datetime import timedelta
from fnmatch import fnmatchcase
from typing import Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from policies.autonomy.budget import Budget, RecordRule
from policies.lint.connections import references
from policies.mail import MailRule, OidcRule
from policies.seats import AwayRule, Bans, RotaRule
from policies.signal import Sender
from policies.spans import Span, TimeOfDay
from policies.systems import Connection, LineageSource
from policies.webhooks import Webhook
from policies.working_hours import Hours


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AlertSender(_Model):
    """Who may raise alerts: the ids Slack vouches for, and the connection they speak about."""

    bot_id: str | None = Field(None, description="B…, or app_id")
    app_id: str | None = Field(None, description="A…, or bot_id")
    system: str = Field(description="whose alerts these are, such as dagsterplus")
    connection: str = Field(description="the connection they speak about")
    assets: dict[str, str] = Field(
        default_factory=dict, description="what the sender calls a table → the asset it is"
    )

    @model_validator(mode="after")
    def _named(self) -> "AlertSender":
        if not (self.bot_id or self.app_id):
            msg = "words are never enough to trust a sender → give its bot_id or app_id"
            raise ValueError(msg)
        return self

    def fits(self, sender: Sender) -> bool:
        """True when every id that is given here is the sender's."""
        pairs = ((self.bot_id, sender.bot_id), (self.app_id, sender.app_id))
        return all(wanted in (None, given) for wanted, given in pairs)


class Table(_Model):
    """Where the rows of a day are counted."""

    connection: str = Field(description="a postgres or a duckdb")
    table: str = Field(description="its name, with the schema if need be")
    time: str = Field(description="the date or timestamp column that tells the day, UTC")
    replica: str | None = Field(None, description="the connection the pipeline really reads from")


class AssetRule(_Model):
    """What `dw` must know of an asset to check it against its source."""

    target: Table | None = Field(None, description="where it is stored")
    source: Table | None = Field(None, description="where its rows come from")
    code: str | None = Field(None, description="path of its code, shown with the drafted diff")
    code_owner: str | None = Field(None, description="who is shown the drafted diff")
    guard: str | None = Field(None, description="the drafted change, as a unified diff")


class Note(_Model):
    """Something only the team knows: a dashboard, notebook or export that reads an asset."""

    asset: str = Field(description="what people call it")
    kind: str = Field("dashboard", description="dashboard, notebook, export, …")
    reads: list[str] = Field(description="the assets it reads")
    due: TimeOfDay | None = Field(None, description="when people look at it, UTC")
    owner: str | None = Field(None, description="an email, a Slack id, or a group as @handle")


class ChainLink(_Model):
    """One link of the chain: `owner`, an email, a Slack id, a group as `@handle`, or `rota:<name>`.

    `pagerduty:<schedule>` and `opsgenie:<schedule>` are whoever is on call there.
    """

    who: str = Field(description="who is asked")
    within: Span = Field(description="for how long, before the next is asked")


class DataCheck(_Model):
    """A measurable promise, measured after acting."""

    name: str = Field(description="shown with its result; each once in a domain")
    kind: Literal["rows_match_source", "within_baseline", "asset_check"] = Field(
        description="rows of the day against the source, a figure against the same weekdays before,"
        " or the orchestrator's own check"
    )
    asset: str = Field(description="an asset of this domain")
    tolerance: float = Field(
        0.01, ge=0, description="share of the expected value that may be missing"
    )
    weeks: int = Field(4, ge=1, description="how many same weekdays before make the baseline")
    sql: str | None = Field(None, description="one SELECT of one figure for `:day`")
    check: str | None = Field(None, description="asset check name, for kind asset_check")


class Domain(_Model):
    """A set of assets with owners, channels, an escalation chain and an autonomy level."""

    level: Literal["L0", "L1", "L2"] = Field(
        "L1",
        description="where it starts: manual, observe, or propose and act after a yes. What is above is"
        " raised by an admin in Slack, never here",
    )
    channels: list[str] = Field(min_length=1, description="its incidents are in the first of them")
    assets: list[str] = Field(min_length=1, description="names or patterns such as fct_*")
    jobs: list[str] = Field(default_factory=list, description="jobs whose failures belong here")
    owners: dict[str, str] = Field(
        default_factory=dict, description="asset pattern → who; name one at least"
    )
    chain: list[ChainLink] = Field(
        min_length=1, description="who is asked, one after the other; nobody answered: that is a no"
    )
    checks: list[DataCheck] = Field(
        default_factory=list, description="what must be true again before an incident is closed"
    )
    quorum: int = Field(1, ge=1, description="how many people must say yes")
    bans: Bans = Field(default_factory=Bans, description="who may not decide, though seated")
    late_counts: bool = Field(
        default=True,
        description="whoever was asked earlier may still decide, until it is decided",
    )
    reason_needed: bool = Field(default=False, description="every yes needs a reason")
    step_up: bool = Field(
        default=False,
        description="a yes to a dangerous job needs a code of an authenticator, or a login",
    )
    budget: Budget | None = Field(
        None, description="what may be started alone above L2; left out: nothing"
    )
    record: RecordRule = Field(
        default_factory=RecordRule, description="how good a change class must have been for L3"
    )
    deadlines: dict[str, Span] = Field(
        default_factory=dict,
        description="change class → how long whoever is asked has, in place of the chain's `within`",
    )
    hours: Hours | None = Field(
        None, description="when the time of whoever is asked counts; left out: always"
    )
    margin: Span = Field(
        timedelta(minutes=30),
        json_schema_extra={"default": "30m"},
        description="how long before somebody reads what is reached it must be decided",
    )
    act_within: Span = Field(
        timedelta(hours=12),
        json_schema_extra={"default": "12h"},
        description="how long a yes lasts while its step waits for its turn",
    )

    @field_validator("chain")
    @classmethod
    def _names_each_once(cls, chain: list[ChainLink]) -> list[ChainLink]:
        if len({link.who for link in chain}) != len(chain):
            msg = "it names somebody twice → each may stand in the chain once"
            raise ValueError(msg)
        return chain

    def holds(self, name: str | None) -> bool:
        """True when this asset or job belongs to the domain."""
        return name is not None and any(fnmatchcase(name, p) for p in [*self.assets, *self.jobs])

    def owner_of(self, asset: str) -> str | None:
        """Who dw.yml names for an asset: the first pattern that fits."""
        return next((who for p, who in self.owners.items() if fnmatchcase(asset, p)), None)


class Rules(_Model):
    """The whole of dw.yml."""

    version: Literal[1] = Field(description="1")
    admins: list[str] = Field(
        default_factory=list, description="who may lift a stop, by email or id; name one at least"
    )
    lift_needs: int = Field(
        2, ge=1, le=2, description="how many admins must lift a stop; one, where only one is named"
    )
    raise_needs: int = Field(
        2, ge=1, le=2, description="how many admins it takes to raise a level above L2"
    )
    stoppers: list[str] = Field(default_factory=list, description="who may stop; empty: anybody")
    alert_channels: list[str] = Field(min_length=1, description="channel ids or #names")
    senders: list[AlertSender] = Field(min_length=1, description="who may raise alerts")
    connections: dict[str, Connection] = Field(min_length=1, description="systems, by name")
    webhooks: dict[str, Webhook] = Field(
        default_factory=dict, description="who may send to /hooks/<name>, by that name"
    )
    domains: dict[str, Domain] = Field(min_length=1, description="who owns what, by name")
    assets: dict[str, AssetRule] = Field(
        default_factory=dict, description="how an asset is checked, by its name"
    )
    rotas: dict[str, RotaRule] = Field(
        default_factory=dict, description="who is on call when, by name"
    )
    away: AwayRule = Field(default_factory=AwayRule, description="what says somebody is away")
    notes: list[Note] = Field(default_factory=list, description="what no system knows")
    lineage: list[LineageSource] = Field(
        default_factory=list, description="files that tell what feeds what"
    )
    public_url: str | None = Field(
        None, description="where people reach `dw` with a browser; `mail` and `oidc` need it"
    )
    mail: MailRule | None = Field(None, description="also ask by email; left out: only in Slack")
    oidc: OidcRule | None = Field(
        None, description="where people log in, on the page and where a yes needs more than a tap"
    )
    together_within: Span = Field(
        timedelta(hours=12),
        json_schema_extra={"default": "12h"},
        description="how long after a trouble began a failure up- or downstream of it is still the same",
    )
    poll_every: Span | None = Field(None, description="also look for failed runs this often")
    blind_after: Span = Field(
        timedelta(minutes=15),
        json_schema_extra={"default": "15m"},
        description="a connection whose looks fail for so long is told of in the first alert channel",
    )

    def domain_of(self, *names: str | None) -> str | None:
        """The first domain that holds any of these assets or jobs."""
        for name in names:
            for key, domain in self.domains.items():
                if domain.holds(name):
                    return key
        return None

    @model_validator(mode="after")
    def _refers_to_what_exists(self) -> "Rules":
        missing = [str(mistake) for mistake in references(self.model_dump())]
        if missing:
            raise ValueError("; ".join(missing))
        return self
