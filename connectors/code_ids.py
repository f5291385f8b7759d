"""Which commit a word of somebody else's names: a version, an image's tag, a tag of a run.

Only what looks like an id of a commit is taken for one, and only a repository that knows it makes it one.
"""

import re
from collections.abc import Mapping

_WHOLE = re.compile(r"^[0-9a-f]{40}$")
_AT_THE_END = re.compile(r"(?:^|[:/_.@ +-])([0-9a-f]{7,40})$")
_LETTER = re.compile(r"[a-f]")
#: what teams call the tag of a run that holds the commit it was started from
_KEYS = frozenset(
    {"commit", "commit_hash", "commit_sha", "git_commit", "git_commit_hash", "git_hash", "git_sha"}
)


def commit_in(text: str | None) -> str | None:
    """`registry/pipelines:sha-a1b2c3d` → `a1b2c3d`; None where nothing looks like a commit.

    A short one needs a letter in it: `20260930` is a date.
    """
    found = _AT_THE_END.search((text or "").strip().lower())
    if found is None:
        return None
    commit = found[1]
    return commit if _WHOLE.match(commit) or _LETTER.search(commit) else None


def commit_of(tags: Mapping[str, str]) -> str | None:
    """The commit that a run's tags name under one of the usual words."""
    for key, value in tags.items():
        word = re.split(r"[/.]", key.lower())[-1].replace("-", "_")
        if word in _KEYS:
            return commit_in(value)
    return None
