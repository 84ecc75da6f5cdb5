"""Another user of this machine tries to get into the web app by what the owner's browser sends to his port.

Cookies know no ports: what a browser got from 127.0.0.1:8765 it sends to 127.0.0.1:9999 too. The browser here
is Python's cookie jar, which knows no ports either; tests/browser/test_stolen_cookies.py does the same with Chromium.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from http.cookiejar import CookieJar
from urllib.request import Request

import pytest

from support.people_files import write_people
from support.thief import Thief, thief
from support.web_app import WebApp, web_app

FORM = "application/x-www-form-urlencoded"


class Browser:
    """Goes to any name at a port of this machine, with the cookies that belong there."""

    def __init__(self) -> None:
        self.jar = CookieJar()

    def get(self, url: str) -> int:
        request = Request(url)  # noqa: S310 - our own address
        self.jar.add_cookie_header(request)
        port = int(request.host.rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            headers = {"Host": request.host, **dict(request.header_items())}
            connection.request("GET", request.selector, headers=headers)
            response = connection.getresponse()
            self.jar.extract_cookies(response, request)
            response.read()
            return response.status
        finally:
            connection.close()

    @property
    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    root = tmp_path_factory.mktemp("web") / "root"
    for part in ("not-cleared", "private"):
        (root / "out" / part).mkdir(parents=True)
    (root / "out" / "private" / "key").write_text("the key")
    write_people(root)
    with web_app(root) as running:
        yield running


@pytest.fixture(scope="module")
def owner(app: WebApp) -> Browser:
    browser = Browser()
    assert browser.get(app.link) == 200
    assert browser.get(app.address + "/") == 200
    app.cookie = browser.cookies
    return browser


@pytest.fixture
def other() -> Iterator[Thief]:
    with thief() as found:
        yield found


def test_no_page_of_another_port_gets_the_cookie(owner: Browser, other: Thief, app: WebApp) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]", "thief.localhost", "hushwood.localhost"):
        assert owner.get(f"http://{name}:{other.port}/image.png") == 200
    assert len(other.heads) == 5
    assert other.cookies == []

    # The browser is as careless as real ones: it is the name that keeps the cookie from him.
    owner.get(f"http://{app.host.partition(':')[0]}:{other.port}/")
    assert other.cookies == [app.cookie]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "thief.localhost", ""])
def test_a_stolen_cookie_opens_nothing_under_the_names_that_he_knows(
    owner: Browser, app: WebApp, name: str
) -> None:
    host = {"Host": f"{name}:{app.port}" if name else "", "Origin": f"http://{name}:{app.port}"}
    for method, path, body in (
        ("GET", "/", None),
        ("GET", "/tables/1/columns", None),
        ("GET", "/static/app.js", None),
        ("POST", "/open", "path=people.csv"),
        ("POST", "/result/private?folder=out", "confirm=yes"),
    ):
        assert app.ask(method, path, body, host, cookie=owner.cookies).status == 421
    assert app.ask("GET", "/", cookie=owner.cookies).status == 200


def test_who_has_the_cookie_and_the_name_still_does_not_get_the_private_part(
    owner: Browser, app: WebApp
) -> None:
    where = "/result/private?folder=out"
    for proof in ("", "&link=guess", f"&link={owner.cookies}", "&link=token%3D"):
        answer = app.ask("POST", where, f"confirm=yes{proof}", cookie=owner.cookies)
        assert answer.status == 422
        assert b"the key" not in answer.body


def test_nobody_else_can_answer_under_the_name(app: WebApp) -> None:
    """A browser may take the name for ::1 as well as for 127.0.0.1, so both ports are ours."""
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with socket.socket(family) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match=r"in use|Cannot assign"):
                one.bind((address, app.port))
                one.listen()
