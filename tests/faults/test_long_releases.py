"""Releases in batches that are killed on the way, fill the disk, or meet a damaged file: none passes for a release."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from hushwood.api import verify
from support.command_line import Command, refused
from support.people_files import SEED, contents, people
from support.release_parts import files_in

ROWS = 1_500
DONE = (0, 1)  # cleared, or held back by the policy
# Runs the command, and sends the process a signal when the stage that is named is reported for the n-th time.
KILLED = (
    "import os, signal, sys\n"
    "import hushwood.releasing.engines.streaming.engine as streaming, hushwood.jobs.release_long as job\n"
    "from hushwood.cli.main import command\n"
    "wanted, left = sys.argv.pop(1), [int(sys.argv.pop(1))]\n"
    "def at(name):\n"
    "    if name == wanted:\n"
    "        left[0] -= 1\n"
    "        if not left[0]:\n"
    "            os.kill(os.getpid(), signal.SIGKILL)\n"
    "def watched(owner, name, label):\n"
    "    plain = getattr(owner, name)\n"
    "    def told(*given, **more):\n"
    "        at(label)\n"
    "        return plain(*given, **more)\n"
    "    setattr(owner, name, told)\n"
    "from hushwood.releasing.engines.streaming.exchange import Exchange\n"
    "from hushwood.tables.long.writing import BatchWriter\n"
    "from hushwood.releasing.certificate import Certifying\n"
    "from hushwood.jobs.folder.release_files import Writer\n"
    "watched(job, 'read_long', 'read')\n"
    "watched(streaming.Streaming, 'learn', 'fit')\n"
    "watched(Exchange, 'add', 'exchange')\n"
    "watched(Exchange, 'bucket', 'bucket')\n"
    "watched(BatchWriter, 'write', 'write')\n"
    "watched(Certifying, '_followed', 'check')\n"
    "watched(Certifying, 'finish', 'finish')\n"
    "watched(Writer, 'write_manifest', 'seal')\n"
    "command()\n"
)
# One moment of reading, exchanging, writing and finishing; `make test-all` goes through the others.
MOMENTS = [("read", 1), ("exchange", 4), ("write", 3), ("check", 2), ("seal", 1)]
FURTHER = [("fit", 1), ("exchange", 1), ("bucket", 2), ("write", 1), ("finish", 1)]


def words(table: Path, target: Path, *more: str) -> list[str]:
    """Many batches and parts, and the key that all runs share."""
    given = [
        "release",
        str(table),
        "--class",
        "ill",
        "-q",
        "--force",
        "-o",
        str(target),
        "--engine",
        "streaming",
    ]
    sizes = ["--chunk-rows", "400", "--part-rows", "300", "--forest-rows", "500", "--teacher", "tree"]
    return [*given, *sizes, "--seed", SEED, "--reuse-key", "--evidence", "none", *more]


def python(*given: object, home: Path) -> subprocess.CompletedProcess[str]:
    where = {"HOME": str(home), "XDG_STATE_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, *map(str, given)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | where,
    )


def write_table(folder: Path, parts: int = 1) -> Path:
    header = ("age", "score", "group", "ill")
    frame = pl.DataFrame(people(ROWS), schema=header, orient="row")
    frame = frame.with_columns(pl.col("age").cast(pl.Int64), pl.col("score").cast(pl.Float64))
    if parts == 1:
        frame.write_parquet(folder / "people.parquet", row_group_size=200)
        return folder / "people.parquet"
    (folder / "people").mkdir()
    for number in range(parts):
        part = frame[number * ROWS // parts : (number + 1) * ROWS // parts]
        part.write_parquet(folder / "people" / f"{number}.parquet", row_group_size=100)
    return folder / "people"


def released(target: Path) -> pl.DataFrame:
    return pl.read_parquet(files_in(target) / "released.parquet")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """By a process of its own, so that what a killed run gives later, here, is compared with another process."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = python("-m", "hushwood", *words(write_table(folder), folder / "out"), home=folder)
    assert done.returncode in DONE, done.stderr
    return released(folder / "out")


@pytest.mark.parametrize(
    ("moment", "time"), [*MOMENTS, *(pytest.param(*at, marks=pytest.mark.thorough) for at in FURTHER)]
)
def test_a_run_that_is_killed_leaves_no_release_and_the_next_gives_the_same_values(
    tmp_path: Path, undisturbed: pl.DataFrame, moment: str, time: int, capsys: pytest.CaptureFixture[str]
) -> None:
    home, place = tmp_path / "home", tmp_path / "place"
    home.mkdir()
    place.mkdir()
    table, target = write_table(place), place / "out"
    before = table.read_bytes()
    done = python("-c", KILLED, moment, time, *words(table, target), home=home)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not target.exists()
    assert not [
        path
        for path in place.rglob("manifest.json")
        if not path.is_relative_to(target.parent / ".hushwood-out")
    ]
    again = Command(capsys)(*words(table, target))
    assert again.code in DONE, again.err
    assert released(target).equals(undisturbed)
    assert verify(target, table).holds
    assert {path.name for path in place.iterdir()} == {"out", "people.parquet"}
    assert table.read_bytes() == before
    assert not list(target.rglob("scratch"))


@pytest.fixture(params=[64, 128], ids=["early", "late"])
def small_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={request.param}k", "none", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    small_disk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = write_table(tmp_path)
    refused(Command(capsys)(*words(table, small_disk / "out")), "No space left on device")
    assert list(small_disk.iterdir()) == []


def test_a_corrupt_row_group_is_one_sentence_that_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_table(tmp_path, parts=3)
    broken = folder / "1.parquet"
    data = bytearray(broken.read_bytes())
    middle = len(data) // 3
    data[middle : middle + 300] = bytes(byte ^ 0x5A for byte in data[middle : middle + 300])
    broken.write_bytes(bytes(data))
    before = contents(folder)
    refused(Command(capsys)(*words(folder, tmp_path / "out")), f"{broken} is a damaged Parquet file")
    assert {path.name for path in tmp_path.iterdir()} == {"people"}
    assert contents(folder) == before


@pytest.mark.parametrize("parts", [1, 3], ids=["a file", "a folder"])
def test_input_files_are_never_written_to(
    tmp_path: Path, parts: int, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    table = write_table(place, parts)
    before = contents(place)
    done = Command(capsys)(*words(table, tmp_path / "out"))
    assert done.code in DONE, done.err
    assert contents(place) == before
