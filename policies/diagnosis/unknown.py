"""What could not be read, in words: the honest other half of every diagnosis."""

from collections.abc import Iterator

from policies.alert import AlertKind
from policies.answers import moment
from policies.diagnosis import changes, code, rows
from policies.evidence import Evidence
from policies.facts import Facts
from policies.figures import quoted
from policies.rules import Rules

_ABOUT = {
    "find_run": "which run it was",
    "expected": "whether a run of {job} is missing, and why",
    "can_run": "whether {job} can be run again",
    "run_failure": "what run {run_id} says of its failure",
    "asset_check": "what check {check} on {asset} says",
    "check_history": "how check {check} on {asset} did before",
    "freshness": "whether {asset} is as fresh as its policy demands",
    "materialization": "when {asset} was loaded and from what",
    "last_success": "which run of {job} was the last good one",
    "rows_of_day": "how many rows {table} holds for {day}",
    "daily_rows": "how many rows {table} usually has",
    "replication": "how far replication is",
    "changes": "who changed the code",
}


def not_known(facts: Facts, rules: Rules) -> tuple[str, ...]:
    """Unanswered questions first, then what the answers left open."""
    silent = (_silent(found) for found in facts.evidence if not found.answered)
    return tuple(dict.fromkeys((*silent, *_left_open(facts, rules))))


def _silent(found: Evidence) -> str:
    asked = {key: str(value) for key, value in found.probe.params.items()}
    words = _ABOUT.get(found.probe.name, found.probe.name.replace("_", " "))
    return f"{_filled(words, asked)}: {found.probe.connection} could not tell ({quoted(found.problem or '')})"


def _filled(words: str, asked: dict[str, str]) -> str:
    for key, value in asked.items():
        words = words.replace("{" + key + "}", value)
    return words


def _left_open(facts: Facts, rules: Rules) -> Iterator[str]:
    if facts.alert.kind is AlertKind.RUN_ABSENT:
        return
    if facts.run_id is None:
        yield "which run it was: the alert names none that can be found"
    if facts.asset is None:
        yield "which asset it is about"
        return
    yield from _rows(facts, rules)
    yield from _code(facts, rules)


def _code(facts: Facts, rules: Rules) -> Iterator[str]:
    compared = code.same(facts)
    if compared is None and facts.run and facts.job:
        yield f"whether the code changed: {facts.alert.connection} tells no code version to compare"
    who = changes.missing(facts, rules) if compared and not compared.unchanged else None
    unsure = changes.unsure(facts) if compared and compared.unchanged else None
    yield from filter(None, (who, unsure))


def _rows(facts: Facts, rules: Rules) -> Iterator[str]:
    rule = rules.assets.get(facts.asset or "")
    if rule is None or rule.source is None or rule.target is None:
        yield f"whether rows are missing: dw.yml names no source and target for {facts.asset}"
    elif facts.day is None:
        yield "whether rows are missing: the partition is not a day"
    elif (
        rule.source.replica
        and facts.answer("materialization")
        and moment(facts.metadata.get("source_replayed_to")) is None
    ):
        yield (
            f"how far {rule.source.replica} had replayed when {facts.asset} was loaded: "
            "the load does not say (source_replayed_to)"
        )
    if rule and rule.source and facts.day and rows.usual(facts) is None:
        yield f"how many rows are usual: too few days before {facts.day} are known"
