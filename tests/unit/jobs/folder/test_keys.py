from __future__ import annotations

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.jobs.folder.keys import (
    VARIABLE,
    Use,
    booked,
    check_other_settings,
    check_other_table,
    noted_as_accepted,
    noticed,
    seed_warnings,
    streams_for,
    usual_ledger,
)
from hushwood.jobs.folder.manifests import file_checksum, keyed_checksum, table_digest
from hushwood.random_streams import Streams
from hushwood.tables.reading import Reading, read
from support.people_files import SEED, write_people


def test_seeds_as_text_bytes_and_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{SEED}\n", "utf-8")
    wanted = bytes.fromhex(SEED)
    assert streams_for(SEED).secret == wanted
    assert streams_for(wanted).secret == wanted
    assert streams_for(None, tmp_path / "key").secret == wanted
    assert len(streams_for(None).secret) == 32
    assert streams_for(None).secret != streams_for(None).secret


def test_whole_numbers_of_any_kind_are_seeds_and_other_things_are_not() -> None:
    assert streams_for(np.int64(7)).key_id == streams_for(7).key_id  # type: ignore[arg-type]
    assert list(seed_warnings(streams_for(7), np.int64(7)))
    for wrong in (2.5, True, ["0"]):
        with pytest.raises(InputError, match=f"a {type(wrong).__name__} was given"):
            streams_for(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="A seed has 32 bytes; 3 were given"):
        streams_for(b"abc")


