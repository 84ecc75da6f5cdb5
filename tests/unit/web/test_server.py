"""The server as a process: attacks over a real connection, its memory, and what it leaves when it ends or is killed."""

from __future__ import annotations

import asyncio
import gzip
import html
import http.client
import io
import os
import re
import signal
import socket
import sys
import threading
import time
import zipfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import uvicorn

from hushwood.web.server import Connection
from support.people_files import as_text, people, write_people
from support.web_app import Answer, WebApp, web_app
from unit.web.test_paths import ESCAPES

FORM = "application/x-www-form-urlencoded"
SCRIPT = '<script>alert("x")</script>'
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def upload(app: WebApp, name: str, content: bytes) -> Answer:
    head = f'--xyz\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    body = head + content + b"\r\n--xyz--\r\n"
    return app.ask("POST", "/upload", body, {"Content-Type": "multipart/form-data; boundary=xyz"})


def until(true: Callable[[], object], seconds: float = 90) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def resident_megabytes(process: int) -> float:
    text = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", text)[1]) / 1000  # type: ignore[index]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    folder = tmp_path_factory.mktemp("web")
    root, outside = folder / "root", folder / "outside"
    for each in (root, root / "a", outside):
        each.mkdir()
    write_people(root)
    write_people(outside, "secret.csv")
    (root / "link.csv").symlink_to(outside / "secret.csv")
    (root / "linked").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    with web_app(root) as running:
        yield running.enter()


def test_the_link_worked_once(app: WebApp) -> None:
    assert app.ask("GET", app.link.removeprefix(app.address), cookie="").status == 403
    assert app.ask("GET", "/", cookie="").status == 403
    assert app.ask("GET", "/").status == 200


def test_it_listens_on_this_machine_only(app: WebApp) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # sends nothing: it only asks which address would be used
        except OSError:
            pytest.skip("this machine has no other address")
        address = one.getsockname()[0]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address, app.port), timeout=5)


def test_another_host_and_another_origin_are_refused(app: WebApp) -> None:
    assert app.ask("GET", "/", headers={"Host": f"evil.example:{app.port}"}).status == 421
    assert app.ask("POST", "/open", "path=people.csv", {"Origin": "https://evil.example"}).status == 403


def test_a_body_in_chunks_over_the_limit_is_refused_as_one_that_says_its_length(app: WebApp) -> None:
    answer = app.ask("POST", "/open", iter([bytes(1 << 20)] * 2), {"Content-Type": FORM})

    assert answer.status == 413
    assert "larger than 1 MB" in answer.text


