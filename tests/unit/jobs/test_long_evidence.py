"""The evidence of a long release: counts of all records, the rest by its sample, and laws only where they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.jobs.audit import audit
from hushwood.jobs.judging_requests import AuditRequest

COUNTED = [
    "means_and_variances",
    "correlations",
    "distribution_distances",
    "unchanged_cells",
    "changed_classes",
    "extremes",
]


def write_people(path: Path, rows: int = 6_000) -> None:
    """Some categories are so rare that a sample lacks them in most segments."""
    draw = np.random.default_rng(3)
    age = draw.integers(20, 80, rows)
    rare = draw.zipf(1.6, rows).clip(1, 60)
    pl.DataFrame(
        {
            "age": age,
            "pay": np.round(draw.gamma(2, 900, rows), 1),
            "job": [f"j{code}" for code in rare],
            "ill": np.where(age + draw.normal(0, 10, rows) > 50, "yes", "no"),
        }
    ).write_parquet(path)


def released(here: Path, technique: str, evidence: str = "none", redraw: float = 0) -> dict[str, Any]:
    write_people(here / "people.parquet")
    options: Any = {"technique": technique, "forest_rows": 1_500, "min_leaf": 100, "rare": "keep"}
    options["redraw"] = redraw
    done = hw.release(
        here / "people.parquet",
        target="ill",
        output=here / "out",
        engine="streaming",
        evidence=evidence,
        seed="5e" * 32,
        reuse_key=True,
        **options,
    )
    return {} if done.evaluation is None else done.evaluation.to_json()


def audited(here: Path, engine: str, *names: str) -> dict[str, Any]:
    request = AuditRequest(engine=engine, only=names, threads=1)
    return audit(here / "people.parquet", here / "out", request).document


def values(document: dict[str, Any]) -> dict[str, float]:
    return {entry["name"]: entry["value"] for entry in document["measures"] if "value" in entry}


def details(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(dict(entry["details"]) for entry in document["measures"] if entry["name"] == name)


@pytest.mark.parametrize("technique", ["framework", "segment-shuffle"])
def test_counts_of_a_long_release_are_those_of_all_its_records(technique: str, tmp_path: Path) -> None:
    found = released(tmp_path, technique, "quick")
    again = audited(tmp_path, "streaming", *COUNTED)
    plain = audited(tmp_path, "memory", *COUNTED)

    assert found["release"]["sample"] == {"records": 1_500, "of": 6_000, "exact": COUNTED}
    assert found["release"]["records"] == found["release"]["certificate"]["records"] == 6_000
    for name, value in values(plain).items():
        assert values(found)[name] == pytest.approx(value, rel=1e-9)
    # The order of the rows decides what can be counted side by side in two files.
    paired = () if technique == "framework" else ("unchanged_cells", "changed_classes")
    exact = [name for name in COUNTED if name not in paired]
    assert again["release"]["sample"]["exact"] == exact
    for name in exact:
        assert values(again)[name] == pytest.approx(values(plain)[name], rel=1e-9)
    classes = (details(document, "changed_classes") for document in (found, plain))
    for one, other in zip(*(sorted(each.items()) for each in classes), strict=True):
        assert one == pytest.approx(other) if not isinstance(one[1], str) else one == other
    published = json.loads((tmp_path / "out" / "private" / "evaluation.json").read_text())
    assert published["release"]["sample"] == found["release"]["sample"]


def test_counts_of_a_long_release_of_drawn_people_are_those_of_all_records(tmp_path: Path) -> None:
    """Original and release are compared as tables: the people who were not drawn count, and nobody has a partner."""
    found = released(tmp_path, "segment-shuffle", "quick", redraw=1)
    again = audited(tmp_path, "streaming", *COUNTED)
    plain = audited(tmp_path, "memory", *COUNTED)
    counted = [name for name in COUNTED if name not in ("unchanged_cells", "changed_classes")]
    assert found["release"]["sample"] == {"records": 1_500, "of": 6_000, "exact": counted}
    assert again["release"]["sample"]["exact"] == counted
    assert values(plain).keys() >= set(counted)
    for name in counted:
        assert values(found)[name] == pytest.approx(values(plain)[name], rel=1e-9)
        assert values(again)[name] == pytest.approx(values(plain)[name], rel=1e-9)
    assert {found["pairing"], again["pairing"], plain["pairing"]} == {"none"}


def test_laws_that_name_the_values_of_a_sample_are_not_used(tmp_path: Path) -> None:
    """A record may have got a value that no record of its segment has in the sample: its chance would be 0."""
    released(tmp_path, "framework")

    found = audited(tmp_path, "streaming", "reidentification_entropy")

    assert details(found, "reidentification_entropy")["likelihood"] == "fitted"
    # In memory the law of an exchange is worked out from the whole table.
    assert details(audited(tmp_path, "memory", "reidentification_entropy"), "reidentification_entropy")[
        "likelihood"
    ] == ("laws")


def test_laws_of_noise_hold_on_a_sample(tmp_path: Path) -> None:
    released(tmp_path, "linfapt")

    found = audited(tmp_path, "streaming", "reidentification_entropy")

    assert details(found, "reidentification_entropy")["likelihood"] == "laws"
    assert found["release"]["certificate"]["records"] == 6_000
