"""An audit compares the trees that the release was made with, wherever it learns how they were grown."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.audited_release import Released, builder_announced
from hushwood.jobs.folder.made_again import KnownRelease
from hushwood.jobs.judging import Audit
from hushwood.measures.models.grown import builder_for
from hushwood.trees.builder_options import BuilderOptions
from hushwood.trees.options import Builder, GrowOptions, SysForOptions
from support.people_files import write_people

MADE: Any = {"technique": "framework", "variant": "see5", "min_leaf": 2, "evidence": "none"}
MEASURES = ("rule_types", "eduds", "edusc")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    hw.release(write_people(folder, count=240), target="ill", output=folder / "out", **MADE)
    return folder


def judged(folder: Path, released: object, **asked: Any) -> Audit:
    return hw.audit(folder / "people.csv", released, target="ill", only=MEASURES, **asked)


def part(folder: Path) -> Path:
    """The shared part, cleared or not."""
    return next(path for path in (folder / "share", folder / "not-cleared") if path.is_dir())


def leaves_of(folder: Path) -> int:
    (tree,) = json.loads((folder / "private" / "forest.json").read_text("utf-8"))["trees"]
    return sum("test" not in node for node in tree["nodes"])


def test_a_folder_its_released_part_and_its_table_are_judged_by_the_tree_that_was_kept(made: Path) -> None:
    kept = leaves_of(made / "out")
    assert kept > 4
    without_private = shutil.copytree(part(made / "out"), made / "received", dirs_exist_ok=True)
    for released in (made / "out", without_private, part(made / "out") / "released.csv"):
        found = judged(made, released)
        assert found["rule_types"].details["original_tree"]["leaves"] == kept
        assert found["eduds"].details["trees"] == {"original": 1, "released": 1}
        assert found["eduds"].details["intersections"]["original"] == kept
        assert found["edusc"].details["trees"][0]["nodes"] == 2 * kept - 1
        assert found.document["audit"]["builder"] == "one tree of See5, minimum leaf size 2"
        assert "one tree of See5" in found.to_html()


def test_a_copy_of_the_table_is_judged_by_the_yardstick_or_by_what_is_asked(made: Path) -> None:
    copy = shutil.copy(part(made / "out") / "released.csv", made / "copy.csv")
    usual = judged(made, copy)
    assert usual.document["audit"]["builder"] == "3 trees of C4.5, minimum leaf size 11"
    assert usual["rule_types"].details["original_tree"]["leaves"] < leaves_of(made / "out")
    asked = judged(made, copy, variant="see5", min_leaf=2, trees=1)
    assert asked["rule_types"].details == judged(made, made / "out")["rule_types"].details
    other = judged(made, made / "out", variant="j48", criterion="gini", confidence=0.1, trees=2, goodness=1)
    assert other.document["audit"]["builder"] == (
        "2 trees of J48, minimum leaf size 2, criterion gini, confidence 0.1, goodness 1"
    )


def test_the_evidence_of_a_release_and_a_release_in_memory(made: Path) -> None:
    done = hw.release(made / "people.csv", target="ill", **(MADE | {"evidence": "quick"}))
    assert done.evaluation is not None
    assert done.evaluation.audit.builder == "one tree of See5, minimum leaf size 2"
    grown = done.evaluation.forests["original_tree"]
    assert [len(tree.leaves) for tree in grown.trees] == [len(tree.leaves) for tree in done.forest.trees]
    assert judged(made, done).evaluation.audit.builder == done.evaluation.audit.builder


def test_segments_of_a_least_size_are_those_of_the_release(tmp_path: Path) -> None:
    """Small leaves are merged in both trees, as they were for the release."""
    path = write_people(tmp_path, count=240)
    hw.release(path, target="ill", k=30, redraw=0, evidence="none", output=tmp_path / "out")
    kept = leaves_of(tmp_path / "out")
    for released in (tmp_path / "out", part(tmp_path / "out") / "released.csv"):
        found = judged(tmp_path, released)
        assert found["rule_types"].details["original_tree"]["leaves"] == kept
        assert min(rule["records"] for rule in found["rule_types"].details["original_rules"]) >= 30


def test_a_table_that_was_replaced_is_of_unknown_origin(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "out", tmp_path / "out")
    table = part(tmp_path / "out") / "released.csv"
    pl.read_csv(table).with_columns(pl.col("age") + 1).write_csv(table)
    for released in (tmp_path / "out", table):
        assert "C4.5" in judged(made, released).document["audit"]["builder"]


def test_what_a_manifest_announces() -> None:
    usual = builder_for(1000)
    used = Builder(GrowOptions("j48", min_leaf=7), SysForOptions(trees=4, goodness=0.2))
    assert builder_announced({"trees": 4, "grown": used.described()}, usual) == used
    shuffled = builder_announced({"trees": 1, "k": 50, "grown": Builder().described()}, usual)
    assert (shuffled.smallest_segment, shuffled.sysfor.trees) == (50, 3)
    unknown_ones: list[dict[str, Any]] = [
        {},
        {"grown": 3, "trees": 1},
        {"grown": {"variant": "tpp"}, "trees": 2},
    ]
    for unknown in unknown_ones:
        assert builder_announced(unknown, usual) == usual


def test_options_without_use_are_refused(made: Path) -> None:
    with pytest.raises(InputError, match=r"goodness tells the first tests.*the audit grows one tree"):
        judged(made, made / "out", goodness=0.2)
    with pytest.raises(InputError, match="See5 chooses by gain_ratio; for gini"):
        judged(made, made / "out", criterion="gini")
    with pytest.raises(InputError, match=r"confidence must be above 0 and at most 0\.5; 0\.7 was given"):
        judged(made, made / "out", confidence=0.7)
    with pytest.raises(InputError, match=r"There is no option 'leaf'\. Did you mean 'min_leaf'"):
        judged(made, made / "out", leaf=2)
    release = Released.of(pl.DataFrame(), KnownRelease())
    assert release.builder(BuilderOptions(min_leaf=3), None, 100)[0].grow.min_leaf == 3
