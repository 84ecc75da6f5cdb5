"""Requests to an ASGI application without a server, byte by byte as an attacker could send them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from hushwood.web.safety import App


@dataclass
class Replied:
    """What came back; no status means that nothing was answered."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


async def send_request(
    app: App,
    method: str = "GET",
    path: str = "/",
    headers: Iterable[tuple[str, str]] = (),
    body: Iterable[bytes] = (b"",),
    kind: str = "http",
) -> Replied:
    """One request, its body in pieces that are made only when they are asked for."""
    plain, _, query = path.partition("?")
    scope = {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": plain,
        "raw_path": plain.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
    }
    pieces, found = iter(body), Replied()

    over = False

    async def receive() -> dict[str, Any]:
        nonlocal over
        if over:
            await asyncio.Event().wait()  # the client says nothing more, and stays
        piece = next(pieces, None)
        over = piece is None
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            found.status = message["status"]
            found.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            found.body += message.get("body", b"")

    await app(scope, receive, send)
    return found


async def in_pieces(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    """Bytes as a server hands them on."""
    for piece in pieces:
        yield piece
