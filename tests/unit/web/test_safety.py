"""Requests that must not get through, and those that must."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from hushwood.web.safety import LARGEST_FORM, REPORT_HEADERS, Safety
from support.asgi import Replied, send_request

PORT = 8765
OWN = ("Host", f"127.0.0.1:{PORT}")
ORIGIN = ("Origin", f"http://127.0.0.1:{PORT}")
Headers = tuple[tuple[str, str], ...]


class Inner:
    """The application behind the checks: counts requests, and reads their bodies."""

    def __init__(self) -> None:
        self.reached = 0
        self.bytes = 0
        self.headers: dict[str, str] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1
        more = True
        while more:
            message = await receive()
            self.bytes += len(message["body"])
            more = message["more_body"]
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"inside"})


class Attacked:
    """The checks around an application, and a browser that was let in."""

    def __init__(self, largest_upload: int = 1 << 30) -> None:
        self.inner = Inner()
        self.safety = Safety(self.inner, PORT, largest_upload)
        self.cookie = ("Cookie", self.enter().headers["set-cookie"].partition(";")[0])

    def enter(self) -> Replied:
        return self(path=f"/?token={self.safety.token}", headers=(OWN,))

    def __call__(self, **request: Any) -> Replied:
        return asyncio.run(send_request(self.safety, **request))


@pytest.fixture
def app() -> Attacked:
    return Attacked()


def test_whoever_has_the_cookie_gets_in(app: Attacked) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        answer = app(headers=(("Host", f"{host}:{PORT}"), app.cookie))
        assert (answer.status, answer.body) == (200, b"inside")
    assert app(method="POST", headers=(OWN, app.cookie, ORIGIN)).status == 200
    assert app(method="POST", headers=(OWN, app.cookie, ("Sec-Fetch-Site", "same-origin"))).status == 200


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        ("",),
        ("evil.example",),
        (f"evil.example:{PORT}",),
        (f"127.0.0.1.evil.example:{PORT}",),
        (f"127.0.0.1:{PORT}.evil.example",),
        (f"evil.example@127.0.0.1:{PORT}",),
        ("127.0.0.1",),
        ("127.0.0.1:80",),
        (f"127.0.0.2:{PORT}",),
        (f"2130706433:{PORT}",),
        (f"0.0.0.0:{PORT}",),
        (f"localhost.:{PORT}",),
        (f"127.0.0.1:{PORT}", "evil.example"),
    ],
)
def test_a_foreign_host_is_refused_before_anything_else(app: Attacked, hosts: tuple[str, ...]) -> None:
    """A site that makes its name point at this machine (DNS rebinding) still says its own name."""
    fresh = Attacked()
    names = tuple(("Host", host) for host in hosts)

    assert app(headers=(*names, app.cookie)).status == 421
    assert fresh(path=f"/?token={fresh.safety.token}", headers=names).status == 421
    assert app.inner.reached == 0


@pytest.mark.parametrize(
    "cookie", [(), ("hushwood-8765=guess",), ("hushwood-8765=",), ("other=1",), ("=;=",)]
)
def test_without_the_cookie_nothing_is_shown(app: Attacked, cookie: tuple[str, ...]) -> None:
    given = tuple(("Cookie", text) for text in cookie)

    for path in ("/", "/static/app.css", "/tables/1", "/result/share?folder=a"):
        assert app(path=path, headers=(OWN, *given)).status == 403
    assert app.inner.reached == 0


def test_the_token_works_once() -> None:
    app = Attacked()  # which has used it

    assert app.enter().status == 403
    assert "set-cookie" not in app.enter().headers


def test_a_wrong_token_does_not_use_up_the_right_one() -> None:
    safety = Safety(Inner(), PORT, 1)

    def try_token(token: str) -> int:
        return asyncio.run(send_request(safety, path=f"/?token={token}", headers=(OWN,))).status

    assert [try_token(token) for token in ("guess", safety.token[:-1], "%00", safety.token)] == [
        403,
        403,
        403,
        200,
    ]


def test_the_cookie_is_strict_and_hidden_from_scripts() -> None:
    safety = Safety(Inner(), PORT, 1)
    answer = asyncio.run(send_request(safety, path=f"/?token={safety.token}", headers=(OWN,)))

    assert answer.headers["set-cookie"].endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert safety.token.encode() not in answer.body


@pytest.mark.parametrize(
    "given",
    [
        (),
        (("Origin", "null"),),
        (("Origin", "https://evil.example"),),
        (("Origin", f"http://localhost:{PORT}"),),  # the page was opened under another name
        (("Origin", f"https://127.0.0.1:{PORT}"),),
        (("Origin", "http://127.0.0.1:8000"),),  # another program on this machine
        (ORIGIN, ("Sec-Fetch-Site", "cross-site")),
        (ORIGIN, ("Sec-Fetch-Site", "same-site")),
        (("Sec-Fetch-Site", "same-site"),),
        (("Sec-Fetch-Site", "none"),),
        (ORIGIN, ("Origin", "https://evil.example")),
    ],
)
def test_writes_come_from_our_own_pages(app: Attacked, given: Headers) -> None:
    assert app(method="POST", headers=(OWN, app.cookie, *given)).status == 403
    assert app.inner.reached == 0


def test_reads_that_another_site_starts_are_refused(app: Attacked) -> None:
    for site in ("cross-site", "same-site"):
        assert app(headers=(OWN, app.cookie, ("Sec-Fetch-Site", site))).status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_other_methods_are_refused_and_nobody_is_told_to_share(app: Attacked, method: str) -> None:
    answer = app(method=method, headers=(OWN, app.cookie, ORIGIN))

    assert answer.status == 405
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_web_sockets_are_not_answered(app: Attacked) -> None:
    assert app(kind="websocket", headers=(OWN, app.cookie)).status == 0


def test_every_answer_has_the_policy(app: Attacked) -> None:
    for answer in (app(headers=(OWN, app.cookie)), app(headers=(OWN,)), app(headers=())):
        assert answer.headers["content-security-policy"].startswith(
            "default-src 'self'; frame-ancestors 'none'"
        )
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"


def test_a_report_keeps_its_own_policy(app: Attacked) -> None:
    app.inner.headers = dict(REPORT_HEADERS)
    answer = app(headers=(OWN, app.cookie))

    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


def pieces(size: int, seen: list[int]) -> Iterator[bytes]:
    """As many bytes, made when they are asked for."""
    piece = bytes(1 << 20)
    for _ in range(size // len(piece)):
        seen[0] += len(piece)
        yield piece


def test_three_gigabytes_are_cut_off_at_one(app: Attacked) -> None:
    made = [0]
    answer = app(method="POST", path="/upload", headers=(OWN, app.cookie, ORIGIN), body=pieces(3 << 30, made))

    assert answer.status == 413
    assert app.inner.bytes <= 1 << 30
    assert made[0] <= (1 << 30) + (1 << 20)


def test_a_declared_length_is_refused_before_a_byte_is_read(app: Attacked) -> None:
    made = [0]
    for length in (str(3 << 30), "-1", "1e9", "²"):
        headers = (OWN, app.cookie, ORIGIN, ("Content-Length", length.encode().decode("latin-1")))
        assert app(method="POST", path="/upload", headers=headers, body=pieces(1 << 22, made)).status == 413
    assert (made[0], app.inner.reached) == (0, 0)


def test_forms_without_files_are_small(app: Attacked) -> None:
    headers = (OWN, app.cookie, ORIGIN)

    assert app(method="POST", path="/open", headers=headers, body=[bytes(LARGEST_FORM)]).status == 200
    assert app(method="POST", path="/open", headers=headers, body=[bytes(LARGEST_FORM), b"1"]).status == 413