def test_browsers_that_hang_up_are_no_fault(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    write_people(root)
    with web_app(root, errors=tmp_path / "errors") as app:
        app.enter()
        where = upload(app, "people.csv", b"age,ill\n1,no\n").headers["location"]
        head = {"Host": app.host, "Cookie": app.cookie, "Origin": app.address, "Content-Length": "100000"}
        for line in ("POST /upload", "POST /open", f"POST {where}/columns", "GET /", "GET /jobs"):
            for kind in (FORM, "multipart/form-data; boundary=xyz"):
                fields = {**head, "Content-Type": kind}
                text = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
                with socket.create_connection(("127.0.0.1", app.port), timeout=30) as connection:
                    connection.sendall(f"{line} HTTP/1.1\r\n{text}\r\n--xyz\r\nContent-".encode())
        assert app.ask("POST", "/stop", "").status == 200
        app.process.wait(30)
    assert (tmp_path / "errors").read_text() == ""


@on_linux
def test_half_open_requests_keep_nobody_out(tmp_path: Path) -> None:
    """As another user of this machine could send them; the server may open fewer files than they are."""
    import resource

    root = tmp_path / "root"
    root.mkdir()
    with web_app(root, errors=tmp_path / "errors") as app, ExitStack() as held:
        app.enter()
        resource.prlimit(app.process.pid, resource.RLIMIT_NOFILE, (400, 400))
        for _ in range(500):
            connection = held.enter_context(socket.create_connection(("127.0.0.1", app.port), timeout=30))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert app.ask("GET", "/jobs").status == 200
        open_now = len(list(Path(f"/proc/{app.process.pid}/fd").iterdir()))
        assert open_now < 300
    assert "Traceback" not in (tmp_path / "errors").read_text()


def test_no_path_leads_out_of_the_folder(app: WebApp) -> None:
    assert len(ESCAPES) > 20
    for name in (*ESCAPES, "%2e%2e/outside/secret.csv", "..%2foutside%2fsecret.csv"):
        answers = [
            app.ask("POST", "/open", urlencode({"path": name})),
            app.ask("GET", f"/result?folder={quote(name)}"),
            app.ask("GET", f"/result/report?which=internal&folder={quote(name)}"),
            app.ask("GET", f"/result/share?folder={quote(name)}"),
            app.ask("GET", f"/compare?first={quote(name)}&second=people.csv"),
            app.ask("POST", "/verify", urlencode({"folder": name})),
        ]
        assert {answer.status for answer in answers} == {422}, name
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd"):
        assert app.ask("GET", path).status in (404, 405)


def test_a_file_over_the_limit_is_refused_by_its_length(app: WebApp) -> None:
    headers = {"Content-Length": str(3 << 30), "Content-Type": "multipart/form-data; boundary=xyz"}
    connection = socket.create_connection(("127.0.0.1", app.port), timeout=30)
    with connection:
        own = {"Host": app.host, "Cookie": app.cookie, "Origin": app.address}
        lines = ["POST /upload HTTP/1.1", *(f"{name}: {value}" for name, value in {**own, **headers}.items())]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def bomb_of_csv() -> bytes:
    """Half a gigabyte in half a megabyte: one packed piece, many times."""
    return gzip.compress(b"age,ill\n") + 90 * gzip.compress(b"11,no\n" * 1_000_000)


def bomb_of_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("people.csv", b"age,ill\n" + b"11,no\n" * 46_000_000)
    return packed.getvalue()


@on_linux
@pytest.mark.parametrize(
    ("name", "bomb"),
    [("bomb.csv.gz", bomb_of_csv), pytest.param("bomb.csv.zip", bomb_of_zip, marks=pytest.mark.slow)],
)
def test_a_bomb_is_a_sentence_and_the_server_stays_small(
    app: WebApp, name: str, bomb: Callable[[], bytes]
) -> None:
    where = upload(app, name, bomb()).headers["location"]
    answer = app.ask("GET", f"{where}/columns")

    assert answer.status == 422
    assert "Traceback" not in answer.text
    assert resident_megabytes(app.process.pid) < 300


def test_scripts_in_names_and_values_stay_text(app: WebApp) -> None:
    rows = [
        (*record, SCRIPT if number % 2 else '"><img src=x onerror=alert(1)>')
        for number, record in enumerate(people(60))
    ]
    header = ("age", SCRIPT, "x' onload='alert(1)", "ill", "<style>*{display:none}</style>")
    text = as_text(
        [tuple(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in (header, *rows)]
    )
    content = text.split("\n", 1)[1].encode()
    where = upload(app, f"{SCRIPT}.csv".replace("/", ""), content).headers["location"]
    pages = [app.ask("GET", path).text for path in (where, f"{where}/columns", f"{where}/plan", "/")]

    for text in pages:
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "<style>" not in text
        assert "onload='alert" not in text
    assert html.escape(SCRIPT) in pages[1].replace("&#34;", "&quot;")


@on_linux
def test_two_hundred_requests_at_once(app: WebApp) -> None:
    """On a busy machine more connections than may wait are there before their requests: those ask again."""
    statuses: list[int] = []

    def ask() -> None:
        for _ in range(20):
            with suppress(ConnectionResetError, http.client.RemoteDisconnected):
                statuses.append(app.ask("GET", "/").status)
                return

    threads = [threading.Thread(target=ask) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert statuses == [200] * 200
    assert resident_megabytes(app.process.pid) < 300


def test_what_is_not_there_is_a_sentence(app: WebApp) -> None:
    for path, status in {"/nothing": 404, "/tables/99": 422, "/jobs/99": 422, "/audit/99": 422}.items():
        answer = app.ask("GET", path)
        assert (answer.status, "That did not work" in answer.text) == (status, True)


def children(process: int) -> list[int]:
    found = (int(text) for text in Path(f"/proc/{process}/task/{process}/children").read_text().split())
    return [
        each for each in found if b"hushwood.web.janitor" not in Path(f"/proc/{each}/cmdline").read_bytes()
    ]


@on_linux
def test_a_server_that_is_killed_leaves_no_release_and_no_data(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    table = as_text(people(600)).encode()
    with web_app(root) as app:
        app.enter()
        where = upload(app, "people.csv", table).headers["location"]
        form = {
            "policy": "public",
            "technique": "segment-shuffle",
            "output": "out",
            "class": "ill",
            "evidence": "full",
        }
        assert app.ask("POST", f"{where}/plan", urlencode(form)).status == 303
        until((root / ".hushwood-out" / "new").exists)
        working = children(app.process.pid)
        assert working
        assert any(path.name == "people.csv" for path in app.temporary.rglob("*"))
        os.kill(app.process.pid, signal.SIGKILL)
        until(lambda: not any(Path(f"/proc/{each}").exists() for each in working))
        until(lambda: not list(app.temporary.iterdir()))
    assert [path.name for path in root.iterdir()] == ["people.schema.toml"]  # what was decided stays


def test_a_server_that_is_stopped_in_the_browser_leaves_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    write_people(root)
    with web_app(root, "people.csv") as app:
        app.enter()
        upload(app, "more.csv", b"age,ill\n1,no\n")
        assert "people.csv" in app.ask("GET", "/").text
        assert app.ask("POST", "/stop", "").status == 200
        assert app.process.wait(30) == 0
    assert list(app.temporary.iterdir()) == []
    assert [path.name for path in root.iterdir()] == ["people.csv"]


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"


class Impatient(Connection):
    look, head, body, most = 0.02, 0.2, 0.4, 4


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the body; an application that waits for a body that does not come is told so."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    await asyncio.sleep(0.5 if body == b"slow" else 0)
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


def serving(visit: Callable[[Callable[[], Awaitable[Stream]]], Awaitable[None]]) -> None:
    """Visit a server that is short of patience; `visit` gets what opens a connection."""

    async def run() -> None:
        config = uvicorn.Config(echo, http=Impatient, ws="none", lifespan="off", log_level="warning")
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            server = uvicorn.Server(config)
            server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
            task = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:
                await asyncio.sleep(0.01)
            try:
                await asyncio.wait_for(visit(lambda: asyncio.open_connection("127.0.0.1", port)), 30)
            finally:
                server.should_exit = True
                await task

    asyncio.run(run())


async def closed(stream: Stream) -> bool:
    """Whether the server ends the connection without an answer."""
    try:
        return await asyncio.wait_for(stream[0].read(), 10) == b""
    except ConnectionResetError:
        return True
    finally:
        stream[1].close()


def test_half_a_request_is_given_up() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        for sent in (b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: x\r\n", POST, POST + b"abc"):
            stream = await connect()
            stream[1].write(sent)
            assert await closed(stream), sent

    serving(visit)


def test_a_head_that_drips_is_given_up_and_a_body_that_drips_is_not() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        reader, writer = await connect()
        for sign in b"GET / HTTP/1.1\r\n" + b"X: " + b"x" * 60:
            try:
                writer.write(bytes([sign]))
                await writer.drain()
            except ConnectionError:
                break
            await asyncio.sleep(0.02)
        else:
            raise AssertionError("nobody minded")

        reader, writer = await connect()
        writer.write(POST)
        for sign in b"body":
            await asyncio.sleep(0.2)  # longer in all than a silence may last
            writer.write(bytes([sign]))
        assert (await reader.readuntil(b"body")).startswith(b"HTTP/1.1 200")
        writer.close()

    serving(visit)


def test_an_answer_may_take_its_time() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        reader, writer = await connect()
        writer.write(POST + b"slow")
        assert (await reader.readuntil(b"slow")).startswith(b"HTTP/1.1 200")
        writer.close()

    serving(visit)


def test_when_too_many_wait_the_longest_waiting_one_goes() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        busy = await connect()
        busy[1].write(POST + b"slow")
        streams = [await connect() for _ in range(Impatient.most + 1)]
        assert await closed(streams[0])
        for stream in streams[1:]:
            stream[1].write(POST + b"fast")
        for reader, writer in streams[1:]:
            assert (await reader.readuntil(b"fast")).startswith(b"HTTP/1.1 200")
            writer.close()
        assert (await busy[0].readuntil(b"slow")).startswith(b"HTTP/1.1 200")
        busy[1].close()

    serving(visit)
