"""Who wrote the change that is blamed, and which of them are people that Slack knows."""

from collections.abc import Iterator
from dataclasses import dataclass

from policies.answers import Answer, names, number, record, records, text
from policies.diagnosis import changes, code_changed
from policies.evidence import Evidence, Probe
from policies.incident import Incident
from policies.repositories import holding
from policies.rules import Rules

#: the question to the directory of Slack, kept as evidence like any other
DIRECTORY, PEOPLE = "slack", "people"
#: so many are looked up; whoever is not is kept out by address and name all the same
LOOKED_UP = 25


@dataclass(frozen=True, kw_only=True, slots=True)
class Author:
    """Somebody who wrote part of it. `person` is their Slack id, where their address is known there."""

    name: str
    email: str
    commits: tuple[str, ...]
    person: str | None = None
    looked_up: bool = True

    @property
    def called(self) -> str:
        """As people know them."""
        return self.name or self.email or "somebody without a name"


@dataclass(frozen=True, kw_only=True, slots=True)
class Blame:
    """A change of code is blamed: on whom, among how many commits, and what is not known of it."""

    authors: tuple[Author, ...] = ()
    commits: int = 0
    unknown: str = ""

    @property
    def unmatched(self) -> tuple[Author, ...]:
        """Those whom nobody could find in Slack, or has looked for there."""
        return tuple(author for author in self.authors if author.person is None)

    @property
    def not_looked_up(self) -> int:
        """How many of them are beyond those that are looked up."""
        return sum(not author.looked_up for author in self.authors)


def blame(incident: Incident) -> Blame | None:
    """None when no change of code is the likeliest cause."""
    cause = incident.diagnosis.cause if incident.diagnosis else None
    if cause is None or cause.name != code_changed.NAME:
        return None
    cited = {finding.evidence_id for finding in cause.for_}
    told = (e for e in incident.evidence if e.probe.name == changes.NAME and e.answered)
    known = next((e for e in told if e.id in cited), None)
    if known is None:
        return Blame(unknown=_unanswered(incident))
    people = record(_newest(incident, PEOPLE).get("people"))
    authors = tuple(_author(one, people) for one in records(known.value.get("authors")))
    return Blame(authors=authors, commits=_counted(known), unknown=_left_open(known))


def addresses(found: Evidence) -> tuple[str, ...]:
    """The addresses of everybody a repository names, each once, as many as are looked up."""
    told = (text(one.get("email")) for one in records(found.value.get("authors")))
    return tuple(dict.fromkeys(email.lower() for email in told if email))[:LOOKED_UP]


def whom(rules: Rules, runner: str, address: str) -> str:
    """Whom an address stands for: `authors` of a repository may say so."""
    for repository in holding(rules, runner).values():
        for known, who in repository.authors.items():
            if known.lower() == address.lower():
                return who
    return address


def question(asked: tuple[str, ...]) -> Probe:
    """What the directory is asked."""
    return Probe(connection=DIRECTORY, name=PEOPLE, params={"addresses": [*asked]})


def _author(told: Answer, people: Answer) -> Author:
    email = text(told.get("email")) or ""
    return Author(
        name=text(told.get("name")) or "",
        email=email,
        commits=names(told.get("commits")),
        person=text(record(people.get(email.lower())).get("id")),
        looked_up=not email or email.lower() in people,
    )


def _counted(known: Evidence) -> int:
    touching = number(known.value.get("touching"))
    return int((number(known.value.get("between")) or 0) if touching is None else touching)


def _left_open(known: Evidence) -> str:
    if not records(known.value.get("authors")):
        return "the code went back, and git does not tell who took it back"
    missing = [int(number(known.value.get(key)) or 0) for key in ("not_read", "authors_not_told")]
    parts = [
        f"{missing[0]} older commits were not read" if missing[0] else "",
        f"{missing[1]} further authors are not listed" if missing[1] else "",
    ]
    return " and ".join(part for part in parts if part)


def _unanswered(incident: Incident) -> str:
    """Why no repository named anybody."""
    asked = [e for e in reversed(incident.evidence) if e.probe.name == changes.NAME]
    problem = next((e.problem for e in asked if e.problem), None)
    return problem or "no system tells who that is"


def _newest(incident: Incident, name: str) -> Answer:
    found: Iterator[Evidence] = (e for e in reversed(incident.evidence) if e.probe.name == name)
    return next((e.value for e in found if e.answered), {})
