"""What Python users see: short reprs, cards, charts and frames of results."""

from __future__ import annotations

import pytest

import hushwood as hw
from hushwood.jobs.release import Release
from support.sample_release import credit_table
from support.small_trees import income_forest


@pytest.fixture(scope="module")
def done() -> Release:
    return hw.release(credit_table(300), seed="1" * 64, evidence="none")


def test_reprs_fit_on_a_line(done: Release) -> None:
    assert repr(done) == "<Release by segment-shuffle: not proven by public>"
    assert repr(credit_table(1000)) == "<Table: 1,000 rows, 8 columns, class 'risk'>"
    assert repr(income_forest()) == "<Forest: 2 trees for 'income', 7 leaves>"


def test_an_audit_shows_itself(done: Release) -> None:
    paired = hw.release(credit_table(300), seed="2" * 64, evidence="none", redraw=0)
    found = hw.audit(credit_table(300), paired, only=["unchanged_cells", "linkage"])
    assert repr(found).startswith("<Audit, 1 measures, ")
    assert found.to_frame()["name"].unique().sort().to_list() == ["linkage", "unchanged_cells"]
    assert "What an intruder learns" in found._repr_html_()
    assert "record was found" in str(found.plot().to_dict())
    assert "Not proven" in done._repr_html_()


def test_tables_and_forests_show_themselves(done: Release) -> None:
    table = credit_table(100)
    assert "100 records" in table._repr_html_()  # type: ignore[attr-defined]  # given to it by the package
    assert table.plot("age").to_dict()["title"]["text"] == "age"
    assert len(table.plot().to_dict()["vconcat"]) == len(table.schema.kept)
    assert "<img" in done.forest._repr_html_()  # type: ignore[attr-defined]  # given to it by the package
    assert done.forest.plot().to_dict()["title"]["text"] == "Tree 1 of 1 for risk"


def test_a_table_becomes_a_frame_again() -> None:
    table = credit_table(100)
    assert hw.read_table(table.to_frame(), target="risk").rows == 100
    assert table.to_frame().columns == [a.name for a in table.schema.attributes]


def test_what_is_not_there_cannot_be_drawn() -> None:
    with pytest.raises(hw.HushwoodError, match="Did you mean 'age'"):
        credit_table(100).plot("agee")
    with pytest.raises(hw.HushwoodError, match="tree must be from 0 to 1; 2 was given"):
        income_forest().plot(2)


def test_columns_before_and_after_are_drawn_without_evidence(done: Release) -> None:
    drawn = done.plot().to_dict()["vconcat"]
    assert [part["title"]["text"] for part in drawn] == [a.name for a in credit_table(300).schema.kept]
    measured = hw.release(credit_table(300), seed="1" * 64, evidence="quick")
    assert measured.plot("age").to_dict()["datasets"] == done.plot("age").to_dict()["datasets"]
    with pytest.raises(hw.HushwoodError, match="Nothing was measured"):
        done.plot("attacks")


def test_a_verdict_is_read_as_it_is_printed(done: Release) -> None:
    said = str(done.verdict)
    assert said.startswith("NOT PROVEN FOR THE PUBLIC. Policy: ")
    assert "? not proven  Nearest-record linkage" in said
    assert 'Use evidence="quick"' in said
    assert "--" not in said
