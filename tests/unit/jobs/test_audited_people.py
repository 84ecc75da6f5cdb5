from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.audit import people_in
from hushwood.jobs.audited_release import Released
from hushwood.jobs.folder.made_again import KnownRelease
from hushwood.jobs.judging import Audit
from hushwood.random_streams import Streams
from hushwood.tables.pairs.pairing import pair_up
from support.visits import PERSON, table_of_visits, visits

pytestmark = pytest.mark.filterwarnings("ignore::hushwood.HushwoodWarning")
ONLY: Any = {"target": "ill", "person": "patient", "only": ["linkage"], "evidence": "quick"}


def stays(patients: int = 300) -> pl.DataFrame:
    """Twelve rows a patient, give or take three, and much that is the same in all of them."""
    chance = np.random.default_rng(3)
    age = chance.integers(20, 90, patients)
    always = {
        "age": age,
        "height": np.round(chance.normal(170, 9, patients)),
        "weight": np.round(chance.normal(75, 12, patients)),
        "distance": np.round(chance.gamma(2, 8, patients)),
        "region": chance.choice(list("NESW"), patients),
        "ill": np.where(chance.random(patients) < 1 / (1 + np.exp(-(age - 55) / 8)), "yes", "no"),
    }
    of = chance.permutation(np.repeat(np.arange(patients), chance.integers(9, 16, patients)))
    pressure = np.round(120 + chance.normal(0, 10, patients)[of] + chance.normal(0, 4, len(of)), 1)
    return pl.DataFrame(
        {
            "patient": [f"P{number:04d}" for number in of],
            **{name: values[of] for name, values in always.items()},
        }
        | {"pressure": pressure}
    )


def success(found: Audit) -> float:
    return max(
        one.success or 0.0
        for one in found.evaluation.tried
        if one.scenario and one.scenario.name == "everything"
    )


def test_rows_changed_one_by_one_give_persons_away() -> None:
    """Whoever knows a patient's rows finds them among those of a release that took each row for a person."""
    frame = stays()
    options: Any = {
        "target": "ill",
        "k": 20,
        "redraw": 0,
        "teacher": "tree",
        "evidence": "none",
        "seed": "17" * 32,
    }
    keep = {"patient": "rows of a patient are to be put together"}
    by_rows = hw.release(
        frame, roles={"patient": "ignored"}, keep=keep, rows_are_people="to see what that does", **options
    )
    by_persons = hw.release(frame, person="patient", **options, reuse_key=True)
    found, hidden = (hw.audit(frame, done, **ONLY) for done in (by_rows, by_persons))
    assert found.findings.pair.original.rows == hidden.findings.pair.original.rows == 300
    assert success(found) > 0.08
    assert success(hidden) < 0.04


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    visits().write_csv(folder / "visits.csv")
    options: Any = {"k": 30, "redraw": 0, "teacher": "tree", "evidence": "none"}
    hw.release(folder / "visits.csv", target="ill", person="patient", output=folder / "out", **options)
    return folder


def test_a_folder_knows_which_person_is_which(shuffled: Path) -> None:
    found = hw.audit(
        shuffled / "visits.csv", shuffled / "out", only=["linkage", "unchanged_cells"], evidence="quick"
    )
    people = visits()["patient"].n_unique()
    assert found.findings.pair.original.rows == people
    assert found.findings.pair.partner is not None
    assert np.array_equal(np.sort(found.findings.pair.partner), np.arange(people))
    facts = found.evaluation.audit.people
    assert facts is not None
    assert (facts.column, facts.role, facts.count, facts.rows) == (
        "patient",
        "person",
        people,
        visits().height,
    )
    assert f"Risks are those of {people} persons with {visits().height} rows" in found.to_html()


def test_names_that_are_copied_pair_persons() -> None:
    frame = visits(30)
    other = frame.sort("pressure").with_columns(pressure=pl.col("pressure") + 1)
    pair = paired(frame, other)
    people = people_in(table_of_visits(frame), other, pair, frame_only(other))
    assert people is not None
    assert people.partner is not None
    before, after = people.original.columns["pressure"], people.released.columns["pressure"][people.partner]
    np.testing.assert_allclose(after, before + 1)


def frame_only(released: pl.DataFrame) -> Released:
    return Released.of(released, KnownRelease())


def paired(frame: pl.DataFrame, released: pl.DataFrame, match: str = "none") -> Any:
    return pair_up(table_of_visits(frame), released, Streams(bytes(32)), match=match)


def test_other_names_pair_nobody() -> None:
    frame = visits(30)
    other = frame.with_columns(patient=pl.col("patient").str.replace("P", "Q")).reverse()
    people = people_in(table_of_visits(frame), other, paired(frame, other), frame_only(other))
    assert people is not None
    assert people.partner is None


def test_rows_say_who_is_who_where_the_release_has_no_names() -> None:
    frame = visits(30)
    other = frame.drop("patient")
    people = people_in(table_of_visits(frame), other, paired(frame, other, "rows"), frame_only(other))
    assert people is not None
    assert people.partner is not None
    assert people.partner.tolist() == list(range(people.original.rows))
    with pytest.raises(InputError, match="nothing says which of them belong together"):
        people_in(table_of_visits(frame), other, paired(frame, other), frame_only(other))


def test_a_hold_out_has_persons_too() -> None:
    frame = visits(200)
    inside = frame.filter(pl.col("patient") < "P00120")
    found = hw.audit(
        inside,
        inside,
        target="ill",
        roles=PERSON,
        holdout=frame.filter(pl.col("patient") >= "P00120"),
        only=["membership"],
        evidence="quick",
    )
    assert found.findings.pair.holdout is not None
    assert found.findings.pair.holdout.rows == 80
