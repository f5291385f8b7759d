"""docs/promises.md, written from the list itself so that it can't grow old: `python -m tests.faults.page`."""

from collections.abc import Iterator

from tests.faults.mutation import ROOT, Mutation
from tests.faults.promises import MUTATIONS, PROMISES, Promise

PAGE = ROOT / "docs/promises.md"
_HEAD = """\
<!-- Written by `python -m tests.faults.page`. Change tests/faults, not this page. -->
# Twelve promises, and how each can be seen to break

A test that can't fail proves nothing. So each promise is broken on purpose, in a copy of the code, in the ways listed
here, and the tests beside each way must fail then: `make promises`.
"""


def page() -> str:
    """The whole page."""
    return _HEAD + "\n".join(line for promise in PROMISES for line in _promise(promise)) + "\n"


def _promise(promise: Promise) -> Iterator[str]:
    yield f"\n## {promise.number}. {promise.title}\n"
    yield promise.says
    if promise.not_yet:
        yield f"\n**Not proved yet.** {promise.not_yet}"
    broken = [m for m in MUTATIONS if m.promise == promise.number]
    if broken:
        yield "\n| when this is broken | these tests fail |\n|---|---|"
    for mutation in broken:
        yield f"| {mutation.breaks} | {_tests(mutation)} |"


def _tests(mutation: Mutation) -> str:
    links = []
    for test in mutation.caught_by:
        file, _, name = test.partition("::")
        said = name.partition("[")[0].removeprefix("test_").replace("_", " ")
        links.append(f"[{said}](../{file})")
    return "<br>".join(links)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
