"""Switches for everything that goes wrong between Slack and an app, each good for a number of times."""

from dataclasses import asdict, dataclass

from bot.sandbox.workspace.errors import Json, SlackError

#: What each kind does is written in api.md.
KINDS = ("answer", "lost", "slow", "dead_handshake", "duplicate", "delay", "reorder", "drop_ack")


@dataclass(slots=True)
class Fault:
    """One switch. `left` is how many more times it strikes; `method` narrows it to one Web API method."""

    id: str
    kind: str
    left: int = 1
    method: str = "*"
    error: str = ""
    status: int = 200
    retry_after: int = 1
    ms: int = 0
    same_envelope: bool = False


class Faults:
    """The switches that are on."""

    def __init__(self) -> None:
        """None is on."""
        self._faults: list[Fault] = []
        self._count = 0

    def add(
        self,
        kind: str,
        times: int = 1,
        *,
        method: str = "*",
        answer: Json | None = None,
        same_envelope: bool = False,
    ) -> Fault:
        """Switch one on. `answer` holds error, status, retry_after or ms."""
        if kind not in KINDS:
            raise SlackError(
                "unknown_fault", f"No fault is called {kind!r}; there are {', '.join(KINDS)}."
            )
        self._count += 1
        fault = Fault(
            id=f"F{self._count}",
            kind=kind,
            left=times,
            method=method,
            same_envelope=same_envelope,
            **(answer or {}),
        )
        self._faults.append(fault)
        return fault

    def take(self, kind: str, method: str = "*") -> Fault | None:
        """The oldest switch of this kind that fits, used up by one; None when none is on."""
        for fault in self._faults:
            if fault.kind == kind and fault.left > 0 and fault.method in {"*", method}:
                fault.left -= 1
                return fault
        return None

    def on(self) -> list[Json]:
        """The switches that will still strike."""
        return [asdict(fault) for fault in self._faults if fault.left > 0]

    def clear(self) -> None:
        """Switch everything off."""
        self._faults.clear()