def test_bad_seeds_are_refused_without_showing_them(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff" * 64)
    with pytest.raises(InputError, match="not both"):
        streams_for(SEED, tmp_path / "key")
    with pytest.raises(InputError, match=r"cannot be read: No such file or directory\.$"):
        streams_for(None, tmp_path / "key")
    with pytest.raises(InputError, match="does not hold 64 hexadecimal digits"):
        streams_for(None, tmp_path / "binary")
    for seed in (SEED[:-1], SEED + "5"):
        with pytest.raises(InputError, match="exactly 64") as raised:
            streams_for(seed)
        assert "555" not in str(raised.value)


@pytest.mark.parametrize("digits", ["0", "5", "01", "deadbeef", "0123456789abcdef"])
def test_a_seed_of_one_pattern_is_warned_of(digits: str) -> None:
    (warning,) = seed_warnings(streams_for(digits * (64 // len(digits))))
    assert "anyone who guesses it can undo the release" in warning
    assert len(list(seed_warnings(streams_for("0" * 63 + "1")))) == 1


def test_a_seed_that_was_drawn_is_not_warned_of() -> None:
    for number in range(1000):
        assert list(seed_warnings(Streams(Streams(bytes(32)).derive("a seed", "", number)))) == []


@pytest.fixture
def table(tmp_path: Path) -> Reading:
    return read(write_people(tmp_path), target="ill")


@pytest.fixture
def other(tmp_path: Path) -> Reading:
    return read(write_people(tmp_path, "other.csv", 119), target="ill")


def write_manifest(
    folder: Path, streams: Streams, table: Reading, released: str = "", part: str = "share"
) -> None:
    (folder / part).mkdir(parents=True)
    source = {"keyed_checksum": keyed_checksum(table_digest(table), streams)}
    manifest = {"version": 2, "key_id": streams.key_id, "input": source, "output": {"sha256": released}}
    (folder / part / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def test_a_key_seen_with_another_table_or_other_settings(
    tmp_path: Path, table: Reading, other: Reading
) -> None:
    streams = streams_for(SEED)
    released = tmp_path / "released.csv"
    released.write_text("a\n1\n", "utf-8")
    write_manifest(tmp_path / "old", streams, table, file_checksum(released))
    target = tmp_path / "new"
    check_other_table(streams, table, target, None)
    check_other_settings(streams, released, target, None)
    check_other_table(streams_for(None), other, target, None)
    with pytest.raises(InputError, match="another version of the table"):
        check_other_table(streams, other, target, None)
    released.write_text("a\n2\n", "utf-8")
    with pytest.raises(InputError, match="the same table with other settings"):
        check_other_settings(streams, released, target, None)


def test_where_releases_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: Reading, other: Reading
) -> None:
    streams = streams_for(SEED)
    write_manifest(tmp_path / "here" / "old", streams, table)
    key = tmp_path / "here" / "old" / "private" / "key"
    check_other_table(streams, other, None, None)
    check_other_table(streams, other, tmp_path / "far" / "new", None)
    with pytest.raises(InputError, match="--reuse-key"):
        check_other_table(streams, other, tmp_path / "far" / "new", key)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(InputError, match="--reuse-key"):
        check_other_table(streams, other, Path("new"), None)
    monkeypatch.chdir(tmp_path / "here" / "old" / "share")
    with pytest.raises(InputError, match="--reuse-key"):
        check_other_table(streams, other, None, Path("../private/key"))


def test_a_release_that_was_held_back_has_used_its_key(
    tmp_path: Path, table: Reading, other: Reading
) -> None:
    streams = streams_for(SEED)
    write_manifest(tmp_path / "old", streams, table, part="not-cleared")
    check_other_table(streams, table, tmp_path / "new", None)
    for target, key in ((tmp_path / "new", None), (None, tmp_path / "old" / "private" / "key")):
        with pytest.raises(InputError, match="another version of the table"):
            check_other_table(streams, other, target, key)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"key_id": 3}', '{"key_id": "a", "input": 3}'])
def test_foreign_manifests_do_not_matter(tmp_path: Path, table: Reading, text: str) -> None:
    (tmp_path / "old" / "share").mkdir(parents=True)
    (tmp_path / "old" / "share" / "manifest.json").write_text(text, "utf-8")
    check_other_table(streams_for(SEED), table, tmp_path / "new", None)


FIRST = Use("key 1", b"table 1", b"release 1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "hushwood" / "ledger.json"


def book(path: Path, use: Use, reuse_key: bool = False) -> list[str]:
    with booked(path, use, reuse_key) as warnings:
        pass
    return warnings


def entries(path: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(path.read_text("utf-8"))["releases"]
    return found


def test_the_same_release_again_is_allowed_and_noted_once(path: Path) -> None:
    for _ in range(2):
        assert noticed(path, Use("key 1", b"table 1"), False) == ()
        assert noticed(path, FIRST, False) == ()
        assert book(path, FIRST) == []
    assert len(entries(path)) == 1


@pytest.mark.parametrize(
    ("use", "says"),
    [
        (Use("key 1", b"table 2"), "another table, or another version"),
        (Use("key 1", b"table 2", b"release 1"), "another table, or another version"),
        (Use("key 1", b"table 1", b"release 2"), "the same table with other settings"),
    ],
)
def test_a_key_used_otherwise_is_refused_unless_it_may_be(path: Path, use: Use, says: str) -> None:
    book(path, FIRST)
    with pytest.raises(InputError, match=rf"{says}.*--reuse-key"):
        noticed(path, use, False)
    with pytest.raises(InputError, match=says):
        book(path, use)
    assert len(entries(path)) == 1
    assert noticed(path, use, True) == ()
    assert book(path, use, reuse_key=True) == []
    assert len(entries(path)) == 2


def test_a_second_release_of_a_table_is_warned_of(path: Path) -> None:
    book(path, FIRST)
    (warning,) = noticed(path, Use("key 2", b"table 1"), False)
    assert "released before under another key" in warning
    assert noticed(path, Use("key 2", b"table 2"), False) == ()
    assert noticed(path, FIRST, False) == ()


def test_what_was_held_back_calls_for_no_warning_until_it_is_accepted(path: Path) -> None:
    """Each try that was not cleared was warned of, though nothing had left the house."""
    second = Use("key 2", b"table 1", b"released 2", held=True)
    book(path, replace(FIRST, held=True))
    assert noticed(path, second, False) == ()
    book(path, second)
    assert all(entry["held"] for entry in entries(path))

    assert noted_as_accepted(path, "key 1") == ()
    assert "released before under another key" in noticed(path, second, False)[0]
    (warning,) = noted_as_accepted(path, "key 2")
    assert "hand out only one of them" in warning
    assert not any("held" in entry for entry in entries(path))


def test_a_release_that_is_made_again_and_cleared_has_left(path: Path) -> None:
    book(path, replace(FIRST, held=True))
    book(path, FIRST)
    book(path, replace(FIRST, held=True))
    assert ["held" in entry for entry in entries(path)] == [False]


def test_accepting_needs_no_ledger(path: Path) -> None:
    assert noted_as_accepted(path, "key 1") == ()
    assert not path.exists()


def test_only_the_user_can_read_it_and_it_recognises_nothing(path: Path, tmp_path: Path) -> None:
    book(path, FIRST)
    book(tmp_path / "other.json", FIRST)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    (mine,), (other,) = entries(path), entries(tmp_path / "other.json")
    assert mine["key_id"] == "key 1"
    assert set(mine) == {"key_id", "table", "released"}
    assert mine["table"] != other["table"]
    assert mine["released"] != other["released"]


def test_a_release_that_fails_is_not_entered(path: Path) -> None:
    with pytest.raises(RuntimeError), booked(path, FIRST, False):
        raise RuntimeError
    assert not path.exists()
    assert book(path, Use("key 1", b"table 2", b"release 2")) == []


GOOD = {"format": "hushwood-ledger", "version": 1, "secret": "ab" * 32, "releases": []}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"\xff",
        GOOD | {"version": 2},
        GOOD | {"format": "other"},
        GOOD | {"secret": "ab"},
        GOOD | {"secret": 3},
        GOOD | {"releases": [{}]},
        GOOD | {"releases": [3]},
        GOOD | {"releases": [{"key_id": "a", "table": 3, "released": "b"}]},
    ],
    ids=range(13),
)
def test_a_damaged_ledger_is_refused_and_stays(tmp_path: Path, content: bytes | dict[str, Any]) -> None:
    path = tmp_path / "ledger.json"
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(raw)
    with pytest.raises(InputError, match=r"is not a ledger .* move it away .* --ledger"):
        noticed(path, FIRST, False)
    with pytest.raises(InputError, match="is not a ledger"):
        book(path, FIRST)
    assert path.read_bytes() == raw


def test_a_ledger_that_cannot_be_made_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    path = tmp_path / "file" / "ledger.json"
    assert noticed(path, FIRST, False) == ()
    (warning,) = book(path, FIRST)
    assert "cannot be used (File exists)" in warning


def test_a_ledger_that_cannot_be_read_is_a_warning(path: Path) -> None:
    path.mkdir(parents=True)
    (early,) = noticed(path, FIRST, False)
    assert "cannot be used (Is a directory)" in early
    assert book(path, FIRST) == [early]


def test_a_write_that_fails_leaves_the_old_ledger(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    book(path, FIRST)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        (warning,) = book(path, Use("key 2", b"table 2", b"release 2"))
    assert "No space left on device" in warning
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["ledger.json", "ledger.json.lock"]


def test_a_ledger_that_cannot_be_written_still_warns_and_refuses(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(**_: object) -> tuple[int, str]:
        raise OSError(30, "Read-only file system")

    book(path, FIRST)
    monkeypatch.setattr(tempfile, "mkstemp", read_only)
    assert len(noticed(path, Use("key 2", b"table 1"), False)) == 1
    with pytest.raises(InputError, match="--reuse-key"):
        book(path, Use("key 1", b"table 2"))
    (warning,) = book(path, Use("key 3", b"table 3", b"release 3"))
    assert "Read-only file system" in warning


def test_a_link_to_the_ledger_stays_a_link(path: Path, tmp_path: Path) -> None:
    book(path, FIRST)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    book(link, Use("key 2", b"table 2", b"release 2"))
    assert link.is_symlink()
    assert len(entries(path)) == 2


def test_runs_at_the_same_time_lose_nothing(path: Path) -> None:
    uses = [Use(f"key {i}", f"table {i}".encode(), b"x") for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda use: book(path, use), uses)) == [[]] * 40
    assert {entry["key_id"] for entry in entries(path)} == {use.key_id for use in uses}


def test_of_two_runs_at_once_under_one_key_the_second_is_refused(path: Path) -> None:
    started = Event()

    def second() -> None:
        started.set()
        book(path, Use("key 1", b"table 2", b"release 2"))

    with ThreadPoolExecutor(1) as pool:
        with booked(path, FIRST, False):
            waiting = pool.submit(second)
            started.wait()
            assert not path.exists()
        with pytest.raises(InputError, match="--reuse-key"):
            waiting.result()
    assert [entry["key_id"] for entry in entries(path)] == ["key 1"]


def test_without_a_ledger_nothing_is_asked() -> None:
    assert noticed(None, FIRST, False) == ()
    with booked(None, FIRST, False) as warnings:
        pass
    assert warnings == []


@pytest.mark.parametrize(
    ("platform", "variables", "wanted"),
    [
        ("linux", {}, "home/.local/state/hushwood/ledger.json"),
        ("linux", {"XDG_STATE_HOME": "state"}, "home/.local/state/hushwood/ledger.json"),
        ("linux", {"XDG_STATE_HOME": "{}/state"}, "state/hushwood/ledger.json"),
        ("darwin", {}, "home/Library/Application Support/hushwood/ledger.json"),
        ("win32", {"LOCALAPPDATA": "{}/local"}, "local/hushwood/ledger.json"),
        ("win32", {}, "home/AppData/Local/hushwood/ledger.json"),
        ("linux", {VARIABLE: "{}/mine.json"}, "mine.json"),
    ],
)
def test_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], wanted: str
) -> None:
    for name in (VARIABLE, "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(tmp_path))
    assert usual_ledger(platform) == tmp_path / wanted


def test_without_a_home_a_file_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError

    monkeypatch.delenv(VARIABLE)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    with pytest.raises(InputError, match="--ledger"):
        usual_ledger("linux")
