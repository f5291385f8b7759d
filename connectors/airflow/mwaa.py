"""Amazon's managed Airflow: a web login that is signed for, or every request wrapped into a signed one.

Both sign with the machine's own AWS identity, or with the key pair in the connection's token
(`KEY_ID:SECRET` or `KEY_ID:SECRET:SESSION`).
"""

import asyncio
import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import httpx

from connectors.airflow.doors import Door, Headers, Renewed, Send, bearer, token_in
from connectors.errors import Forbidden, Malformed, NotFound
from connectors.http import Answer, Patience, Request, taken_in

_LOGIN_PATHS: Mapping[str, str] = {
    "/api/v1": "/aws_mwaa/login",
    "/api/v2": "/pluginsv2/aws_mwaa/login",
}
_COOKIES: Mapping[str, str] = {"/api/v1": "session", "/api/v2": "_token"}
_PARTS_OF_KEY = (2, 3)
_KEPT = ("content-type", "date", "retry-after", "location")


class Signer:
    """Signs requests to AWS. The identity may have to be fetched, so it is done in a thread."""

    def __init__(self, connection: str, region: str, key: str | None) -> None:
        self.connection, self._region = connection, region
        self._pair = _pair(connection, key) if key else None
        self.secrets = tuple(self._pair[1:]) if self._pair else ()
        try:
            self._auth = import_module("botocore.auth")
            self._request = import_module("botocore.awsrequest")
            self._credentials = import_module("botocore.credentials")
            self._session = import_module("botocore.session").get_session()
        except ImportError:
            says = "botocore is not installed here; install dw with its extra `mwaa`"
            raise NotFound(says, connection=connection) from None

    @property
    def base(self) -> str:
        """Where environments of this region are asked about."""
        tail = ".cn" if self._region.startswith("cn-") else ""
        return f"https://env.airflow.{self._region}.amazonaws.com{tail}"

    async def signed(self, url: str, body: bytes) -> Headers:
        """The headers of a signed POST."""
        return await asyncio.to_thread(self._sign, url, body)

    def _sign(self, url: str, body: bytes) -> Headers:
        told = {"Content-Type": "application/json"}
        request = self._request.AWSRequest(method="POST", url=url, data=body, headers=told)
        self._auth.SigV4Auth(self._identity(), "airflow", self._region).add_auth(request)
        return dict(request.headers.items())

    def _identity(self) -> Any:
        if self._pair is not None:
            return self._credentials.Credentials(*self._pair)
        found = self._session.get_credentials()
        if found is None:
            says = "this machine has no AWS identity, and the connection has no token; nothing was sent"
            raise Forbidden(says, connection=self.connection)
        return found.get_frozen_credentials()


class WebLogin(Renewed):
    """Changes a signed wish into a session of the web server, as the console's own link does."""

    def __init__(self, signer: Signer, base: str, environment: str) -> None:
        super().__init__(signer.connection)
        self._signer, self._base = signer, base
        self._wish = f"{signer.base}/webtoken/{environment}"
        self.logins = frozenset({self._wish, *(base + path for path in _LOGIN_PATHS.values())})
        self.secrets = signer.secrets

    async def obtain(self, send: Send, prefix: str) -> Headers:
        """A cookie for Airflow 2, a bearer token for Airflow 3."""
        body = b"{}"
        signed = await self._signer.signed(self._wish, body)
        wished = await send(Request(method="POST", url=self._wish, headers=signed, content=body))
        form = {"token": token_in(wished, "WebToken")}
        answer = await send(
            Request(method="POST", url=self._base + _LOGIN_PATHS[prefix], form=form)
        )
        cookies = {each.name: each.value for each in answer.response.cookies.jar}
        cookie = cookies.get(_COOKIES[prefix])
        if cookie:
            new = prefix == "/api/v2"
            return self.kept(bearer(cookie) if new else {"Cookie": f"session={cookie}"})
        says = (
            f"its web login gave no session (HTTP {answer.status}); may this identity log in there?"
        )
        raise Forbidden(says, connection=self.connection)


class MwaaApi(Door):
    """No headers of its own: the transport wraps and signs."""

    def __init__(self, signer: Signer, environment: str) -> None:
        self._signer, self._url = signer, f"{signer.base}/restapi/{environment}"
        self.secrets = signer.secrets

    async def headers(self, _send: Send, _prefix: str) -> Headers:
        """None."""
        return {}

    def through(self, transport: httpx.AsyncBaseTransport) -> httpx.AsyncBaseTransport:
        """InvokeRestApi around everything."""
        return InvokeRestApi(transport, self._signer, self._url)


class InvokeRestApi(httpx.AsyncBaseTransport):
    """Wraps a request to Airflow's API into one to AWS, and unwraps the answer."""

    def __init__(self, inner: httpx.AsyncBaseTransport, signer: Signer, url: str) -> None:
        self._inner, self._signer, self._url = inner, signer, url

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Its own refusals come as 400 with Airflow's status inside; those of AWS as they are."""
        body = await _wrapped(request)
        headers = await self._signer.signed(self._url, body)
        wrapped = httpx.Request(
            "POST", self._url, headers=dict(headers), content=body, extensions=request.extensions
        )
        response = await self._inner.handle_async_request(wrapped)
        content = await taken_in(response, self._signer.connection, Patience().most)
        answer = Answer(
            connection=self._signer.connection,
            response=httpx.Response(response.status_code, content=content),
        )
        told = answer.told()
        status = told.get("RestApiStatusCode")
        if isinstance(status, int) and 100 <= status < 600:  # noqa: PLR2004 - what HTTP knows
            return httpx.Response(status, json=told.get("RestApiResponse"), request=request)
        headers = {name: response.headers[name] for name in _KEPT if name in response.headers}
        return httpx.Response(
            response.status_code, headers=headers, content=content, request=request
        )

    async def aclose(self) -> None:
        """Close what is behind."""
        await self._inner.aclose()


async def _wrapped(request: httpx.Request) -> bytes:
    _, found, path = request.url.path.partition("/api/v")
    query = {key: request.url.params.get_list(key) for key in request.url.params}
    body: dict[str, Any] = {"Path": "/" + path.partition("/")[2], "Method": request.method}
    if query:
        body["QueryParameters"] = {
            key: values if len(values) > 1 else values[0] for key, values in query.items()
        }
    content = await request.aread()
    if content:
        body["Body"] = json.loads(content)
    if not found:
        raise Malformed("only Airflow's API is asked through InvokeRestApi")
    return json.dumps(body).encode()


def _pair(connection: str, key: str) -> tuple[str, ...]:
    parts = tuple(key.split(":"))
    if len(parts) in _PARTS_OF_KEY:
        return parts
    says = "its token must be KEY_ID:SECRET or KEY_ID:SECRET:SESSION, or left out for the machine's own identity"
    raise NotFound(says, connection=connection)
