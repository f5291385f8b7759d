"""What an answer of Airflow says: which version it is, whether it refused us, and why, in its own words."""

from dataclasses import dataclass

from connectors.http import Answer
from connectors.listening import complaints

_NOT_FOUND, _UNAUTHORIZED, _FORBIDDEN = 404, 401, 403
_STALE = "jwt token"
_WORDS = ("detail", "title", "message", "Message")  # the last two are Amazon's own
_MASKED_AS_PERMISSION = (
    "Airflow 2 says the same for a wrong user or password as for a missing permission"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """What the server is: `prefix` is where its API lives."""

    text: str
    major: int
    minor: int

    @property
    def prefix(self) -> str:
        """`/api/v1` for Airflow 2, `/api/v2` for Airflow 3."""
        return f"/api/v{self.major - 1}"

    def since(self, major: int, minor: int) -> bool:
        """True for this version and later ones."""
        return (self.major, self.minor) >= (major, minor)


def words(answer: Answer) -> str:
    """What it says for itself: a sentence, a reason in an object, or a list of complaints."""
    body = answer.told()
    detail = next((body[name] for name in _WORDS if body.get(name)), None)
    if isinstance(detail, dict):
        return str(detail.get("reason") or detail.get("message") or "")
    if isinstance(detail, list):
        return complaints(detail)
    return str(detail or "").partition("\n\n")[0]


def refused(answer: Answer) -> bool:
    """401, or the 403 by which Airflow 3 refuses a token, as opposed to a permission."""
    if answer.status == _FORBIDDEN:
        return _STALE in words(answer).lower()
    return answer.status == _UNAUTHORIZED


def elsewhere(answer: Answer) -> bool:
    """True for a 404 that is not Airflow's own "no such …": its API is not at this address."""
    if answer.status != _NOT_FOUND:
        return False
    body = answer.told()
    return "detail" not in body or body["detail"] == "Not Found"


def version_in(answer: Answer) -> Version | None:
    """What the answer to `…/version` says; None when no Airflow 2 or 3 gave it."""
    if not answer.response.is_success:
        return None
    text = answer.told().get("version")
    numbers = str(text or "").split(".")
    if len(numbers) < 2 or not all(part.isdigit() for part in numbers[:2]):  # noqa: PLR2004 - major.minor
        return None
    major, minor = map(int, numbers[:2])
    return Version(text=str(text), major=major, minor=minor) if major in (2, 3) else None


def no_right(answer: Answer, said: str, version: Version | None) -> str:
    """A refusal in words; Airflow 2 does not tell a wrong password from a missing permission."""
    if answer.status == _UNAUTHORIZED or _STALE in said.lower():
        return f"it refused the credential ({said or 'no reason given'}): missing, wrong or expired; nothing was done. Check it"
    old = version is not None and version.major == 2  # noqa: PLR2004 - Airflow 2
    doubt = f" ({_MASKED_AS_PERMISSION})" if old else ""
    return f"the credential may not do this{doubt}; nothing was done. Check its role there"
