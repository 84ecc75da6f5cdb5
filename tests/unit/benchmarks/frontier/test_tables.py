from __future__ import annotations

import polars as pl
import pytest
from frontier import tables
from frontier.tables import APART, DEVELOPMENT, available, frame_of, secret, split, split_frame

from support.frontier_people import STREAMS, people
from support.real_data import data_folder


def test_four_fifths_are_people_of_the_table() -> None:
    parts = split_frame(people(100), "label", STREAMS)
    assert parts.frame.height == parts.reference.people.count == 80
    assert parts.reference.held_out.count == 20
    numbers = {*parts.reference.people.numbers[:, 0], *parts.reference.held_out.numbers[:, 0]}
    assert numbers == {*people(100)["first"].to_list()}


def test_large_tables_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_PEOPLE", 30)
    monkeypatch.setattr(tables, "MOST_HELD_OUT", 10)
    parts = split_frame(people(100), "label", STREAMS)
    assert (parts.reference.people.count, parts.reference.held_out.count) == (30, 10)


def test_a_seed_gives_the_same_split_again_and_another_one_another() -> None:
    first, again, other = (split("CR", seed).frame for seed in (0, 0, 1))
    assert first.equals(again)
    assert not first.equals(other)


def test_keys_differ_by_their_words() -> None:
    assert len({secret("release", "wine", 1), secret("release", "wine", 2), secret("split", "wine", 1)}) == 3
    assert len(secret("x")) == 32


def test_without_a_folder_some_tables_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUSHWOOD_DATA", raising=False)
    assert [name for name in (*DEVELOPMENT, *APART) if available(name)] == ["wine", "CR", "CS"]


def test_a_numeric_class_is_cut_into_three_bins_of_like_size() -> None:
    data_folder()
    frame, target = frame_of("abalone")
    shares = [(frame[target] == name).sum() / frame.height for name in ("low", "middle", "high")]
    assert frame[target].dtype == pl.String
    assert 0.2 < min(shares) < max(shares) < 0.45
    assert sum(shares) == 1.0


def test_identifiers_and_incomplete_records_are_gone() -> None:
    data_folder()
    frame, target = frame_of("wbc")
    assert (frame.height, target, "Sample_code_number" in frame.columns) == (683, "Class", False)
