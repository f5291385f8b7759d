"""What every client does with what it hears: fits it to a model, and makes foreign words fit to be shown."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from connectors.errors import Malformed
from connectors.http import Http
from connectors.masking import legible, masked

M = TypeVar("M", bound=BaseModel)
P = TypeVar("P", str, int)
_LONGEST, _WIDEST = 600, 200
_UNFIT = (
    "its answer does not fit: {0}. Nothing is assumed from it: check its address and its version"
)
_NO_LIST = "its answer is not a list. Nothing is assumed from it: check its address and its version"


class Listener:
    """One client of one connection."""

    _http: Http

    def __init__(self, connection: str) -> None:
        self.connection = connection

    def model(self, cls: type[M], answer: Any) -> M:
        """`answer` as this model; `Malformed` names the fields that do not fit, not their values."""
        try:
            return cls.model_validate(answer)
        except ValidationError as error:
            fields = sorted({".".join(map(str, each["loc"])) for each in error.errors()})
        says = _UNFIT.format(self.clean(", ".join(filter(None, fields)) or "all of it", _WIDEST))
        raise Malformed(says, connection=self.connection)

    def models(self, cls: type[M], answer: Any) -> list[M]:
        """A list of them."""
        if not isinstance(answer, list):
            raise Malformed(_NO_LIST, connection=self.connection)
        return [self.model(cls, each) for each in answer]

    def plain(self, cls: type[P], answer: Any) -> P:
        """A word or a number, as it is."""
        if isinstance(answer, cls) and not isinstance(answer, bool):
            return answer
        raise Malformed(_UNFIT.format("all of it"), connection=self.connection)

    def clean(self, text: str, longest: int = _LONGEST) -> str:
        """Foreign words, short enough for a phone, without secrets and without what can't be seen."""
        return self.hidden(text).strip()[:longest]

    def hidden(self, text: str) -> str:
        """The same at any length."""
        return masked(legible(text), *self._secrets())

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.close()

    def _secrets(self) -> Iterable[str | None]:
        """What it knows us by, to be kept out of whatever is shown."""
        return ()


def complaints(told: object) -> str:
    """A list of what is wrong with a request, as servers over pydantic tell it: `state.type: not one of …`."""
    every = told if isinstance(told, list) else []
    return "; ".join(_complaint(each) for each in every if isinstance(each, dict))


def _complaint(each: Mapping[str, Any]) -> str:
    loc = each.get("loc")
    where = [str(part) for part in loc if part != "body"] if isinstance(loc, list) else []
    return f"{'.'.join(where)}: {each.get('msg', '')}"
