"""Login at an OpenID provider: authorization code with PKCE, state and nonce; what comes back is checked, then forgotten."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from bot.clock import Clock
from handlers.mail.links import Seals
from policies.mail import OidcRule

ALGORITHMS: Final = ("RS256", "ES256", "PS256")
"""How an id token may be signed: with the provider's own key, never with `none` or a shared secret."""
DONE: Final = "/login/done"
_NOTE: Final = "login"
_PATIENCE: Final = timedelta(minutes=10)
_LEEWAY: Final = 60
_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_ENDS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class LoginFailed(RuntimeError):
    """Nobody was logged in and nothing was decided; the message says why, and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Began:
    """Where to send the browser, and what it must bring back with it."""

    url: str
    memory: str


class Login:
    """One provider. What it says of itself, and its keys, are kept; a key that is new is looked for once."""

    def __init__(
        self,
        rule: OidcRule,
        secrets_: tuple[str, str | None],
        base: str,
        session: aiohttp.ClientSession,
        clock: Clock,
    ) -> None:
        self._rule, (self._key, self._secret), self._base = rule, secrets_, base
        self._session, self._clock, self._seals = session, clock, Seals(secrets_[0], clock)
        self._ends: Mapping[str, str] | None = None
        self._keys: KeySet | None = None

    async def begin(self, link: str) -> Began:
        """Begin a login for this link. Raises `LoginFailed`."""
        ends, state = await self.discover(), secrets.token_urlsafe(24)
        challenge = hashlib.sha256(self._derived("verifier", state).encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self._rule.client_id,
            "redirect_uri": self._base + DONE,
            "scope": "openid email",
            "state": state,
            "nonce": self._derived("nonce", state),
            "code_challenge": _plain(challenge),
            "code_challenge_method": "S256",
            "prompt": "login",
        }
        joint = "&" if "?" in ends["authorization_endpoint"] else "?"
        url = f"{ends['authorization_endpoint']}{joint}{urlencode(asked)}"
        return Began(url=url, memory=self._seals.note(_NOTE, state, link))

    async def end(self, query: Mapping[str, str], memory: str) -> tuple[str, str]:
        """The link it was begun for and the email that logged in. Raises `LoginFailed`."""
        kept = self._seals.read_note(_NOTE, memory, within=_PATIENCE)
        if kept is None:
            raise LoginFailed("This login was not begun here, or more than ten minutes ago")
        state, link = kept
        if not hmac.compare_digest(state.encode(), query.get("state", "").encode()):
            raise LoginFailed("This login was begun in another window")
        if "code" not in query:
            raise LoginFailed("The login was broken off")
        token = await self._token(query["code"], state)
        return link, await self._email(token, self._derived("nonce", state))

    async def discover(self) -> Mapping[str, str]:
        """The provider's own document. Raises `LoginFailed`."""
        if self._ends is None:
            found = await self._json("GET", self._rule.issuer.rstrip("/") + _WELL_KNOWN)
            if found.get("issuer") != self._rule.issuer:
                raise LoginFailed("The provider calls itself otherwise than dw.yml does")
            if not all(isinstance(found.get(end), str) for end in _ENDS):
                raise LoginFailed("The provider does not say where one logs in")
            self._ends = {end: found[end] for end in _ENDS}
        return self._ends

    async def _token(self, code: str, state: str) -> str:
        said = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._base + DONE,
            "client_id": self._rule.client_id,
            "code_verifier": self._derived("verifier", state),
        }
        said |= {"client_secret": self._secret} if self._secret else {}
        found = await self._json("POST", (await self.discover())["token_endpoint"], said)
        token = found.get("id_token")
        if not isinstance(token, str):
            raise LoginFailed("The provider said nothing of who logged in")
        return token

    async def _email(self, token: str, nonce: str) -> str:
        claims = await self._claims(token)
        must = {
            "iss": self._rule.issuer,
            "aud": self._rule.client_id,
            "nonce": nonce,
            "email_verified": True,
        }
        registry = jwt.JWTClaimsRegistry(
            now=int(self._clock.now().timestamp()),
            leeway=_LEEWAY,
            **{name: {"essential": True, "value": value} for name, value in must.items()},  # type: ignore[arg-type]
            **{name: {"essential": True} for name in ("exp", "iat", "sub", "email")},  # type: ignore[arg-type]
        )
        try:
            registry.validate(claims)
        except JoseError as error:
            raise LoginFailed("What the provider said of who logged in does not hold") from error
        if claims.get("azp", self._rule.client_id) != self._rule.client_id:
            raise LoginFailed("This login was meant for another client")
        return str(claims["email"])

    async def _claims(self, token: str) -> dict[str, Any]:
        try:
            return self._opened(token, await self._keyset())
        except InvalidKeyIdError:
            self._keys = None
        except (JoseError, ValueError) as error:
            raise LoginFailed("What the provider said is not signed as it must be") from error
        try:
            return self._opened(token, await self._keyset())
        except (JoseError, ValueError) as error:
            raise LoginFailed("What the provider said is not signed with a key of its") from error

    def _opened(self, token: str, keys: KeySet) -> dict[str, Any]:
        return dict(jwt.decode(token, keys, algorithms=list(ALGORITHMS)).claims)

    async def _keyset(self) -> KeySet:
        if self._keys is None:
            found = await self._json("GET", (await self.discover())["jwks_uri"])
            self._keys = KeySet.import_key_set(found)  # type: ignore[arg-type]
        return self._keys

    async def _json(
        self, method: str, url: str, said: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        try:
            async with self._session.request(
                method, url, data=said, allow_redirects=False
            ) as answer:
                found = await answer.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise LoginFailed("The login page could not be reached") from error
        if answer.status != 200 or not isinstance(found, dict):  # noqa: PLR2004 - it is HTTP's OK
            raise LoginFailed(f"The provider refused it ({answer.status})")
        return found

    def _derived(self, what: str, state: str) -> str:
        """Only we can tell it from the state, so that it need not be kept."""
        said = f"{_NOTE}.{what}.{state}".encode()
        return _plain(hmac.new(self._key.encode(), said, hashlib.sha256).digest())


def _plain(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
