"""A receipt in short: what a manager reads in twenty seconds."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from policies.figures import clock, listed, quoted

Body = Mapping[str, Any]
_HOUR = 60


def summary(body: Body) -> list[str]:
    """At most eight short lines of plain text, from a receipt's body."""
    return [quoted(line) for line in _lines(body)]


def sealed_at(body: Body) -> datetime:
    """When it was sealed; a record that does not tell counts as the oldest."""
    told = body.get("at") or (body.get("incident") or {}).get("closed_at")
    return datetime.fromisoformat(told) if told else datetime.min.replace(tzinfo=UTC)


def _lines(body: Body) -> Iterator[str]:
    if "incident" not in body:
        yield f"{body['kind']}: {body['domain']} {body['change_class']}, {body['from']} to {body['to']}"
        yield f"By {listed(body['by'])}: {body['reason'] or 'no reason given'}"
        return
    told = body["incident"]
    yield f"{told['id']}: {told['title']}, {_took(told)}{_kin(body)}"
    yield f"Cause: {_cause(body)}{_moved(body)}"
    yield f"Reached: {_reach(body)}"
    yield f"Decided: {'; '.join(_decision(one) for one in body['decisions']) or 'nobody decided'}"
    yield f"Ran: {'; '.join(_ran(one) for one in body['runs']) or 'nothing'}"
    yield f"Proof: {'; '.join(_proof(one) for one in body['checks']['after']) or 'nothing was measured'}"
    if told["handed_over_because"] and not _into(body):
        yield f"Handed over: {told['handed_over_because']}"
    if body["open"]:
        yield "Open: " + "; ".join(f"{one['title']} ({one['owner']})" for one in body["open"])


def _took(told: Body) -> str:
    start = datetime.fromisoformat(told["opened_at"])
    end = datetime.fromisoformat(told["closed_at"])
    hours, minutes = divmod(int((end - start).total_seconds() // 60), _HOUR)
    spent = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"{start.date()} {clock(start)} to {clock(end)} UTC ({spent})"


def _kin(body: Body) -> str:
    """`; joined DW-3`, or `; DW-1 and DW-2 joined it`."""
    told = body.get("joined") or {}
    parts = [f"; joined {_into(body)}: {told['because']}"] if _into(body) else []
    for words, name in (("joined it", "took_in"), ("goes on beside it", "linked")):
        others = [one["incident"] for one in told.get(name, [])]
        parts += [f"; {listed(others)} {words}"] if others else []
    return "".join(parts)


def _into(body: Body) -> str | None:
    return (body.get("joined") or {}).get("into")


def _moved(body: Body) -> str:
    """From what to what the cause moved, and when."""
    return "".join(
        f"; moved at {clock(datetime.fromisoformat(one['at']))} from {one['from']} to {one['to']}"
        for one in body.get("cause_moved", [])
    )


def _cause(body: Body) -> str:
    found = (body["cause"] or {}).get("found")
    return f"{found['says']} ({found['confidence']:.0%} sure)" if found else "not known"


def _reach(body: Body) -> str:
    reach = body["reach"]
    if not reach or not reach["hits"]:
        return "nothing downstream"
    counted = Counter(hit["reach"] for hit in reach["hits"])
    words = listed([f"{number} {name}" for name, number in counted.items()])
    return f"{words} downstream of {reach['root']}" + (
        f", read next at {reach['next_due']} UTC" if reach["next_due"] else ""
    )


def _decision(one: Body) -> str:
    at = clock(datetime.fromisoformat(one["at"]))
    delegate = one.get("delegate")
    instead = f" for {delegate['for']}, who was away," if delegate else ""
    back = one.get("taken_back_at")
    taken = f", taken back at {clock(datetime.fromisoformat(back))}" if back else ""
    return f"{one['name']}{instead} said {one['choice']} at {at} as {one['right']}{taken}"


def _ran(one: Body) -> str:
    run = one["run"]
    if run is None:
        return f"{one['title']}: {one['phase']}"
    ended = f" at {clock(datetime.fromisoformat(run['ended_at']))}" if run["ended_at"] else ""
    return f"{one['title']}: {run['state']}{ended}"


def _proof(one: Body) -> str:
    words = {True: "passed", False: "failed", None: "not measured"}[one["passed"]]
    return f"{one['check']} {words}: {one['measured']}"
