"""A PostgreSQL server of our own, which a test starts and stops; it asks for a password."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSWORD = "quite-secret-9f27"
USER = "ann"


def program(name: str) -> Path | None:
    """Where a program of the server is; Debian keeps it out of the PATH."""
    found = [*sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)]
    on_path = shutil.which(name)
    return found[0] if found else Path(on_path) if on_path else None


def missing() -> str | None:
    """Why there can be no server; None if there can."""
    if program("initdb") is None or program("pg_ctl") is None:
        return "PostgreSQL is not installed; `make packages` installs it"
    return None if os.getuid() != 0 or _unprivileged() else "the server refuses to run as root"


def _unprivileged() -> str | None:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is running."""

    folder: Path
    port: int

    def address(self, rest: str = "", password: str | None = None) -> str:
        secret = "" if password is None else f":{password}"
        return f"postgresql://{USER}{secret}@127.0.0.1:{self.port}/postgres{rest}"

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements, and return the rows of the last."""
        from adbc_driver_postgresql import dbapi

        rows: list[tuple[Any, ...]] = []
        with dbapi.connect(self.address(password=PASSWORD), autocommit=True) as connection:
            for statement in statements:
                with connection.cursor() as cursor:
                    cursor.execute(statement)
                    if statement.lstrip().upper().startswith("SELECT"):
                        rows = cursor.fetchall()
        return rows

    def ingest(self, table: str, frame: Any) -> None:
        from adbc_driver_postgresql import dbapi

        with (
            dbapi.connect(self.address(password=PASSWORD), autocommit=True) as connection,
            connection.cursor() as cursor,
        ):
            cursor.adbc_ingest(table, frame.to_arrow(), mode="replace")

    def stop(self) -> None:
        """End it at once, as a crash would."""
        _as_server(["pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop"], check=False)


def _as_server(words: list[str], check: bool = True) -> None:
    path = program(words[0])
    who = _unprivileged() if os.getuid() == 0 else None
    subprocess.run(
        [str(path), *words[1:]],
        check=check,
        user=who,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running() -> Iterator[Server]:
    """A server with an empty database, on a port of its own."""
    with tempfile.TemporaryDirectory(prefix="hushwood-postgres-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        (folder / "password").write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (folder, folder / "password"):
                shutil.chown(path, _unprivileged() or "nobody")
        server = Server(folder, _free_port())
        data = str(folder / "data")
        plain = ["-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"]
        _as_server(["initdb", "-D", data, "-U", USER, f"--pwfile={folder / 'password'}", *plain])
        options = f"-p {server.port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        _as_server(["pg_ctl", "-D", data, "-o", options, "-w", "-l", str(folder / "log"), "start"])
        try:
            yield server
        finally:
            server.stop()
