"""The web app as its user starts it: a process of its own in a folder, and requests to it."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path


@dataclass
class WebApp:
    """A running server: its process, port, one-time link, and the folders that it works in."""

    process: subprocess.Popen[str]
    port: int
    link: str
    root: Path
    temporary: Path
    cookie: str = ""

    @property
    def address(self) -> str:
        return self.link.partition("/?")[0]

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")

    def enter(self) -> WebApp:
        """Exchange the token for the cookie, as a browser does."""
        answer = self.ask("GET", self.link.removeprefix(self.address), cookie="")
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return self

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        cookie: str | None = None,
    ) -> Answer:
        """One request; a write says that it comes from our own page, unless `headers` says something else."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        own = {"Host": self.host, "Cookie": self.cookie if cookie is None else cookie}
        own |= {"Origin": self.address} if method == "POST" else {}
        if isinstance(body, str):
            own["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body, {**own, **(headers or {})})  # type: ignore[arg-type]
            response = connection.getresponse()
            given = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, given, response.read())
        finally:
            connection.close()


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@contextmanager
def web_app(root: Path, *words: str, errors: Path | None = None) -> Iterator[WebApp]:
    """`hushwood web` in a folder; temporary files go to a folder of their own, so that leftovers are seen.

    `errors` is a file for what the server complains about.
    """
    temporary = Path(tempfile.mkdtemp(prefix="web-", dir=root.parent))
    with nullcontext() if errors is None else errors.open("w") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "hushwood", "web", "--no-browser", "--port", "0", *words],
            cwd=root,
            env={**os.environ, "TMPDIR": str(temporary)},
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        )
    try:
        assert process.stdout is not None
        link = next(line.strip() for line in process.stdout if "token=" in line)
        found = re.search(r":(\d+)/", link)
        assert found
        yield WebApp(process, int(found[1]), link, root, temporary)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()
