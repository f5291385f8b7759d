"""Commits as `git log` prints them, apart: whatever stands in a name or a subject is data."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from connectors.errors import Malformed

#: fields end with NUL, which git lets into none of them; a trailer's value has no line break in it
FORMAT = "%x00".join(
    (
        "%H",
        "%cI",
        "%an",
        "%ae",
        "%s",
        "%(trailers:key=Co-authored-by,valueonly,unfold,separator=%x0A)",
    )
)
_FIELDS = 6
_LONGEST = {"name": 80, "email": 200, "subject": 160}


@dataclass(frozen=True, kw_only=True, slots=True)
class Author:
    """Who wrote something, as git was told on their machine. Nothing vouches for it."""

    name: str
    email: str

    @property
    def key(self) -> str:
        """What makes two mentions one person."""
        return self.email.lower() or self.name.casefold()


@dataclass(frozen=True, kw_only=True, slots=True)
class Commit:
    """One change: who wrote it (not who put it there), when it was put there, and its first line."""

    id: str
    at: str
    subject: str
    authors: tuple[Author, ...]


def parse(printed: bytes, connection: str = "") -> list[Commit]:
    """The commits of `git log -z --format=FORMAT`. Raises `Malformed`."""
    fields = printed.decode("utf-8", "replace").split("\0")
    if fields[-1] == "":
        fields.pop()
    if len(fields) % _FIELDS:
        raise Malformed("git printed commits that can't be told apart", connection=connection)
    rows = (fields[i : i + _FIELDS] for i in range(0, len(fields), _FIELDS))
    return [_commit(row) for row in rows]


def authors_of(commits: Iterable[Commit]) -> dict[str, tuple[Author, list[str]]]:
    """Everybody who wrote any of them, each once, with the ids of what they wrote."""
    found: dict[str, tuple[Author, list[str]]] = {}
    for commit in commits:
        for author in commit.authors:
            found.setdefault(author.key, (author, []))[1].append(commit.id)
    return found


def _commit(row: Sequence[str]) -> Commit:
    commit_id, at, name, email, subject, trailers = row
    people = [_author(name, email), *_co_authors(trailers)]
    known = {author.key: author for author in reversed(people) if author.key}
    authors = tuple(known[key] for key in dict.fromkeys(a.key for a in people) if key in known)
    return Commit(id=commit_id, at=at, subject=clean(subject, "subject"), authors=authors)


def _co_authors(trailers: str) -> Iterator[Author]:
    for line in trailers.split("\n"):
        name, bracket, rest = line.partition("<")
        email = rest.partition(">")[0] if bracket else ""
        if name.strip() or email.strip():
            yield _author(name, email)


def _author(name: str, email: str) -> Author:
    return Author(name=clean(name, "name"), email=clean(email, "email").replace(" ", ""))


def clean(text: str, kind: str) -> str:
    """One line of what can be seen: no control characters, none that turn the direction of reading."""
    seen = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(seen.split())[: _LONGEST[kind]]
