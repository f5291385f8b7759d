"""What came into the code between two commits, and who wrote it. Newest first."""

from collections.abc import Iterable

from pydantic import JsonValue

from connectors.errors import Malformed
from connectors.git.commits import FORMAT, Commit, authors_of, parse
from connectors.git.copy import Copy
from connectors.git.params import Changes

#: so many commits are read for their authors, whatever is told one by one
MOST_READ = 1000
MOST_AUTHORS = 100
_OF_ONE = 5


async def changes(copy: Copy, params: Changes) -> dict[str, JsonValue]:
    """The value of the probe `changes`.

    `between` counts what is in the failed run's code and was not in the good one's, `taken_back` the other
    way round; merges do not count as changes. `touching` is how many of them touch `paths`, where there are
    any. `authors` are those of all of these, not only of the `commits` that are told.
    """
    good, failed = await copy.both(params.good, params.failed)
    back, between = await _apart(copy, good, failed)
    commits = await _commits(copy, f"{good}..{failed}", params.paths)
    people = list(authors_of(commits).values())
    paths: list[JsonValue] = [*params.paths]
    return {
        "good": good,
        "failed": failed,
        "between": between,
        "taken_back": back,
        "paths": paths,
        "touching": len(commits) if paths else None,
        "commits": [_told(commit) for commit in commits[: params.limit]],
        "authors": [
            {"name": who.name, "email": who.email, "commits": _short(ids)}
            for who, ids in people[:MOST_AUTHORS]
        ],
        "not_read": max(between - MOST_READ, 0) if len(commits) == MOST_READ else 0,
        "authors_not_told": max(len(people) - MOST_AUTHORS, 0),
    }


async def _apart(copy: Copy, good: str, failed: str) -> tuple[int, int]:
    said = await copy.git.ask(
        "rev-list", "--no-merges", "--count", "--left-right", f"{good}...{failed}", "--"
    )
    counts = said.split()
    if len(counts) != 2 or not all(count.isdigit() for count in counts):  # noqa: PLR2004 - left and right
        raise Malformed(
            "git counted something else than commits", connection=copy.remote.connection
        )
    return int(counts[0]), int(counts[1])


async def _commits(copy: Copy, span: str, paths: Iterable[str]) -> list[Commit]:
    printed = await copy.git.ask(
        "log",
        *("-z", "--no-color", "--no-merges", "--full-history", "--no-renames"),
        *("--encoding=UTF-8", f"--format=tformat:{FORMAT}", f"--max-count={MOST_READ}"),
        span,
        "--",
        *paths,
    )
    return parse(printed, copy.remote.connection)


def _told(commit: Commit) -> JsonValue:
    authors: list[JsonValue] = [{"name": a.name, "email": a.email} for a in commit.authors]
    return {"id": commit.id, "at": commit.at, "subject": commit.subject, "authors": authors}


def _short(ids: list[str]) -> list[JsonValue]:
    return [one[:12] for one in ids[:_OF_ONE]]
