"""Releases whose records stand for no one: every file and every answer says so, and nothing is paired by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from hushwood.attacks.judging.running import MADE_UP
from hushwood.errors import InputError
from hushwood.jobs.verify import verify
from hushwood.measures.protocol import MADE_UP as NOBODY
from hushwood.reports.release.terminal import audit_lines, summary_lines
from support.foreign_releases import people
from support.release_parts import files_in

ROLES: Any = {"name": "identifier", "age": "quasi-identifier"}
SYNTHESES = ("cart-synthesis", "forest-synthesis", "copula-synthesis")


@pytest.fixture(scope="module", params=SYNTHESES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("made")
    people().write_csv(folder / "people.csv")
    return hw.release(
        folder / "people.csv",
        target="ill",
        roles=ROLES,
        technique=request.param,
        output=folder / "out",
        seed=str(1 + SYNTHESES.index(request.param)) * 64,
        evidence="full",
    )


def original(made: Any) -> Path:
    return Path(made.folder.parent / "people.csv")


def test_as_many_records_and_no_claim(made: Any) -> None:
    assert made.frame.height == people().height
    assert made.frame.columns == [name for name in people().columns if name != "name"]
    assert made.manifest["output"]["records_have_partners"] is False
    assert made.certificate["claimed"] is False
    assert made.certificate["paired"] is False
    assert 0 < made.certificate["kept"] <= people().height


def test_nothing_is_said_of_single_records(made: Any) -> None:
    private = {path.name for path in (made.folder / "private").iterdir()}
    assert private == {
        "key",
        "forest.json",
        "plan.json",
        "schema.toml",
        "evaluation.json",
        "report.html",
        "signoff.html",
        "signoff.json",
        "verdict.json",
    }
    release = made.evaluation.release
    assert (release.segments, release.rare_categories, release.unique_extremes) == (None, None, None)
    assert made.evaluation.pairing == "none"


def test_linkage_says_that_there_is_nobody_to_be_found(made: Any) -> None:
    reasons = {answer.name: answer.reason for answer in made.evaluation.attacks}
    assert {name for name, reason in reasons.items() if reason == MADE_UP} >= {
        "linkage",
        "assignment_linkage",
        "probabilistic_linkage",
    }
    measured = {answer.name: answer for answer in made.evaluation.measures}
    for name in ("sers", "reidentification_entropy", "class_entropy", "unchanged_cells", "changed_classes"):
        assert measured[name].reason == NOBODY.reason
    assert measured["correlations"].value is not None


def test_other_attacks_are_tried_with_a_control(made: Any) -> None:
    tried = {answer.name: answer for answer in made.evaluation.attacks if answer.success is not None}
    assert {"attribute_inference", "singling_out", "membership"} <= set(tried)
    assert "throw-away release" in made.evaluation.audit.control
    assert tried["membership"].success < 0.75


def test_reports_and_the_dictionary_say_it(made: Any) -> None:
    for page in (files_in(made.folder) / "report.html", made.folder / "private" / "report.html"):
        text = page.read_text("utf-8")
        assert "none stands for one person" in text
        assert "The rules that survived" not in text
    said = (files_in(made.folder) / "dictionary.md").read_text("utf-8")
    assert "none stands for one person" in said
    assert "segment" not in said
    for lines in (summary_lines(made.evaluation), audit_lines(made.evaluation)):
        assert "All records are made up" in " ".join(lines)


def test_an_audit_of_the_folder_finds_the_same(made: Any) -> None:
    wanted = ["linkage", "sers", "correlations", "unchanged_cells", "distribution_distances"]
    found = hw.audit(original(made), made.folder, only=wanted)
    assert found["linkage"].answer.reason == MADE_UP
    assert found["unchanged_cells"].answer.reason == found["sers"].answer.reason == NOBODY.reason
    for name in ("correlations", "distribution_distances"):
        assert found[name].value == pytest.approx(made.evaluation.measure(name).value)
    assert not found.evaluation.release.certificate.paired  # type: ignore[union-attr]


def test_the_shared_part_alone_is_not_paired_either(made: Any, tmp_path: Path) -> None:
    part = files_in(made.folder)
    alone = part.rename(tmp_path / part.name)
    try:
        found = hw.audit(original(made), alone, target="ill", roles=ROLES, only=["linkage"])
    finally:
        alone.rename(part)
    assert found["linkage"].answer.reason == MADE_UP


@pytest.mark.parametrize("match", ["rows", "age"])
def test_rows_cannot_be_paired_on_request(made: Any, match: str) -> None:
    with pytest.raises(InputError, match="were made up and stand for no one, so they cannot be paired"):
        hw.audit(original(made), made.folder, match=match, only=["linkage"])


def test_verify_counts_the_same_matches(made: Any) -> None:
    found = verify(made.folder, original(made))
    assert found.holds
    assert found.certificate == made.certificate
    assert "can be matched with an original record" in found.checks[-1].sentence


def test_shuffled_rows_are_not_paired_by_their_map(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "people.csv")
    how: Any = {"target": "ill", "roles": ROLES, "technique": "cart-synthesis", "evidence": "none"}
    hw.release(tmp_path / "people.csv", output=tmp_path / "out", shuffle_rows=True, **how)
    assert (
        hw.audit(tmp_path / "people.csv", tmp_path / "out", only=["linkage"])["linkage"].answer.reason
        == MADE_UP
    )
    assert verify(tmp_path / "out", tmp_path / "people.csv").holds


def test_cells_are_blanked_by_released_values() -> None:
    """The record that was in a row says nothing about the one that is made up in it."""
    how: Any = {"target": "ill", "roles": ROLES, "evidence": "none", "seed": "6" * 64}
    plain = hw.release(people(), technique="cart-synthesis", reuse_key=True, **how).frame
    rules: Any = {"suppress": ("age > 60",)}
    blanked = hw.release(people(), technique="cart-synthesis", reuse_key=True, **rules, **how).frame
    assert blanked["age"].is_null().to_list() == (plain["age"] > 60).to_list()
    assert (plain["age"] > 60).any()


def test_columns_that_are_copied_are_warned_about() -> None:
    frame = people().with_columns(note=pl.format("note {}", pl.int_range(people().height)))
    roles: Any = {"name": "identifier", "note": "ignored"}
    keep = {"note": "invented"}
    done = hw.release(
        frame, target="ill", roles=roles, keep=keep, technique="cart-synthesis", evidence="none"
    )
    assert any("Copied in the order of the table: note" in warning for warning in done.warnings)
