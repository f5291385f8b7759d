"""How an Airflow knows us. Each door is small; all of them speak through the one guarded client.

Password   Airflow 2: Basic with each request · Airflow 3: a login for a token, renewed when it ends
Bearer     a token that somebody else made: Astro, or any gateway
Google     an OAuth token, from the key of a service account or from the machine itself
WebLogin   Amazon: a signed wish for a web login, changed into a session
MwaaApi    Amazon: each request wrapped into a signed one (see `mwaa`)
"""

import asyncio
import base64
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping

import httpx

from connectors.errors import ConnectorError, Forbidden, Malformed
from connectors.http import Answer, Request

Headers = Mapping[str, str]
Send = Callable[[Request], Awaitable[Answer]]
_UNSAID: Headers = {}
_REFUSED = (401, 403)
_CREATED = (200, 201)


class Door(ABC):
    """Gives the headers that prove who we are. `logins` are the URLs it may post to."""

    logins: frozenset[str] = frozenset()
    #: the credential, to be kept out of whatever is shown
    secrets: tuple[str, ...] = ()

    @abstractmethod
    async def headers(self, send: Send, prefix: str) -> Headers:
        """For a request to the API below `prefix` (`/api/v1`, `/api/v2`)."""

    def renews(self, _used: Headers) -> bool:
        """After a refusal: True when these headers have ended and new ones can be had."""
        return False

    def through(self, transport: httpx.AsyncBaseTransport) -> httpx.AsyncBaseTransport:
        """Where a service wraps every request: its transport around the given one."""
        return transport


class Bearer(Door):
    """A token that somebody else made and renews. Without one, nothing is sent."""

    def __init__(self, token: str | None) -> None:
        self.secrets = (token,) if token else ()
        self._headers = bearer(token) if token else _UNSAID

    async def headers(self, _send: Send, _prefix: str) -> Headers:
        """The same each time."""
        return self._headers


class Renewed(Door):
    """Something that is obtained once, used until it is refused, and then obtained once more."""

    def __init__(self, connection: str) -> None:
        self.connection = connection
        self._held: Headers | None = None
        self._one_at_a_time = asyncio.Lock()

    async def headers(self, send: Send, prefix: str) -> Headers:
        """Obtained by the first who asks; the others wait for it."""
        async with self._one_at_a_time:
            if self._held is None:
                self._held = await self.obtain(send, prefix)
            return self._held

    def renews(self, used: Headers) -> bool:
        """Forgets what was refused, unless somebody else has renewed it already."""
        if self._held == used:
            self._held = None
        return bool(used)

    def kept(self, headers: Headers) -> Headers:
        """The same; from now on what is in them is not shown either."""
        fresh = tuple(value.rpartition(" ")[2] for value in headers.values())
        self.secrets = (*self.secrets[:2], *fresh)
        return headers

    @abstractmethod
    async def obtain(self, send: Send, prefix: str) -> Headers:
        """Headers that are good for a while; a `ConnectorError` when there are none to be had."""


class Password(Renewed):
    """A user and a password. Which way they are used depends on what the server is by now."""

    def __init__(self, connection: str, base: str, user: str, password: str) -> None:
        super().__init__(connection)
        self._user, self._password = user, password
        self._login = f"{base}/auth/token"
        self.logins = frozenset({self._login})
        self.secrets = (password,)

    async def headers(self, send: Send, prefix: str) -> Headers:
        """Basic for Airflow 2: it forgets us between requests; a token for Airflow 3."""
        if prefix == "/api/v1":
            pair = base64.b64encode(f"{self._user}:{self._password}".encode()).decode()
            return {"Authorization": f"Basic {pair}"}
        return await super().headers(send, prefix)

    async def obtain(self, send: Send, _prefix: str) -> Headers:
        """The token of Airflow 3."""
        body = {"username": self._user, "password": self._password}
        answer = await send(Request(method="POST", url=self._login, json=body))
        if answer.status in _REFUSED:
            says = f"it refused user {self._user}: no such user, or another password; nothing was done. Check both"
            raise Forbidden(says, connection=self.connection)
        return self.kept(bearer(token_in(answer, "access_token")))

    def renews(self, used: Headers) -> bool:
        """Basic does not end."""
        return super().renews(used) and used.get("Authorization", "").startswith("Bearer ")


def bearer(token: str) -> Headers:
    """The header of a token."""
    return {"Authorization": f"Bearer {token}"}


def token_in(answer: Answer, name: str) -> str:
    """The token in the answer to a login; the error it is instead."""
    problem: ConnectorError | None = answer.fault()
    if problem is not None:
        raise problem
    body = answer.json() if answer.status in _CREATED else None
    token = body.get(name) if isinstance(body, dict) else None
    if isinstance(token, str) and token:
        return token
    says = f"its login answered without {name} (HTTP {answer.status}). Nothing is assumed from it: check its address"
    raise Malformed(says, connection=answer.connection)
