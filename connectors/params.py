"""What every question to a system has in common: its parameters are named exactly, or it is refused."""

from pydantic import BaseModel, ConfigDict


class Params(BaseModel):
    """Base of all: a misspelt parameter is a defect, not a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)
