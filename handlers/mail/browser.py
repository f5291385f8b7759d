"""What a page says to a browser, and what it must bring: strict headers, cookies, and proof that its own form was sent."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web

from handlers.mail.links import AnyLink, Seals
from handlers.mail.templates import rendered

FORM: Final = "dw_form"
LOGIN: Final = "dw_login"
WHO: Final = "dw_who"
_FORM_LASTS: Final = timedelta(hours=1)
_WHO_LASTS: Final = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True, slots=True)
class Browser:
    """Knows under which address it is reached (`base`) and signs what browsers keep."""

    base: str
    seals: Seals

    def address(self, link: str) -> str:
        """The address of a signed link's page."""
        return f"{self.base}/decide/{link}"

    def page(self, shape: str, status: int = 200, **words: Any) -> web.Response:
        """One page; nothing of it is kept, framed or told to other sites, and nothing in it may run."""
        nonce = secrets.token_urlsafe(16)
        body = rendered(shape, nonce=nonce, **words)
        response = web.Response(text=body, content_type="text/html", status=status)
        policy = (
            f"default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; "
            "frame-ancestors 'none'; base-uri 'none'"
        )
        response.headers.update(
            {
                "Content-Security-Policy": policy,
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "X-Robots-Tag": "noindex, nofollow",
                "Cross-Origin-Opener-Policy": "same-origin",
            }
        )
        return response

    def keep(self, response: web.StreamResponse, name: str, value: str, seconds: float) -> None:
        """A cookie no script can read. The form's own never comes with a click from elsewhere."""
        strict = "Strict" if name == FORM else "Lax"
        secure = urlsplit(self.base).scheme == "https"
        response.set_cookie(
            name,
            value,
            max_age=int(seconds),
            path="/",
            httponly=True,
            secure=secure,
            samesite=strict,
        )

    def form(self, request: web.Request, link: AnyLink, who: str) -> tuple[str, str]:
        """The token of a form for this link and this person, and the cookie that must come with it."""
        cookie = request.cookies.get(FORM) or secrets.token_urlsafe(24)
        return self.seals.note("form", link.key, who, cookie), cookie

    def keep_form(self, response: web.StreamResponse, cookie: str) -> None:
        """Let the browser keep what its form must come with."""
        self.keep(response, FORM, cookie, _FORM_LASTS.total_seconds())

    def sent_by_form(self, request: web.Request, token: str, link: AnyLink, who: str) -> bool:
        """True when this very form was shown to this very browser, within the hour."""
        cookie = request.cookies.get(FORM, "")
        said = self.seals.read_note("form", token, within=_FORM_LASTS)
        return bool(cookie) and said == [link.key, who, cookie]

    def from_elsewhere(self, request: web.Request) -> bool:
        """True when another site sent it. Our own page sends `null` or our address, as the browser likes."""
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        origin = request.headers.get("Origin", "null")
        parts = urlsplit(self.base)
        ours = f"{parts.scheme}://{parts.netloc}"
        return site != "same-origin" or origin not in ("null", ours)

    def logged_in(self, request: web.Request, link: AnyLink) -> str | None:
        """The email that logged in for this link, in this browser, within ten minutes."""
        note = request.cookies.get(WHO, "")
        said = self.seals.read_note("who", note, within=_WHO_LASTS)
        return said[1] if said and said[0] == link.key else None

    def keep_login(self, response: web.StreamResponse, link: AnyLink, email: str) -> None:
        """Remember who logged in, for this link alone; what the login needed is let go of."""
        note = self.seals.note("who", link.key, email)
        self.keep(response, WHO, note, _WHO_LASTS.total_seconds())
        response.del_cookie(LOGIN, path="/")
