"""A release without rare levels, from the command's options to the folder, its verification and its audit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.audit import audit
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.jobs.tune import _for_everyone
from hushwood.jobs.verify import verify
from hushwood.policies.policy import policy_named
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import read
from support.people_files import SEED, people
from support.release_parts import files_in

ROWS = 200


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """People of a few towns, three of which one to three people come from."""
    age, score, group, ill = zip(*people(ROWS), strict=True)
    row = pl.int_range(ROWS, eager=True)
    town = (
        pl.when(row == 7).then(pl.lit("Elm")).when(row % 90 == 11).then(pl.lit("Oak"))
        .when(row % 2 == 0).then(pl.lit("Ash")).otherwise(pl.lit("Fir"))
    )  # fmt: skip
    frame = pl.DataFrame({"age": age, "score": score, "group": group}).with_columns(
        town=town, ill=pl.Series(ill)
    )
    path = tmp_path / "people.csv"
    frame.write_csv(path)
    return path


def released(table: Path, rule: str, **more: Any) -> Release:
    options = PerturbOptions(technique="forest-framework", min_leaf=20, rare=rule, **more)
    request = ReleaseRequest(options=options, output=table.parent / rule, seed=SEED)
    return release(read(table, target="ill"), request)


def towns(folder: Path) -> dict[str | None, int]:
    frame = pl.read_csv(files_in(folder) / "released.csv")
    return dict(frame["town"].value_counts().iter_rows())


def test_by_default_rare_levels_are_counted(table: Path) -> None:
    done = released(table, "keep")
    assert {"Elm": 1, "Oak": 3}.items() <= towns(table.parent / "keep").items()
    assert any("released as they are: 'town' (2 levels, 4 records)" in text for text in done.warnings)
    assert "rare_levels" not in done.manifest["parameters"]


@pytest.mark.parametrize(("rule", "becomes"), [("group", "other"), ("suppress", None)])
def test_rare_levels_leave_the_release(table: Path, rule: str, becomes: str | None) -> None:
    done = released(table, rule)
    folder = table.parent / rule
    assert towns(folder).keys() == {"Ash", "Fir", becomes}
    assert towns(folder)[becomes] == 4
    assert done.certificate["kept"] == ROWS
    assert done.manifest["parameters"]["rare_levels"] == {
        "rule": rule,
        "below": 5,
        "columns": {"town": becomes},
    }
    plan = json.loads((folder / "private" / "plan.json").read_text())
    assert plan["rare_levels"]["columns"]["town"]["levels"] == ["Elm", "Oak"]
    words = {"group": "grouped as 'other'", "suppress": "blanked"}
    assert f"fewer than 5 records had were {words[rule]}" in (files_in(folder) / "dictionary.md").read_text()
    for path in files_in(folder).iterdir():
        assert "Elm" not in path.read_text("utf-8"), path


@pytest.mark.parametrize("rule", ["group", "suppress"])
def test_its_folder_verifies_and_is_audited_by_its_laws(table: Path, rule: str) -> None:
    done = released(table, rule)
    folder = table.parent / rule
    again = verify(folder, table)
    assert again.holds
    assert again.certificate == done.certificate
    found = audit(table, folder, AuditRequest(only=("sers", "linkage")))
    assert any("compared with the original after that" in text for text in found.evaluation.release.warnings)
    assert not any("laws are not used" in text for text in found.evaluation.release.warnings)
    alone = audit(table, files_in(folder) / "released.csv", AuditRequest(only=("sers",)), {"target": "ill"})
    assert alone.evaluation.named("sers")


def test_the_limit_can_be_set(table: Path) -> None:
    released(table, "group", rare_below=2)
    assert {"Oak": 3, "other": 1}.items() <= towns(table.parent / "group").items()


def test_a_frame_comes_back_with_the_new_level(table: Path) -> None:
    options = PerturbOptions(min_leaf=20, rare="group")
    done = release(
        read(pl.read_csv(table), target="ill"), ReleaseRequest(options=options, seed=SEED, evidence="none")
    )
    assert set(done.frame["town"]) == {"Ash", "Fir", "other"}


def test_other_words_are_refused() -> None:
    with pytest.raises(InputError, match="rare"):
        PerturbOptions(rare="drop")


def blocking(table: Path, policy: str = "public", **asked: Any) -> tuple[str, ...]:
    options = PerturbOptions(technique="forest-framework", min_leaf=20, rare=asked.pop("rare", "keep"))
    request = ReleaseRequest(options=options, seed=SEED, policy=policy, evidence="quick", **asked)
    return release(read(table, target="ill"), request).verdict.blocking


def test_levels_of_a_few_do_not_go_out_to_everyone(table: Path) -> None:
    (said,) = blocking(table)
    assert "'town' (2)" in said
    assert "--rare group" in said
    assert "Elm" not in said
    assert blocking(table, rare="group") == blocking(table, rare="suppress") == ()
    assert blocking(table, keep={"town": "towns are public"}) == ()
    assert blocking(table, policy="research") == ()


def test_a_class_with_levels_of_a_few_can_only_be_kept(table: Path) -> None:
    frame = pl.read_csv(table).rename({"ill": "sick", "town": "ill"})
    frame.write_csv(table)
    assert "'ill' (2)" in blocking(table)[0]
    assert "'ill' (2)" in blocking(table, rare="group")[0]
    assert blocking(table, keep={"ill": "towns are public"}) == ()


def test_the_search_puts_rare_levels_together_for_everyone(table: Path) -> None:
    known = read(table, target="ill").table
    asked = ReleaseRequest(output=None)
    for request, policy, rule in (
        (asked, "public", "group"),
        (asked, "research", "keep"),
        (replace(asked, keep={"town": "all towns are named in the press release"}), "public", "keep"),
    ):
        exact = replace(request, options=PerturbOptions(redraw=0))
        assert _for_everyone(known, exact, policy_named(policy)).rare_rule == rule
        assert _for_everyone(known, request, policy_named(policy)).rare_rule == "group", "as drawn ones are"
