"""What came into the code between the last good run and the failed one, and who wrote it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from policies.answers import Answer, moment, names, number, records, text
from policies.evidence import Evidence, Finding, Probe
from policies.facts import Facts
from policies.figures import count, listed
from policies.repositories import holding, paths_of
from policies.rules import Rules

NAME = "changes"
#: so many are kept as evidence one by one, and so many are told on a card
KEPT, TOLD = 20, 3
_HOURS, _DAYS = timedelta(hours=1), timedelta(days=2)
#: what Slack would take for formatting, in the words of somebody else
_MARKS = str.maketrans({"`": "\N{MODIFIER LETTER GRAVE ACCENT}", "*": "\N{ASTERISK OPERATOR}"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """What a repository answered. `paths` are those of dw.yml: without any, all of it counts."""

    evidence: Evidence
    commits: tuple[Answer, ...]
    between: int
    taken_back: int
    paths: tuple[str, ...]

    @property
    def counted(self) -> int:
        """How many of them touch what failed, as far as dw.yml tells where that is."""
        told = number(self.evidence.value.get("touching"))
        return self.between if told is None else int(told)

    @property
    def none(self) -> bool:
        """True when nothing that failed is other than it was."""
        return not self.counted and not self.taken_back


def commits(facts: Facts) -> tuple[str, str] | None:
    """The commit of the last good run and that of the failed one; None when one is not told."""
    good = text(facts.value("last_success").get("commit"))
    failed = text(facts.run.get("commit"))
    return (good, failed) if good and failed else None


def alike(one: str, other: str) -> bool:
    """True for the same commit, though one is told by its beginning only."""
    return one.startswith(other) or other.startswith(one)


def questions(facts: Facts, rules: Rules) -> tuple[Probe, ...]:
    """Each repository that may hold this code is asked, once two different commits are known."""
    told = commits(facts)
    if told is None or alike(*told):
        return ()
    good, failed = told
    return tuple(
        Probe(
            connection=name,
            name=NAME,
            params={
                "good": good,
                "failed": failed,
                "paths": [*paths_of(repository, facts.job, facts.asset)],
                "limit": KEPT,
            },
        )
        for name, repository in holding(rules, facts.alert.connection).items()
    )


def read(facts: Facts) -> Changes | None:
    """What the first repository that knows both commits says; None when none does."""
    found = [one for one in facts.evidence if one.probe.name == NAME and one.answered]
    if not found:
        return None
    value = found[0].value
    return Changes(
        evidence=found[0],
        commits=records(value.get("commits")),
        between=int(number(value.get("between")) or 0),
        taken_back=int(number(value.get("taken_back")) or 0),
        paths=names(value.get("paths")),
    )


def findings(facts: Facts, known: Changes) -> tuple[Finding, ...]:
    """In words: the newest commits first, each with who wrote it and how long before the run."""
    return tuple(Finding(evidence_id=known.evidence.id, says=says) for says in _told(facts, known))


def missing(facts: Facts, rules: Rules) -> str | None:
    """Why nobody can be named, where the code did change and no repository was asked."""
    runner = facts.alert.connection
    told = commits(facts)
    if told is None:
        return f"who changed the code: {runner} tells no commit of both runs"
    if alike(*told) or holding(rules, runner):
        return None
    return f"who changed the code: dw.yml names no repository with the code of {runner} (kind: git)"


def unsure(facts: Facts) -> str | None:
    """What equal versions leave open: the repository moved on, and nobody says what of it counts."""
    known = read(facts)
    if known is None or known.paths or known.none:
        return None
    what = f"the {count(known.between)} commits since the last good run touch {facts.job or 'it'}"
    return f"whether {what}: dw.yml names no paths for it"


def _told(facts: Facts, known: Changes) -> Iterator[str]:
    since = moment(facts.value("last_success").get("ended_at"))
    when = f" ({since:%d %b %H:%M} UTC)" if since else ""
    where = f" in {', '.join(known.paths)}" if known.paths else ""
    if known.none:
        others = f"; {count(known.between)} elsewhere in the repository" if known.between else ""
        yield f"no commit since the last good run{when}{where}{others}"
    began = moment(facts.run.get("started_at"))
    for number_, commit in enumerate(known.commits[:TOLD]):
        lead = f"changed since the last good run{when}{where}: " if number_ == 0 else "and "
        yield f"{lead}{_commit(commit, began)}"
    more = known.counted - min(len(known.commits), TOLD)
    if more > 0:
        yield f"and {count(more)} more before these"
    if known.taken_back:
        yield f"the code went back: {count(known.taken_back)} of the last good run's commits are not in this one"


def _commit(commit: Answer, began: datetime | None) -> str:
    said = (text(commit.get("subject")) or "without a word").translate(_MARKS)
    wrote = [
        text(one.get("name")) or text(one.get("email")) for one in records(commit.get("authors"))
    ]
    people = listed([who.translate(_MARKS) for who in wrote if who]) or "nobody that git names"
    at, short = moment(commit.get("at")), (text(commit.get("id")) or "")[:7]
    return f"`{short}` *{said}* by {people}{_before(at, began)}"


def _before(at: datetime | None, began: datetime | None) -> str:
    if at is None or began is None or at > began:
        return ""
    passed = began - at
    if passed < _HOURS:
        return f", {int(passed.total_seconds() // 60)} min before"
    if passed < _DAYS:
        return f", {int(passed.total_seconds() // 3600)} h before"
    return f", {passed.days} days before"
