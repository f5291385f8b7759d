"""Monte Carlo's webhooks, version 0.1: an incident with the events in it, each about a table or none."""

from collections.abc import Sequence

from pydantic import Field

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import Delivery, Found, Id, MaybeName, Name, Page, Wire, told

_OPENS = ("open_", "new_")


class Event(Wire):
    """One of its events."""

    table: MaybeName = Field(None, alias="table_name")
    full: MaybeName = Field(None, alias="full_table_id")


class Incident(Wire):
    """The incident."""

    id: Id = Field(alias="incident_id")
    url: Page = None
    events: list[Event] = Field(default_factory=list, alias="event_list")

    @property
    def table(self) -> str | None:
        """The first table it is about."""
        return next((one.full or one.table for one in self.events if one.full or one.table), None)


class Body(Wire):
    """Its envelope."""

    type: Name
    incident: Incident = Field(alias="payload")


def read(delivery: Delivery) -> Sequence[Found]:
    """An incident that was opened. What people say of one there is theirs."""
    body = Body.model_validate(delivery.body)
    if not body.type.startswith(_OPENS):
        return delivery.ignored(f"{body.type} opens no incident")
    about, hook = body.incident, delivery.hook
    what = body.type.split("_", 1)[1].removesuffix("_incident").replace("_", " ")
    alert = Alert(
        signal_key=delivery.key(f"{about.id}:{body.type}"),
        system=hook.system,
        connection=hook.connection,
        kind=AlertKind.ASSET_STALE if "freshness" in body.type else AlertKind.CHECK_FAILED,
        title=f"Monte Carlo: {what} on {about.table or 'data'}",
        asset=hook.asset(about.table),
        url=about.url,
        extra=told(monitor=about.id),
    )
    return (alert,)
