"""Where an account is: each has its own host, and the id of the account stands in the address."""

import re
from dataclasses import dataclass

from connectors.errors import NotFound

_URL = re.compile(
    r"^(?P<host>https?://[^/#?\s]+)/.*?(?:accounts|deploy)/(?P<account>\d+)(?:[/#?]|$)"
)
_UNUSABLE = (
    "its url in dw.yml names no account; write it as https://<host>/accounts/<number>, "
    "with the host you see in the browser"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """`api` is what is asked; it ends without a slash, and what is put behind it must end with one."""

    host: str
    account: str

    @classmethod
    def of(cls, url: str, connection: str) -> "Address":
        """Any address of a page, or of the API, that holds the account. Raises `NotFound` without one."""
        match = _URL.match(url)
        if match is None:
            raise NotFound(_UNUSABLE, connection=connection)
        return cls(host=match["host"], account=match["account"])

    @property
    def api(self) -> str:
        """The base of every question."""
        return f"{self.host}/api/v2/accounts/{self.account}"

    def run(self, project: int | None, run_id: int) -> str:
        """The page of a run."""
        where = f"/projects/{project}" if project else ""
        return f"{self.host}/deploy/{self.account}{where}/runs/{run_id}"

    @property
    def pages(self) -> str:
        """Where its jobs are for people."""
        return f"{self.host}/deploy/{self.account}"
