"""Mistakes in where the code is: repositories of nothing that runs, paths that lead out, authors that are nobody."""

from collections.abc import Iterator

from policies.kinds import a_or_an, orchestrators, runs, tells_authors
from policies.lint.parts import Data, Mistake, Path, described, mapping, texts
from policies.lint.people import A_PERSON, is_one_person

_OWN = ("code_of", "branch", "paths", "authors")


def repositories(data: Data) -> Iterator[Mistake]:
    """Repositories that hold nobody's code, and words that only a repository knows."""
    known = dict(described(data, "connections"))
    for name, connection in known.items():
        path, kind = ("connections", name), connection.get("kind")
        for key in _OWN if not tells_authors(kind) else ():
            if connection.get(key):
                what = f"{a_or_an(kind)} is no repository"
                yield Mistake(path=(*path, key), what=what, instead="leave it out")
        if tells_authors(kind) and not connection.get("code_of"):
            instead = "code_of: [<the connection that runs this code>]"
            yield Mistake(path=path, what="nobody runs the code in it", instead=instead)
        for i, runner in texts(connection.get("code_of")) if tells_authors(kind) else ():
            if runner in known and not runs(known[runner].get("kind")):
                what = f"nothing runs on {runner}"
                instead = f"name a connection of kind {orchestrators()}"
                yield Mistake(path=(*path, "code_of", i), what=what, instead=instead)


def paths(data: Data) -> Iterator[Mistake]:
    """Paths that are not inside of the repository."""
    for name, connection in described(data, "connections"):
        for pattern, listed in mapping(connection.get("paths")).items():
            for i, path in texts(listed):
                if path.startswith(("/", ":", "./")) or ".." in path.split("/") or not path:
                    where: Path = ("connections", name, "paths", str(pattern), i)
                    what = f"{path!r} is no path inside of the repository"
                    yield Mistake(path=where, what=what, instead="write it like dags/usage")


def authors(data: Data) -> Iterator[Mistake]:
    """Authors whom nobody could find in Slack."""
    for name, connection in described(data, "connections"):
        for address, who in mapping(connection.get("authors")).items():
            if isinstance(who, str) and not is_one_person(who):
                path: Path = ("connections", name, "authors", str(address))
                yield Mistake(path=path, what=f"{who!r} names nobody", instead=A_PERSON)
