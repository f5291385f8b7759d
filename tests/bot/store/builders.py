"""Small true things to put into a store."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.commands import AskQuestion, Received
from bot.ports import Change, Lane, NewDue
from policies import events as e
from policies.alert import Alert, AlertKind
from policies.evidence import Cause, Diagnosis

NOW = datetime(2026, 9, 29, 3, 12, 5, 123456, tzinfo=UTC)
LEASE = timedelta(seconds=60)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def alert(key: str = "Ev1", **words: Any) -> Alert:
    about = {"system": "dagster", "connection": "dagster", "title": "raw_sessions_complete failed"}
    return Alert(signal_key=key, kind=AlertKind.CHECK_FAILED, **{**about, **words})


def opened(**words: Any) -> e.IncidentOpened:
    return e.IncidentOpened(alert=alert(**words), domain="growth", level="L2", channel="C0ALERTS")


def diagnosed(name: str = "late_source") -> e.Diagnosed:
    cause = Cause(name=name, says="the source was read too early", confidence=0.9)
    return e.Diagnosed(diagnosis=Diagnosis(causes=(cause,)))


def opening(incident_id: str, *events: e.Event, **words: Any) -> Change:
    return change(incident_id, 0, opened(), *events, **words)


def change(incident_id: str, base: int, *events: e.Event, **words: Any) -> Change:
    return Change(incident_id=incident_id, base=base, events=events, **{"at": NOW, **words})


def due(key: str, at: datetime = NOW, lane: Lane = Lane.ACTIONS, **words: Any) -> NewDue:
    return NewDue(kind="show", key=key, at=at, lane=lane, **words)


def received(key: str, text: str = "why?", raw: str = "{}") -> Received:
    command = AskQuestion(
        key=key, incident_id="DW-1", request_id="R1", person="U0ANA", text=text, at=NOW
    )
    return Received(key=key, command=command, raw=raw, at=NOW)
