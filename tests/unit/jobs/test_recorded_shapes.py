"""Manifests and plans that something was done to."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.jobs.recorded_shapes import check_manifest, check_plan

HERE = Path("manifest.json")
MANIFEST: dict[str, Any] = {
    "technique": "forest-framework",
    "files": {"share/released.csv": "0f"},
    "private_files": ["private/key"],
    "input": {"keyed_checksum": "1a"},
    "output": {"file": "released.csv", "sha256": "0f", "records": 2},
    "certificate": {"claimed": True, "records": 2, "kept": 2, "per_tree": [2]},
    "parameters": {"noise": 0.5, "settings": {"gadp": {"rho": 0.5}}},
}
PLAN: dict[str, Any] = {
    "input": {"missing": ["?"], "encoding": "utf-8", "separator": None, "infinite": "refuse"},
    "options": {"technique": "framework", "noise": 1, "trees": None, "suppress": [], "settings": {}},
}
Damage = Callable[[dict[str, Any]], object]


def test_whole_ones_pass() -> None:
    check_manifest(MANIFEST, HERE)
    check_plan(PLAN, HERE)
    check_plan({}, HERE)
    check_plan({"recipe": "tpp", "options": {"trees": ["gini"]}}, HERE)


@pytest.mark.parametrize(
    "damage",
    [
        lambda m: m.pop("technique"),
        lambda m: m.update(files=[]),
        lambda m: m["files"].update(x=1),
        lambda m: m["input"].clear(),
        lambda m: m.update(output="released.csv"),
        lambda m: m["certificate"].update(kept="2"),
        lambda m: m["certificate"].update(kept=True),
        lambda m: m["certificate"].update(claimed=1),
        lambda m: m["certificate"].update(columns=1),
        lambda m: m["certificate"].update(columns={"age": []}),
        lambda m: m.update(private_files=[1]),
        lambda m: m["parameters"].update(settings=[]),
        lambda m: m["parameters"].update(noise=None),
    ],
)
def test_damaged_manifests(damage: Damage) -> None:
    manifest = copy.deepcopy(MANIFEST)
    damage(manifest)
    with pytest.raises(InputError, match=r"manifest\.json is damaged; fetch or make the release again"):
        check_manifest(manifest, HERE)


@pytest.mark.parametrize(
    "damage",
    [
        lambda p: p.update(input=[]),
        lambda p: p["input"].update(path="x"),
        lambda p: p["input"].update(missing="?"),
        lambda p: p["input"].update(infinite="perhaps"),
        lambda p: p["input"].update(response=[]),
        lambda p: p.update(options=None),
        lambda p: p["options"].update(trees="3"),
        lambda p: p["options"].update(suppress=[1]),
        lambda p: p["options"].update(settings={"gadp": 1}),
        lambda p: p["options"].update(noise="much"),
    ],
)
def test_damaged_plans(damage: Damage) -> None:
    plan = copy.deepcopy(PLAN)
    damage(plan)
    with pytest.raises(InputError, match="is damaged"):
        check_plan(plan, HERE)
