"""PagerDuty's webhooks, version 3. An incident there names no run: its service and title are all it tells."""

from collections.abc import Sequence

from pydantic import Field

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import (
    Delivery,
    Found,
    Id,
    Line,
    MaybeName,
    Name,
    Page,
    Wire,
    told,
)

_KINDS = {
    "incident.triggered": AlertKind.CHECK_FAILED,
    "incident.reopened": AlertKind.CHECK_FAILED,
    "incident.resolved": AlertKind.RESOLVED,
}


class Service(Wire):
    """The service it belongs to."""

    summary: Line = ""


class Incident(Wire):
    """The incident, where the event is about one."""

    id: Id | None = None
    title: Line = ""
    url: Page = Field(None, alias="html_url")
    urgency: MaybeName = None
    service: Service | None = None


class Event(Wire):
    """What happened."""

    id: Id
    type: Name = Field(alias="event_type")
    data: Incident = Field(default_factory=Incident)


class Body(Wire):
    """Its envelope."""

    event: Event


def read(delivery: Delivery) -> Sequence[Found]:
    """An incident that was triggered, opened again or resolved."""
    event = Body.model_validate(delivery.body).event
    kind, about = _KINDS.get(event.type), event.data
    if kind is None or about.id is None:
        return delivery.ignored(f"{event.type} neither opens nor resolves an incident")
    service = about.service.summary if about.service else ""
    words = about.title or "an incident"
    alert = Alert(
        signal_key=delivery.key(event.id),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=f"{service}: {words}" if service else words,
        url=about.url,
        extra=told(monitor=about.id, urgency=about.urgency),
    )
    return (alert,)
