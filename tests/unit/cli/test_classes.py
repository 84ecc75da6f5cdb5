"""Releases of tables with no class, with several, and with a number as the class, into folders and through audits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from support.command_line import Command

SEED = "5a" * 32
CASES: dict[str, tuple[str, ...]] = {
    "none": (),
    "number": ("--class", "pay"),
    "several": ("--class", "ill", "--class", "sex"),
    "class and number": ("--class", "ill", "--class", "pay"),
}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(8)
    rows = 240
    age, sex = rng.integers(18, 90, rows), rng.choice(["f", "m"], rows)
    pay = 20 + age / 2 + np.where(sex == "m", 6.0, 0.0) + rng.normal(size=rows)
    ill = np.where(age + rng.normal(size=rows) * 5 > 60, "yes", "no")
    frame = pl.DataFrame(
        {
            "age": age,
            "sex": sex,
            "town": rng.choice(["A", "B", "C"], rows),
            "pay": pay.round(2),
            "ill": ill,
        }
    )
    gaps = rng.random((rows, 3)) < 0.05
    frame = frame.with_columns(
        pl.when(pl.Series(gaps[:, i])).then(None).otherwise(pl.col(name)).alias(name)
        for i, name in enumerate(("age", "pay", "ill"))
    )
    path = tmp_path_factory.mktemp("people") / "people.csv"
    frame.write_csv(path)
    return path


@pytest.mark.parametrize(
    ("technique", "redraw"),
    [
        ("forest-framework", ()),
        ("segment-shuffle", ()),
        ("segment-shuffle", ("--redraw", 0)),
        ("framework", ()),
    ],
)
@pytest.mark.parametrize("case", CASES)
def test_every_record_follows_the_rules_of_every_tree(
    hushwood: Command, people: Path, tmp_path: Path, case: str, technique: str, redraw: tuple[str | int, ...]
) -> None:
    out = tmp_path / "out"
    done = hushwood(
        *("release", people, *CASES[case], "--technique", technique, *redraw, "--evidence", "none"),
        *("--seed", SEED, "-o", out),
    )
    assert done.code == 1, done.err  # without evidence nothing is proven
    manifest = json.loads((out / "not-cleared" / "manifest.json").read_text())
    assert manifest["certificate"]["claimed"]
    assert manifest["certificate"]["kept"] == 240
    assert ("No class is named" in done.err) is (case == "none")
    forest = json.loads((out / "private" / "forest.json").read_text())
    predicted = {tree.get("class", forest["class"]) for tree in forest["trees"]}
    if technique != "segment-shuffle" and case != "none":
        assert predicted == {name for name in CASES[case] if not name.startswith("--")}
    released = pl.read_csv(out / "not-cleared" / "released.csv")
    before = pl.read_csv(people)
    assert released.columns == before.columns
    kept = ["age", "pay"] if technique == "framework" else before.columns  # CAPT draws missing categories too
    if technique != "segment-shuffle" or redraw:
        assert released[kept].null_count().equals(before[kept].null_count())
    again = hushwood("verify", out, people)
    assert again.code == 0, again.out + again.err


@pytest.mark.parametrize("case", CASES)
def test_an_audit_judges_every_class(hushwood: Command, people: Path, tmp_path: Path, case: str) -> None:
    out, page = tmp_path / "out", tmp_path / "page.html"
    hushwood(
        *("release", people, *CASES[case], "--technique", "forest-framework", "--evidence", "none"),
        *("--seed", SEED, "-o", out),
    )
    names = "rule_types,prediction_accuracy,eduds,edusc,changed_classes,class_entropy,correlations,linkage"
    found = hushwood(
        *("audit", people, out, "--only", names, "--json", tmp_path / "found.json", "--report", page)
    )
    assert found.code == 0, found.err
    entries = {e["name"]: e for e in json.loads((tmp_path / "found.json").read_text())["measures"]}
    assert 0 <= entries["rule_types"]["value"] <= 1
    asked = entries["rule_types"]["details"].get("by_class", {})
    classes = [name for name in CASES[case] if not name.startswith("--")]
    assert list(asked) == (
        [] if len(classes) == 1 else sorted(classes, key=["sex", "pay", "ill"].index) or list(asked)
    )
    assert bool(asked) or len(classes) == 1
    if "pay" in classes:
        rows = entries["prediction_accuracy"]["details"]["rows"]
        assert (
            any("rmse" in row for row in rows) or entries["prediction_accuracy"]["details"]["class"] == "ill"
        )
    if not classes:
        assert "no class" in entries["changed_classes"]["not_computable"]
    text = page.read_text()
    assert "Traceback" not in text
    assert all(name in text for name in classes)


def test_in_python_and_what_is_refused() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60), "c": ["x", "y"] * 30})
    done = hw.release(frame, technique="mdav", evidence="none")
    assert done.frame.columns == ["a", "b", "c"]
    found: Any = hw.audit(frame, done.frame, only=["means_and_variances"])
    assert found["means_and_variances"].value < 0.2
    several = hw.release(frame, target=["a", "c"], evidence="none", technique="framework")
    assert [part.class_name for part in several.forest.parts] == ["a", "c"]
    with pytest.raises(InputError, match="predicts one class, but 'a', 'c'"):
        hw.publish_tree(hw.read_table(frame, target=["a", "c"]))
    with pytest.raises(InputError, match="predicts one class, but no column"):
        hw.publish_tree(frame)
