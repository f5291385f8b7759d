"""Where a Prefect is: its API for us, its pages for people. Either may stand in dw.yml."""

import re
from base64 import b64encode
from dataclasses import dataclass

import httpx

from connectors.errors import NotFound

_CLOUD_PAGE = re.compile(r"^/account/([\w-]+)/workspace/([\w-]+)")
_CLOUD_API = re.compile(r"^/api/accounts/([\w-]+)/workspaces/([\w-]+)$")
_CLOUD = {"app.prefect.cloud", "api.prefect.cloud"}
_NO_WORKSPACE = (
    "its url in dw.yml names no workspace; write it as "
    "https://api.prefect.cloud/api/accounts/<account>/workspaces/<workspace>"
)
_UNUSABLE = "its url in dw.yml can't be used; write it as http://host:port"


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """`api` is what is asked, `pages` is what a person opens; neither ends with a slash."""

    api: str
    pages: str

    @classmethod
    def of(cls, url: str, connection: str) -> "Address":
        """Raises `NotFound` for what is no address of a Prefect."""
        try:
            parts = httpx.URL(url)
        except httpx.InvalidURL:
            parts = httpx.URL("")
        if parts.scheme not in ("http", "https") or not parts.host:
            raise NotFound(_UNUSABLE, connection=connection)
        if parts.host in _CLOUD:
            return cls._cloud(parts.path.rstrip("/"), connection)
        base = url.split("?", maxsplit=1)[0].rstrip("/").removesuffix("/api")
        return cls(api=f"{base}/api", pages=base)

    @classmethod
    def _cloud(cls, path: str, connection: str) -> "Address":
        match = _CLOUD_PAGE.match(path) or _CLOUD_API.match(path)
        if match is None:
            raise NotFound(_NO_WORKSPACE, connection=connection)
        account, workspace = match.groups()
        return cls(
            api=f"https://api.prefect.cloud/api/accounts/{account}/workspaces/{workspace}",
            pages=f"https://app.prefect.cloud/account/{account}/workspace/{workspace}",
        )

    def run(self, run_id: str) -> str:
        """The page of a flow run."""
        return f"{self.pages}/runs/flow-run/{run_id}"

    def deployment(self, deployment_id: str) -> str:
        """The page of a deployment."""
        return f"{self.pages}/deployments/deployment/{deployment_id}"


def login(token: str | None) -> dict[str, str]:
    """A key of Prefect Cloud is shown as it is; `user:password` of a server's own login as HTTP Basic."""
    if not token:
        return {}
    if ":" in token:
        return {"Authorization": f"Basic {b64encode(token.encode()).decode()}"}
    return {"Authorization": f"Bearer {token}"}
