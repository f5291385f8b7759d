"""What a git reader is asked."""

from typing import Annotated

from pydantic import Field, StringConstraints

from connectors.params import Params

#: an id of a commit, whole or its beginning: never an option, a path or a range
CommitId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,64}$")]
RepositoryPath = Annotated[str, StringConstraints(pattern=r"^[^/:\x00][^\x00]*$", max_length=500)]
MOST_SHOWN = 100


class Changes(Params):
    """What is in `failed` and was not in `good`, both commits; `limit` of them are told one by one."""

    good: CommitId
    failed: CommitId
    paths: list[RepositoryPath] = Field(default_factory=list, max_length=100)
    limit: int = Field(20, ge=1, le=MOST_SHOWN)
