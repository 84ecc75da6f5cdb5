"""A server that dies while it is read, and passwords, which must be nowhere but where they were given."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from support.postgres import PASSWORD, Server, missing, running
from support.sql_tables import people

SEED = "5c" * 32
HUSHWOOD = [sys.executable, "-m", "support.few_releases"]


@pytest.fixture
def own_server() -> Iterator[Server]:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    with running() as server:
        yield server


def environment(folder: Path, password: str | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    kept["HUSHWOOD_LEDGER"] = str(folder / "ledger.json")
    kept["PYTHONPATH"] = os.pathsep.join(sys.path)
    return kept | ({} if password is None else {"PGPASSWORD": password})


def command_lines() -> set[bytes]:
    """The words of every process on this machine."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.add(path.read_bytes())
    return found


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc to search")
@pytest.mark.parametrize("typed", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_a_password_is_nowhere(postgres: Server, tmp_path: Path, typed: bool) -> None:
    postgres.ingest("guarded", people())
    source = postgres.address("?table=guarded", PASSWORD if typed else None)
    words = ["release", source, "--row-key", "person", "--class", "ill", "--seed", SEED, "-o", "out"]
    running_now = subprocess.Popen(
        [*HUSHWOOD, *words],
        cwd=tmp_path,
        env=environment(tmp_path, None if typed else PASSWORD),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    seen: set[bytes] = set()
    while running_now.poll() is None:
        seen |= {line for line in command_lines() if PASSWORD.encode() in line}
        time.sleep(0.02)
    out, err = running_now.communicate()
    assert running_now.returncode in (0, 1), err
    # As it was typed, and nowhere else; a process that was just forked has the words of its parent.
    own = b"".join(word.encode() + b"\0" for word in [*HUSHWOOD, *words])
    assert seen <= ({own} if typed else set())
    assert (tmp_path / "out" / "private" / "signoff.html").is_file()
    for text in (out, err, everything_in(tmp_path)):
        assert PASSWORD.encode() not in text
    assert (b"Other users of this machine can read a command line, the password" in err) is typed


def test_a_server_that_dies_while_it_is_read(own_server: Server, tmp_path: Path) -> None:
    people_there = "SELECT i AS person, i % 50 AS age, i % 2 AS ill FROM generate_series(1, 100000) AS i"
    slow = f"{people_there} WHERE pg_sleep(0.001) IS NOT NULL"
    running_now = subprocess.Popen(
        [
            *HUSHWOOD,
            "release",
            own_server.address(),
            "--query",
            slow,
            "--row-key",
            "person",
            "--class",
            "ill",
            "-o",
            "out",
        ],
        cwd=tmp_path,
        env=environment(tmp_path, PASSWORD),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # The driver copies, so the question itself begins with the same word.
    others = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    reading = f"{others} AND state = 'active' AND query LIKE 'COPY%pg_sleep%'"
    for _ in range(600):
        if own_server.run(reading) != [(0,)]:
            break
        time.sleep(0.1)
        assert running_now.poll() is None, running_now.communicate()
    own_server.stop()
    _, err = running_now.communicate(timeout=120)
    assert running_now.returncode == 2, err
    last = err.strip().splitlines()[-1]
    assert re.search("ended the connection while the query was read .* and nothing was released", last), err
    assert "with the same seed it gives the same values" in last
    assert [path.name for path in tmp_path.iterdir()] == []
