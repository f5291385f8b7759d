"""Who changed the code: the histories of git repositories, read through the `git` that is installed here.

Only commits come over the wire (who, when, subject), no files where the server can leave them out; and
nothing ever goes the other way: see `binary.VERBS`.
"""

from connectors.git.binary import Bounds
from connectors.git.reader import GitReader

__all__ = ["Bounds", "GitReader"]
