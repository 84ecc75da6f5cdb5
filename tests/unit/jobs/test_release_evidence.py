"""The evidence that comes with a release: measured by its own laws, with throw-away releases for comparison."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.attacks.registry import ATTACKS
from hushwood.evaluation.levels import QUICK
from hushwood.jobs.release import ReleaseRequest, release
from hushwood.measures.registry import MEASURES
from hushwood.policies.policy import policy_named
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.tables.reading import read
from support.foreign_releases import people

ROLES: Any = {"name": "identifier", "age": "quasi-identifier"}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("full")
    people().write_csv(folder / "people.csv")
    return hw.release(
        folder / "people.csv",
        target="ill",
        roles=ROLES,
        output=folder / "out",
        redraw=0,
        seed="7" * 64,
        evidence="full",
    )


def test_full_evidence_asks_everything(full: Any) -> None:
    without_weights = [name for name, make in MEASURES.items() if not make().of_weights]
    assert [answer.name for answer in full.evaluation.measures] == without_weights
    assert {answer.name for answer in full.evaluation.attacks} == set(ATTACKS)
    assert full.evaluation.audit.evidence == "full"


def test_full_evidence_has_a_control_and_says_so(full: Any) -> None:
    attacks = {answer.name: answer for answer in full.evaluation.attacks}

    assert (
        "2 throw-away releases of about 266 of the records each, with 267 others"
        in full.evaluation.audit.control
    )
    assert attacks["attribute_inference"].control is not None
    assert attacks["membership"].success is not None
    assert attacks["linkage"].control is None


def test_throw_away_releases_leave_nothing_behind(full: Any) -> None:
    names = {path.name for path in full.folder.rglob("*") if path.is_file()}

    assert names == {
        *("released.csv", "manifest.json", "dictionary.md", "report.html"),
        *("key", "forest.json", "plan.json", "schema.toml", "evaluation.json", "record_risk.csv"),
        *("row_order.npy", "signoff.html", "signoff.json", "verdict.json"),
    }


def test_throw_away_releases_have_segments_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """510 records have k = 50; the 340 of a throw-away release would have k = 34 on their own."""
    asked: list[int | None] = []

    def noted(table: Any, options: Any, *rest: Any) -> Any:
        asked.append(options.smallest_segment(table.rows))
        return perturb(table, options, *rest)

    monkeypatch.setattr("hushwood.evaluation.controls.perturb", noted)
    hw.release(people(510), target="ill", roles=ROLES, redraw=0)
    assert asked[:2] == [50, 50]  # what is tried for its advice comes after them


def test_throw_away_releases_are_drawn_as_the_release_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int | None, int | None, float | None]] = []

    def noted(table: Any, options: Any, *rest: Any) -> Any:
        asked.append((options.k, options.blur, options.redraw))
        return perturb(table, options, *rest)

    monkeypatch.setattr("hushwood.evaluation.controls.perturb", noted)
    done = hw.release(people(510), target="ill", roles=ROLES, redraw=2)
    said = done.manifest["parameters"]
    assert asked[:2] == [(said["k"], said["blur"], 2)] * 2
    assert said["k"] > 50


def test_entropies_use_the_noise_laws(full: Any) -> None:
    assert full.evaluation.measure("reidentification_entropy").details["likelihood"] == "laws"


def test_every_record_has_a_line_of_its_own(full: Any) -> None:
    risk = pl.read_csv(full.folder / "private" / "record_risk.csv")

    assert risk["row"].to_list() == list(range(1, 401))
    assert {"reidentification_bits", "sers_bits", "partner_rank", "group_size"} <= set(risk.columns)
    assert risk["reidentification_bits"].max() <= np.log2(400) + 1e-6
    assert (full.folder / "private" / "record_risk.csv").stat().st_mode & 0o077 == 0


def test_quick_evidence_is_a_part_of_it(tmp_path: Path) -> None:
    done = hw.release(people(), target="ill", roles=ROLES, output=tmp_path / "out", evidence="quick")

    assert done.evaluation is not None
    assert tuple(answer.name for answer in done.evaluation.measures) == QUICK.measures
    assert set(QUICK.attacks) <= {answer.name for answer in done.evaluation.attacks}
    assert "2 throw-away releases of about 266 of the records each" in str(done.evaluation.audit.control)


def test_the_attacks_that_the_policy_asks_for_are_tried() -> None:
    asked = ReleaseRequest(policy="wp29", options=PerturbOptions(threads=1))
    done = release(read(people(), target="ill", roles=ROLES), asked)

    assert done.evaluation is not None
    assert "linkability" not in QUICK.attacks
    assert {answer.name for answer in done.evaluation.attacks} == {
        *QUICK.attacks,
        *policy_named("wp29").attacks,
    }
    assert [check.name for check in done.verdict.checks if check.estimate is None] == []


def test_a_table_too_small_for_a_control_is_judged_without(tmp_path: Path) -> None:
    done = hw.release(people(30), target="ill", roles=ROLES, evidence="full", min_leaf=5)

    assert done.evaluation is not None
    assert done.evaluation.audit.control is None


def test_an_audit_of_the_folder_finds_the_same(full: Any) -> None:
    found = hw.audit(
        people(), full.folder, target="ill", roles=ROLES, only=["sers", "reidentification_entropy"]
    )
    again = hw.verify(full.folder)

    assert found["sers"].value == pytest.approx(full.evaluation.measure("sers").value)
    assert again.holds


@pytest.mark.usefixtures("tried_advice")
def test_what_was_tried_can_be_given_as_keywords() -> None:
    """The blur is a change of its own."""
    limits = ["membership<=0.001"]
    done = hw.release(people(300), target="ill", roles=ROLES, redraw=0, seed="5a" * 32, limits=limits)
    assert not done.cleared
    (tried,) = done.verdict.tried
    assert tried.releases == 1
    settings = tried.changes.settings.keywords
    again = hw.release(people(300), target="ill", roles=ROLES, redraw=0, evidence="none", **settings)
    k, blur = (change.value for change in tried.changes.settings)
    assert (
        (again.manifest["parameters"]["k"], again.manifest["parameters"]["blur"]) == (k, blur) == (k, k // 2)
    )
