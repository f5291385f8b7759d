"""The pipeline read a replica that had not replayed the whole day yet, so it loaded a part of it."""

from collections.abc import Iterator
from datetime import timedelta

from policies.answers import moment, number
from policies.diagnosis import code, rows
from policies.evidence import Cause, Finding
from policies.facts import Facts
from policies.figures import clock, count, share
from policies.rules import Rules

NAME = "source_replica_behind"
SAYS = "the source replica was behind when {asset} read it"
_WEIGHTS = {"short": 0.4, "cut": 0.15, "lag": 0.35, "code": 0.05}
_CUT = timedelta(minutes=5)
_LEAST, _MOST = 0.05, 0.95

#: weight (negative: it speaks against) and what was found
Weighed = tuple[float, Finding]


def rank(facts: Facts, rules: Rules) -> Cause | None:
    """Weighs missing rows, where they break off, and how far the replica was when it was read."""
    rule = rules.assets.get(facts.asset or "")
    if not (rule and rule.source and rule.source.replica and facts.day):
        return None
    missing, lag = tuple(_missing(facts, rules)), tuple(_lag(facts, rules))
    if not (missing or lag):
        return None
    whole = bool(missing) and missing[0][0] < 0
    found = missing if whole else (*missing, *lag, *_now(facts, rules), *_code(facts))
    return Cause(
        name=NAME,
        says=SAYS.format(asset=facts.asset),
        confidence=_confidence([weight for weight, _ in found]),
        for_=tuple(finding for weight, finding in found if weight >= 0),
        against=tuple(finding for weight, finding in found if weight < 0),
    )


def caught_up(facts: Facts, rules: Rules) -> bool | None:
    """True when the replica holds the whole day now, False when not yet, None when nobody knows."""
    whole, now = rows.primary(facts, rules), rows.replica(facts, rules)
    return None if whole is None or now is None else not rows.short(now, whole)


def _missing(facts: Facts, rules: Rules) -> Iterator[Weighed]:
    whole, part = rows.primary(facts, rules), rows.loaded(facts, rules)
    if whole is None or part is None:
        return
    says = (
        f"primary has {count(whole.rows)} rows for {facts.day}, "
        f"loaded {count(part.rows)} ({share(part.rows, whole.rows)})"
    )
    missing = rows.short(part, whole)
    yield (1 if missing else -1) * _WEIGHTS["short"], _finding(whole.evidence.id, says)
    if missing and part.last and whole.last and whole.last - part.last > _CUT:
        says = (
            f"the last row loaded is from {clock(part.last)}, on primary from {clock(whole.last)}"
        )
        yield _WEIGHTS["cut"], _finding(part.evidence.id, says)


def _lag(facts: Facts, rules: Rules) -> Iterator[Weighed]:
    made, whole = facts.answer("materialization"), rows.primary(facts, rules)
    replayed, at = moment(facts.metadata.get("source_replayed_to")), facts.loaded_at
    if made is None or replayed is None or at is None or whole is None or whole.last is None:
        return
    behind = replayed < whole.last
    far = "only up to" if behind else "up to"
    says = f"the replica had replayed {far} {clock(replayed)} when the asset ran at {clock(at)}"
    yield (1 if behind else -1) * _WEIGHTS["lag"], _finding(made.id, says)


def _now(facts: Facts, rules: Rules) -> Iterator[Weighed]:
    now, done = rows.replica(facts, rules), caught_up(facts, rules)
    if now is None or done is None:
        return
    state = "has caught up since" if done else "is still behind"
    yield 0, _finding(now.evidence.id, f"the replica {state}: it holds {count(now.rows)} rows now")
    replication = None if done else facts.answer("replication", now.where)
    if replication:
        paused = "replay is paused" if replication.value.get("paused") is True else "replay goes on"
        left = number(replication.value.get("unreplayed_bytes"))
        how_far = "" if left is None else f", {count(left)} bytes are not replayed yet"
        yield 0, _finding(replication.id, f"on {now.where} {paused}{how_far}")


def _code(facts: Facts) -> Iterator[Weighed]:
    same = code.same(facts)
    if same is not None:
        weight = _WEIGHTS["code"] if same.unchanged else -3 * _WEIGHTS["code"]
        yield weight, same.finding


def _confidence(weights: list[float]) -> float:
    return round(min(max(sum(weights), _LEAST), _MOST), 2)


def _finding(evidence_id: str, says: str) -> Finding:
    return Finding(evidence_id=evidence_id, says=says)
