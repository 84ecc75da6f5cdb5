"""Requests that must not get through, and those that must."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from hushwood.web.safety import LARGEST_FORM, REPORT_HEADERS, Safety
from support.asgi import Replied, send_request

PORT = 8765
OURS = ("Origin", "ours")
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
        self.own = ("Host", self.safety.host)
        self.origin = ("Origin", f"http://{self.safety.host}")
        self.cookie = ("Cookie", self.enter().headers["set-cookie"].partition(";")[0])

    def enter(self) -> Replied:
        return self(path=f"/?token={self.safety.token}", headers=(self.own,))

    def __call__(self, **request: Any) -> Replied:
        return asyncio.run(send_request(self.safety, **request))


@pytest.fixture
def app() -> Attacked:
    return Attacked()


def test_whoever_has_the_cookie_and_knows_the_name_gets_in(app: Attacked) -> None:
    answer = app(headers=(app.own, app.cookie))
    assert (answer.status, answer.body) == (200, b"inside")
    assert app(method="POST", headers=(app.own, app.cookie, app.origin)).status == 200
    assert app(method="POST", headers=(app.own, app.cookie, ("Sec-Fetch-Site", "same-origin"))).status == 200


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
        (f"127.0.0.1:{PORT}",),  # the name is a secret, and this is none
        (f"localhost:{PORT}",),
        (f"[::1]:{PORT}",),
        (f"hushwood.localhost:{PORT}",),
        (f"hushwood-{'0' * 24}.localhost:{PORT}",),
    ],
)
def test_a_foreign_host_is_refused_before_anything_else(app: Attacked, hosts: tuple[str, ...]) -> None:
    """A site that makes its name point at this machine (DNS rebinding) still says its own name."""
    fresh = Attacked()
    names = tuple(("Host", host) for host in hosts)

    assert app(headers=(*names, app.cookie)).status == 421
    assert fresh(path=f"/?token={fresh.safety.token}", headers=names).status == 421
    assert app.inner.reached == 0


@pytest.mark.parametrize("cookie", [(), ("hushwood=guess",), ("hushwood=",), ("other=1",), ("=;=",)])
def test_without_the_cookie_nothing_is_shown(app: Attacked, cookie: tuple[str, ...]) -> None:
    given = tuple(("Cookie", text) for text in cookie)

    for path in ("/", "/static/app.css", "/tables/1", "/result/share?folder=a"):
        assert app(path=path, headers=(app.own, *given)).status == 403
    assert app.inner.reached == 0


def test_the_token_works_once() -> None:
    app = Attacked()  # which has used it

    assert app.enter().status == 403
    assert "set-cookie" not in app.enter().headers


def test_a_wrong_token_does_not_use_up_the_right_one() -> None:
    safety = Safety(Inner(), PORT, 1)

    def try_token(token: str) -> int:
        return asyncio.run(
            send_request(safety, path=f"/?token={token}", headers=(("Host", safety.host),))
        ).status

    assert [try_token(token) for token in ("guess", safety.token[:-1], "%00", safety.token)] == [
        403,
        403,
        403,
        200,
    ]


def test_the_cookie_is_strict_and_hidden_from_scripts() -> None:
    safety = Safety(Inner(), PORT, 1)
    answer = asyncio.run(
        send_request(safety, path=f"/?token={safety.token}", headers=(("Host", safety.host),))
    )

    assert answer.headers["set-cookie"].endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert safety.token.encode() not in answer.body


@pytest.mark.parametrize(
    "given",
    [
        (),
        (("Origin", "null"),),
        (("Origin", "https://evil.example"),),
        (("Origin", f"http://localhost:{PORT}"),),
        (("Origin", f"http://127.0.0.1:{PORT}"),),
        (("Origin", "http://127.0.0.1:8000"),),  # another program on this machine
        (OURS, ("Sec-Fetch-Site", "cross-site")),
        (OURS, ("Sec-Fetch-Site", "same-site")),
        (("Sec-Fetch-Site", "same-site"),),
        (("Sec-Fetch-Site", "none"),),
        (OURS, ("Origin", "https://evil.example")),
    ],
)
def test_writes_come_from_our_own_pages(app: Attacked, given: Headers) -> None:
    sent = [app.origin if header is OURS else header for header in given]

    assert app(method="POST", headers=(app.own, app.cookie, *sent)).status == 403
    assert app.inner.reached == 0


def test_reads_that_another_site_starts_are_refused(app: Attacked) -> None:
    for site in ("cross-site", "same-site"):
        assert app(headers=(app.own, app.cookie, ("Sec-Fetch-Site", site))).status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_other_methods_are_refused_and_nobody_is_told_to_share(app: Attacked, method: str) -> None:
    answer = app(method=method, headers=(app.own, app.cookie, app.origin))

    assert answer.status == 405
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_web_sockets_are_not_answered(app: Attacked) -> None:
    assert app(kind="websocket", headers=(app.own, app.cookie)).status == 0


def test_every_answer_has_the_policy(app: Attacked) -> None:
    for answer in (app(headers=(app.own, app.cookie)), app(headers=(app.own,)), app(headers=())):
        assert answer.headers["content-security-policy"].startswith(
            "default-src 'self'; frame-ancestors 'none'"
        )
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"


def test_a_report_keeps_its_own_policy(app: Attacked) -> None:
    app.inner.headers = dict(REPORT_HEADERS)
    answer = app(headers=(app.own, app.cookie))

    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("text", ["", "guess", "token=", "http://x/?token=guess"])
def test_only_the_link_or_its_token_show_who_owns_the_terminal(app: Attacked, text: str) -> None:
    assert not app.safety.owns(text)
    assert not app.safety.owns(app.cookie[1])
    assert app.safety.owns(f" {app.safety.link}\n")
    assert app.safety.owns(app.safety.token)


def pieces(size: int, seen: list[int]) -> Iterator[bytes]:
    """As many bytes, made when they are asked for."""
    piece = bytes(1 << 20)
    for _ in range(size // len(piece)):
        seen[0] += len(piece)
        yield piece


def test_three_gigabytes_are_cut_off_at_one(app: Attacked) -> None:
    made = [0]
    answer = app(
        method="POST", path="/upload", headers=(app.own, app.cookie, app.origin), body=pieces(3 << 30, made)
    )

    assert answer.status == 413
    assert app.inner.bytes <= 1 << 30
    assert made[0] <= (1 << 30) + (1 << 20)


def test_a_declared_length_is_refused_before_a_byte_is_read(app: Attacked) -> None:
    made = [0]
    for length in (str(3 << 30), "-1", "1e9", "²"):
        headers = (app.own, app.cookie, app.origin, ("Content-Length", length.encode().decode("latin-1")))
        assert app(method="POST", path="/upload", headers=headers, body=pieces(1 << 22, made)).status == 413
    assert (made[0], app.inner.reached) == (0, 0)


class Answering(Inner):
    """An application that answers its own faults, as frameworks do."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        except Exception:
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b"fault"})
            raise


def test_what_is_too_large_is_said_also_where_the_application_answers_faults(app: Attacked) -> None:
    """A body in chunks declares no length."""
    app.safety.app = Answering()
    answer = app(
        method="POST",
        path="/open",
        headers=(app.own, app.cookie, app.origin),
        body=[bytes(LARGEST_FORM), b"1"],
    )

    assert answer.status == 413
    assert answer.body.startswith(b"This is larger than 1 MB")


def test_forms_without_files_are_small(app: Attacked) -> None:
    headers = (app.own, app.cookie, app.origin)

    assert app(method="POST", path="/open", headers=headers, body=[bytes(LARGEST_FORM)]).status == 200
    assert app(method="POST", path="/open", headers=headers, body=[bytes(LARGEST_FORM), b"1"]).status == 413
