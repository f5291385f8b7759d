"""What the answer to a start means, the same for every actuator: surely no, surely not sent, or unknown.

Only what is known to be a no is one. Whatever else comes back leaves the outcome open: it is looked up,
and the start is never sent again blindly.
"""

from connectors.errors import (
    Broken,
    ConnectorError,
    Final,
    Malformed,
    Throttled,
    Transient,
    Unreachable,
)
from connectors.http import NOTHING_DONE

_UNCLEAR = (
    "it was asked to run {0} and its answer can't be understood: {1}. Whether it runs is looked up"
)
_WAIT = "it asks to wait {0:g} s; nothing was started. It is tried again then"


def reason(problem: ConnectorError) -> str:
    """What it says, without the name before it and without what every reader adds."""
    says = str(problem).removeprefix(f"{problem.connection}: ")
    return says.replace(f"; {NOTHING_DONE}", "").removesuffix(".")


def refusal(problem: ConnectorError, job: str) -> ConnectorError:
    """The answer to a start, as `Actuator.act` promises its errors."""
    at = problem.connection
    match problem:
        case Malformed():
            why = reason(problem).partition(". Nothing is assumed")[0]
            return Broken(_UNCLEAR.format(job, why), connection=at)
        case Throttled():
            return Unreachable(_WAIT.format(problem.retry_after), connection=at)
        case Final():
            return no(type(problem), f"it refused a run of {job}: {reason(problem)}", at)
        case _:
            return problem


def no(kind: type[ConnectorError], says: str, connection: str) -> ConnectorError:
    """A sure no, in words."""
    return kind(f"{says.removesuffix('.')}. Nothing was started.", connection=connection)


def unsent(problem: Transient) -> ConnectorError:
    """What was read before a start failed for a while: surely nothing was sent."""
    if isinstance(problem, Unreachable):
        return problem
    return Unreachable(f"nothing was sent: {reason(problem)}", connection=problem.connection)
