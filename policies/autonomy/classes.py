"""The kinds of change that may ever be made without a fresh yes: those that a second run takes back."""

from collections.abc import Mapping
from typing import Final

#: change class → whether running it again replaces what it made; what is not named here is not reversible
REVERSIBLE: Final[Mapping[str, bool]] = {
    "run_job": True,
    "rerun_dag": True,
    "backfill": False,
    "rebuild": False,
    "open_pull_request": False,
}


def reversible(change_class: str) -> bool:
    """True only for a class that is known to be."""
    return REVERSIBLE.get(change_class, False)
