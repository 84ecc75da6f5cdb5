"""Another user of this machine who serves pages on a port of his own, and keeps what browsers send him."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Thief:
    """His port, the page that he shows, and the heads of all requests."""

    port: int
    page: str = ""
    heads: list[dict[str, str]] = field(default_factory=list)

    @property
    def cookies(self) -> list[str]:
        return [head["cookie"] for head in self.heads if "cookie" in head]


@contextmanager
def thief() -> Iterator[Thief]:
    """His server, on 127.0.0.1."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.heads.append({name.lower(): value for name, value in self.headers.items()})
            body = found.page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_request(self, code: object = "-", size: object = "-") -> None:
            del code, size

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        found = Thief(server.server_address[1])
        thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()
