"""A small, strict OpenID provider: it forgets no rule of its own, and lies only where a test tells it to."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from bot.clock import Clock
from bot.web import serving

CLIENT, SECRET = "dw", "planted-oidc-secret"


@dataclass
class Provider:
    """`email` is who logs in; `lies` are claims put over the true ones; `none`, `shared`: how it signs then."""

    clock: Clock
    email: str = "U0ANA@example.com"
    lies: dict[str, Any] = field(default_factory=dict)
    signs: str = "RS256"
    issuer: str = ""
    names: str = ""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, auto_kid=True))
    asked: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.add_routes(
            [
                web.get("/.well-known/openid-configuration", self._document),
                web.get("/authorize", self._authorize),
                web.post("/token", self._token),
                web.get("/keys", self._keys),
            ]
        )
        return app

    async def _document(self, _: web.Request) -> web.Response:
        self.asked.append("document")
        return web.json_response(
            {
                "issuer": self.names or self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
            }
        )

    async def _keys(self, _: web.Request) -> web.Response:
        self.asked.append("keys")
        return web.json_response(KeySet([self.key]).as_dict(private=False))

    async def _authorize(self, request: web.Request) -> web.Response:
        """Whoever comes is `email` and agrees."""
        asked = dict(request.query)
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert {"openid", "email"} <= set(asked["scope"].split())
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return web.Response(status=302, headers={"Location": f"{asked['redirect_uri']}?{back}"})

    async def _token(self, request: web.Request) -> web.Response:
        said = await request.post()
        asked = self.codes.pop(str(said["code"]), None)
        if asked is None or said["client_secret"] != SECRET:
            return web.json_response({"error": "invalid_grant"}, status=400)
        digest = hashlib.sha256(str(said["code_verifier"]).encode()).digest()
        if (
            _plain(digest) != asked["code_challenge"]
            or said["redirect_uri"] != asked["redirect_uri"]
        ):
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"access_token": "at", "id_token": self._signed(asked["nonce"])})

    def _signed(self, nonce: str) -> str:
        now = int(self.clock.now().timestamp())
        claims = {
            "iss": self.issuer,
            "sub": "ana-1",
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "email": self.email,
            "email_verified": True,
            **self.lies,
        }
        if self.signs in ("HS256", "none"):
            return _by_hand(self.signs, claims, self.key.as_pem(private=False))
        key = RSAKey.generate_key(2048) if self.signs == "other" else self.key
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, key)


def _by_hand(alg: str, claims: dict[str, Any], public: bytes) -> str:
    """What no library would sign: with nothing, or with the key that everybody can read."""
    parts = [_plain(json.dumps(part).encode()) for part in ({"alg": alg}, claims)]
    said = ".".join(parts)
    signed = hmac.new(public, said.encode(), hashlib.sha256).digest() if alg == "HS256" else b""
    return f"{said}.{_plain(signed)}"


def _plain(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@asynccontextmanager
async def a_provider(clock: Clock) -> AsyncIterator[Provider]:
    """One that listens."""
    provider = Provider(clock)
    async with serving(provider.app(), "127.0.0.1", 0) as address:
        provider.issuer = address
        yield provider
