"""What dw.yml allows to be done alone: how often, how far, and after how many good ends."""

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Budget(_Model):
    """How much may be started without a fresh yes. What is beyond it is asked for."""

    runs_a_day: int = Field(ge=0, description="runs that may be started alone in a day, UTC")
    reach: int = Field(ge=0, description="how many assets the plan of such a run may reach")
    cost_a_day: float | None = Field(
        None,
        ge=0,
        description="what the runs of a day may cost together, in the unit of the jobs' `cost`; left"
        " out: not counted",
    )


class RecordRule(_Model):
    """How good a change class must have been before it may be trusted at L3."""

    receipts: int = Field(10, ge=1, description="receipts of the class in the domain, all passed")
    days: int = Field(90, ge=1, description="how far back they count, and one that did not pass")
