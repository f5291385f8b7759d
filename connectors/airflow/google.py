"""Google's managed Airflow: an OAuth token of a service account, or of the machine we run on."""

import json
import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from connectors.airflow.doors import Headers, Renewed, Send, bearer, token_in
from connectors.errors import NotFound
from connectors.http import Request

TOKEN_URL = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
MACHINE = (
    "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token"
)
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_SECONDS = 3600
_NO_KEY = "the private_key in its token is none; nothing was sent. Make a new JSON key of the service account"


class Google(Renewed):
    """`key` is the JSON key of a service account; without one the machine's own account is asked."""

    def __init__(self, connection: str, key: str | None) -> None:
        super().__init__(connection)
        self._key = _read(connection, key) if key else None
        if self._key is not None:
            self.logins = frozenset({TOKEN_URL})
            self.secrets = (str(self._key["private_key"]),)

    async def obtain(self, send: Send, _prefix: str) -> Headers:
        """A token for about an hour."""
        if self._key is None:
            answer = await send(Request(url=MACHINE, headers={"Metadata-Flavor": "Google"}))
        else:
            form = {"grant_type": _GRANT, "assertion": _signed(self.connection, self._key)}
            answer = await send(Request(method="POST", url=TOKEN_URL, form=form))
        return self.kept(bearer(token_in(answer, "access_token")))


def _read(connection: str, key: str) -> Mapping[str, Any]:
    try:
        found = json.loads(key)
    except ValueError:
        found = None
    if isinstance(found, dict) and {"client_email", "private_key"} <= found.keys():
        return found
    says = (
        "its token must be the JSON key of a service account, or left out to use the machine's own"
    )
    raise NotFound(says, connection=connection)


def _signed(connection: str, key: Mapping[str, Any]) -> str:
    try:
        crypt, jwt = import_module("google.auth.crypt"), import_module("google.auth.jwt")
    except ImportError:
        says = "google-auth is not installed here; install dw with its extra `google`"
        raise NotFound(says, connection=connection) from None
    now = int(time.time())
    claim = {
        "iss": key["client_email"],
        "scope": _SCOPE,
        "aud": TOKEN_URL,
        "iat": now,
        "exp": now + _SECONDS,
    }
    try:
        signer = crypt.RSASigner.from_service_account_info(key)
    except ValueError:
        raise NotFound(_NO_KEY, connection=connection) from None  # its text may hold the key
    signed: bytes = jwt.encode(signer, claim)
    return signed.decode()
