"""Texts written whole or not at all, and releases that are held back."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.jobs.folder.release_files import (
    Writer,
    check_separate,
    order_warnings,
    read_order,
    secret_order,
    write_whole,
)
from hushwood.random_streams import Streams
from hushwood.tables.reading import read, read_table
from support.people_files import write_people


def test_a_text_replaces_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    write_whole("né\n", tmp_path / "a")

    assert (tmp_path / "a").read_text(encoding="utf-8") == "né\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="could not be written: No such file or directory; give another file"
    ):
        write_whole("x", tmp_path / "no" / "a")


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "link").symlink_to(tmp_path / "t.csv")

    check_separate(tmp_path / "new", [tmp_path / "t.csv"])
    with pytest.raises(InputError, match="is the table itself"):
        check_separate(tmp_path / "link", [tmp_path / "gone", tmp_path / "t.csv"])


def test_a_private_text_is_for_the_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write_whole("x", tmp_path / "shared")
        (tmp_path / "private").touch(mode=0o666)
        write_whole("x", tmp_path / "private", 0o600)
    finally:
        os.umask(old)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("shared", "private")]
    assert modes == [0o644, 0o600]


def test_a_link_that_somebody_laid_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can foresee the name that is written to first, and a file by that name is not written over."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "f" * 2 * size)
    (tmp_path / "victim").write_text("kept")
    (tmp_path / f".hushwood-{'f' * 16}").symlink_to("victim")
    with pytest.raises(InputError, match="a could not be written: File exists"):
        write_whole("x", tmp_path / "a")
    assert (tmp_path / "victim").read_text() == "kept"


def test_the_disk_has_the_text_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    synced: list[str] = []
    sync = os.fsync

    def noted(file: int) -> None:
        synced.append((tmp_path / "a").read_text())
        sync(file)

    monkeypatch.setattr(os, "fsync", noted)
    write_whole("new", tmp_path / "a")
    assert synced == ["old", "new"]  # the file, and then the folder


def test_a_full_disk_leaves_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="a could not be written: No space left on device"):
        write_whole("new", tmp_path / "a")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.parametrize("held", [False, True])
def test_a_writer_goes_on_where_it_holds_a_release_back(tmp_path: Path, held: bool) -> None:
    reading = read(write_people(tmp_path), target="ill")
    for part in ("share", "private"):
        (tmp_path / part).mkdir()
    writer = Writer(tmp_path, reading, Streams(bytes(32)))
    writer.write_table(reading.table)
    part = "not-cleared" if held else "share"
    writer = writer.hold_back() if held else writer
    assert writer.released == tmp_path / part / "released.csv"
    assert writer.released.is_file()
    verdict = {"status": "not proven", "policy": "public"} if held else None
    manifest = writer.write_manifest({"technique": "none"}, {"records": 120}, verdict=verdict)
    assert set(manifest["files"]) == {f"{part}/released.csv"}
    assert manifest.get("verdict") == verdict
    assert ("verdict" in manifest) == held
    assert {path.name for path in tmp_path.iterdir()} == {"people.csv", part, "private"}
    assert {path.name for path in (tmp_path / part).iterdir()} == {"released.csv", "manifest.json"}


def test_a_link_leads_to_the_file_and_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "link").symlink_to("a")
    write_whole("new", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_text() == "new"
    for path in (Path("/dev/null"), Path("/"), tmp_path):
        with pytest.raises(InputError, match="is not a file that can be replaced"):
            write_whole("x", path)


def test_a_shuffle_is_a_permutation_under_the_key() -> None:
    order = secret_order(range(1000), Streams(bytes(32)))
    assert np.array_equal(np.sort(order), np.arange(1000))
    assert np.array_equal(order, secret_order(range(1000), Streams(bytes(32))))
    assert not np.array_equal(order, secret_order(range(1000), Streams(b"\x01" * 32)))
    assert abs(np.corrcoef(order, np.arange(1000))[0, 1]) < 0.15


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([1, 2, 2, 5, 6, 7, 7, 7, 8, 9], True),
        ([9, 8, 7, 7, 7, 6, 5, 2, 2, 1], True),
        ([1, None, 2, 2, 5, 6, 7, None, 7, 7, 8, 9], True),
        ([1, 2, 3, 4, 5, 6, 7, 9, 8, 10], False),
        ([2] * 12, False),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, None], False),
        ([*"aaabbbcccc"], True),
        ([*"aaabbbccca"], False),
    ],
    ids=str,
)
def test_sorted_columns_are_told(values: list[object], told: bool) -> None:
    frame = pl.DataFrame({"x": values, "ill": ["no", "yes"] * (len(values) // 2)})
    warnings = list(order_warnings(read_table(frame, target="ill")))
    assert len(warnings) == told
    assert all("'x'" in warning and "--shuffle-rows" in warning for warning in warnings)


def test_carried_columns_do_not_count() -> None:
    frame = pl.DataFrame({"id": range(10), "x": [2, 1] * 5, "ill": ["no", "yes"] * 5})
    assert list(order_warnings(read_table(frame, target="ill", roles={"id": "identifier"}))) == []


def test_a_row_order_comes_back(tmp_path: Path) -> None:
    order = np.array([2, 0, 1])
    np.save(tmp_path / "o.npy", order)
    assert read_order(tmp_path / "o.npy").tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    "values",
    [
        np.array([0, 1, 1]),
        np.array([0, 1, 3]),
        np.array([0.0, 1.0]),
        np.array([[0, 1]]),
        np.array([1, 0], np.int32),
        np.array([0, "x", None], object),
    ],
    ids=repr,
)
def test_what_is_no_order_of_rows(tmp_path: Path, values: Array) -> None:
    np.save(tmp_path / "o.npy", values, allow_pickle=True)
    with pytest.raises(InputError, match="does not say where each row came from"):
        read_order(tmp_path / "o.npy")


@pytest.mark.parametrize("header", [b"(1152921504606846976,)", b"(" * 22, b"(2,),'x':(3,),", b"-1"])
def test_headers_that_are_not_believed(tmp_path: Path, header: bytes) -> None:
    np.save(tmp_path / "o.npy", np.array([1, 0]))
    whole = (tmp_path / "o.npy").read_bytes()
    place = whole.index(b"(2,)")
    (tmp_path / "o.npy").write_bytes(whole[:place] + header + whole[place + len(header) :])
    with pytest.raises(InputError, match="is damaged"):
        read_order(tmp_path / "o.npy")
