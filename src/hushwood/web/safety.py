"""What every request passes before any page sees it: only this machine, our own pages, and a limited size.

Pure ASGI, so that nothing reads or keeps a body on the way. docs/web.md says what each check is for.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "hushwood"
LARGEST_FORM = 1 << 20
UPLOADS = frozenset({"/upload", "/audit"})  # paths that take files
_READS, _WRITES = frozenset({"GET", "HEAD"}), frozenset({"POST"})
_HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "object-src 'none'",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    # Not no-referrer: a browser would then hide the Origin of our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
# A report is a page of its own with scripts in it, so it gets no origin: it can read nothing of ours and send nothing.
REPORT_HEADERS = {
    "content-security-policy": "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline' 'unsafe-eval'; img-src data:; frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
}
_ENTERED = (
    b'<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">'
    b'<link rel="icon" href="/static/icon.svg"><title>Hushwood</title><p><a href="/">Open Hushwood</a></p></html>'
)


class BodyTooLarge(Exception):
    """A request has more bytes than it may have."""


class Safety:
    """Checks requests, and adds headers to every answer. The token lets one browser in, once.

    Browsers send a cookie to every port of the name that it belongs to, so a page of another user's server at
    127.0.0.1 would get the cookie of ours. Ours belongs to a name that nobody but this browser knows, and is worth
    nothing under any other.
    """

    def __init__(self, app: App, port: int, largest_upload: int) -> None:
        self.app = app
        self.port = port
        self.largest_upload = largest_upload
        self.host = f"hushwood-{secrets.token_hex(12)}.localhost:{port}"
        self.token = secrets.token_urlsafe(32)
        self._token_is_fresh = True
        self._cookie = secrets.token_urlsafe(32)

    @property
    def link(self) -> str:
        """What lets a browser in."""
        return f"http://{self.host}/?token={self.token}"

    def owns(self, text: str) -> bool:
        """Whether this is the link, or the token in it: only the terminal shows it, so no stolen cookie knows it."""
        token = text.strip().rpartition("token=")[2]
        return compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, let in by the token, or hand on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no other protocol is spoken; uvicorn closes the connection
        send = _with_headers(send)
        headers = _headers(scope)
        given = headers.get("host", [])
        if len(given) != 1 or not compare_digest(given[0].encode("latin-1"), self.host.encode()):
            await _refuse(
                send, 421, "Open the link that `hushwood web` printed in its terminal, under that name."
            )
            return
        tokens = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token")
        if tokens and scope["path"] == "/" and scope["method"] == "GET":
            await self._enter(tokens[0], send)
            return
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        await self._hand_on(scope, receive, send, headers)

    async def _enter(self, token: str, send: Send) -> None:
        """Exchange the token for the cookie; it works once.

        The answer is a page and not a redirect: a browser that comes from elsewhere sends a strict cookie only with
        what our own page asks for.
        """
        if not (self.owns(token) and self._token_is_fresh):
            await _refuse(send, 403, "This link was used before or is not right. Start `hushwood web` again.")
            return
        self._token_is_fresh = False
        cookie = f"{COOKIE}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"
        await _answer(send, 200, _ENTERED, {"set-cookie": cookie, "content-type": "text/html; charset=utf-8"})

    def _refusal(self, scope: Scope, headers: dict[str, list[str]]) -> tuple[int, str] | None:
        if not self._knows(headers.get("cookie", [])):
            return 403, "Open the link that `hushwood web` printed in its terminal."
        if headers.get("sec-fetch-site", ["none"]) not in (["same-origin"], ["none"]):
            return 403, "This request comes from another site."
        if scope["method"] in _READS:
            return None
        if scope["method"] not in _WRITES:
            return 405, "This method is not used here."
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        own = [f"http://{self.host}"]
        if origin != own and not (origin is None and site == ["same-origin"]):
            return 403, "This request comes from another site."
        return None

    def _knows(self, cookies: list[str]) -> bool:
        try:
            found = SimpleCookie("; ".join(cookies)).get(COOKIE)
        except CookieError:
            return False
        return found is not None and compare_digest(found.value.encode(), self._cookie.encode())

    async def _hand_on(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[str, list[str]]
    ) -> None:
        limit = self.largest_upload if scope["path"] in UPLOADS else LARGEST_FORM
        declared = headers.get("content-length", ["0"])[0]
        if not declared.isdecimal() or int(declared) > limit:
            await _refuse(send, 413, _too_large(limit))
            return
        counted = _Counted(receive, limit)
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            if counted.over and not started:
                return  # the application's answer to this fault, for which there is a better one
            started = True
            await send(message)

        try:
            await self.app(scope, counted, watched)
        except BodyTooLarge:
            if not started:
                await _refuse(send, 413, _too_large(limit))
        except ClientDisconnect:
            return  # the browser hung up


def _too_large(limit: int) -> str:
    size = f"{limit / 1e6:,.0f} MB"
    return f"This is larger than {size}, the most that is taken here; start `hushwood web` next to the file."


class _Counted:
    """Hands on a body up to a limit."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self.receive = receive
        self.left = limit

    @property
    def over(self) -> bool:
        return self.left < 0

    async def __call__(self) -> Message:
        message = await self.receive()
        self.left -= len(message.get("body", b""))
        if self.over:
            raise BodyTooLarge
        return message


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _with_headers(send: Send) -> Send:
    async def safe(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", ())}
            added = [
                (name.encode(), value.encode())
                for name, value in _HEADERS.items()
                if name.encode() not in given
            ]
            message["headers"] = [*message.get("headers", ()), *added]
        await send(message)

    return safe


async def _refuse(send: Send, status: int, sentence: str) -> None:
    await _answer(
        send, status, sentence.encode(), {"content-type": "text/plain; charset=utf-8", "connection": "close"}
    )


async def _answer(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
