from __future__ import annotations

import json
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.checksums import file_checksum, keyed_checksum, table_digest
from hushwood.jobs.keys import check_other_settings, check_other_table, seed_warnings, streams_for
from hushwood.random_streams import Streams
from hushwood.tables.reading import Reading, read
from people_files import SEED, write_people


def test_seeds_as_text_bytes_and_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{SEED}\n", "utf-8")
    wanted = bytes.fromhex(SEED)
    assert streams_for(SEED).secret == wanted
    assert streams_for(wanted).secret == wanted
    assert streams_for(None, tmp_path / "key").secret == wanted
    assert len(streams_for(None).secret) == 32
    assert streams_for(None).secret != streams_for(None).secret


def test_bad_seeds_are_refused_without_showing_them(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff" * 64)
    with pytest.raises(InputError, match="not both"):
        streams_for(SEED, tmp_path / "key")
    with pytest.raises(InputError, match=r"cannot be read: No such file or directory\.$"):
        streams_for(None, tmp_path / "key")
    with pytest.raises(InputError, match="does not hold 64 hexadecimal digits"):
        streams_for(None, tmp_path / "binary")
    for seed in (SEED[:-1], b"\x01" * 31, SEED + "5"):
        with pytest.raises(InputError, match="exactly 64") as raised:
            streams_for(seed)
        assert "555" not in str(raised.value)


@pytest.mark.parametrize("digits", ["0", "5", "01", "deadbeef", "0123456789abcdef"])
def test_a_seed_of_one_pattern_is_warned_of(digits: str) -> None:
    (warning,) = seed_warnings(streams_for(digits * (64 // len(digits))))
    assert "whoever guesses it can undo the noise" in warning
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


def write_manifest(folder: Path, streams: Streams, table: Reading, released: str = "") -> None:
    (folder / "share").mkdir(parents=True)
    source = {"keyed_checksum": keyed_checksum(table_digest(table), streams)}
    manifest = {"version": 2, "key_id": streams.key_id, "input": source, "output": {"sha256": released}}
    (folder / "share" / "manifest.json").write_text(json.dumps(manifest), "utf-8")


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


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"key_id": 3}', '{"key_id": "a", "input": 3}'])
def test_foreign_manifests_do_not_matter(tmp_path: Path, table: Reading, text: str) -> None:
    (tmp_path / "old" / "share").mkdir(parents=True)
    (tmp_path / "old" / "share" / "manifest.json").write_text(text, "utf-8")
    check_other_table(streams_for(SEED), table, tmp_path / "new", None)
