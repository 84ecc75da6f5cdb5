"""People with several rows are not released as several people unless someone says why."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.evaluation.controls import Effort, control_releases
from hushwood.jobs.release import release_any
from hushwood.jobs.repeated_people import said_of_groups, with_people_apart
from hushwood.jobs.requests import ReleaseRequest
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import read
from support.real_data import data_folder
from support.repeated_people import one_with_many, repeated

SEED = "6e" * 32
COLUMNS = ("age", "sex", "income", "bmi", "region", "ill")
SIXTY = repeated(np.full(40, 60), 0, 3, COLUMNS)
STAYS = repeated(np.random.default_rng(1).integers(1, 6, 800), 2, 3, COLUMNS)
REASON = "every row is another day of the same machine"


def verbatim(frame: pl.DataFrame, done: hw.Release) -> float:
    """The share of people whose income stands beside their own body mass index in the release."""
    out = done.frame
    pairs = set(zip(out["income"], out["bmi"], strict=True))
    return float(np.mean([pair in pairs for pair in frame.unique("pat").select("income", "bmi").rows()]))


@pytest.mark.parametrize(
    ("frame", "roles", "sentence"),
    [
        (SIXTY, {"pat": "identifier"}, "Column 'pat' identifies people, who have about 60 rows each"),
        (SIXTY.drop("pat"), {}, "Rows evidently repeat people: .* in about 60 rows at a time"),
        (STAYS, {"pat": "identifier"}, 'person="pat"'),
        (STAYS.drop("pat"), {}, "in about 4 rows at a time"),
        (one_with_many(860, 368, 0), {}, "in about 3.. rows at a time"),
    ],
)
def test_rows_that_repeat_people_stop(frame: pl.DataFrame, roles: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as stopped:
        hw.release(frame, target="ill", roles=roles, policy="public")
    assert 'rows_are_people="reason"' in str(stopped.value)
    assert "--" not in str(stopped.value)


def test_without_the_stop_everybody_would_be_cleared_verbatim() -> None:
    """The attack that the stop is for, on what comes out if someone declares it away."""
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(
            SIXTY,
            target="ill",
            roles={"pat": "identifier"},
            policy="public",
            rows_are_people=REASON,
            evidence="none",
            seed=SEED,
        )
        held = hw.release(SIXTY, target="ill", person="pat", evidence="none", seed="6f" * 32)
    assert verbatim(SIXTY, done) == 1.0
    assert verbatim(SIXTY, held) < 0.5
    assert done.manifest["rows_are_people"] == REASON
    assert "rows_are_people" not in held.manifest


def test_the_reason_is_in_the_manifest_and_on_the_sign_off(tmp_path: Path) -> None:
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(
            STAYS.head(300),
            target="ill",
            roles={"pat": "identifier"},
            rows_are_people=REASON,
            seed=SEED,
            output=tmp_path / "out",
        )
    assert done.folder is not None
    manifest = next(done.folder.glob("*/manifest.json"))
    assert json.loads(manifest.read_text("utf-8"))["rows_are_people"] == REASON
    assert REASON in (done.folder / "private" / "signoff.html").read_text("utf-8")
    assert hw.verify(done.folder).holds


def test_a_reason_is_a_reason_and_no_contradiction() -> None:
    table = read(SIXTY, target="ill", roles={"pat": "person"})
    with_people_apart(table, None, {})
    with pytest.raises(InputError, match="says which rows belong together"):
        with_people_apart(table, "because", {})
    with pytest.raises(InputError, match="needs a reason"):
        with_people_apart(table, " ", {})


@pytest.mark.parametrize("roles", [{"pat": "identifier"}, {"pat": "ignored"}])
def test_throw_away_releases_leave_the_rows_of_one_on_one_side(roles: Any) -> None:
    told = with_people_apart(read(SIXTY, target="ill", roles=roles), REASON, {})
    assert "The 2,400 rows look like those of 40 people" in said_of_groups(told.table)[0]
    effort = Effort(outsiders=10**6, releases=3)
    outside = list[int]()
    for control in control_releases(
        told.table, PerturbOptions(k=50, teacher="none"), effort, Streams(bytes(32))
    ):
        people = [set(SIXTY["pat"].gather(rows)) for rows in (control.inside, control.outside)]
        assert not people[0] & people[1]
        assert len(control.inside) + len(control.outside) == 2_400
        outside += control.outside.tolist()
    assert sorted(outside) == list(range(2_400))


def test_what_is_dropped_stops_only_if_it_stands_for_people() -> None:
    draw = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 90, 900),
            "sex": draw.choice(["f", "m"], 900),
            "ill": draw.choice(["yes", "no"], 900),
            "Nachname": draw.choice([f"Name {i}" for i in range(200)], 900),
            "clinic": draw.choice([f"c{i}" for i in range(40)], 900),
            "PatID": draw.integers(1, 300, 900),
        }
    )

    def check(**roles: Any) -> None:
        rest = [name for name in ("Nachname", "clinic", "PatID") if name not in roles]
        with_people_apart(read(frame.drop(rest), target="ill", roles=roles), None, {})

    check(Nachname="identifier", clinic="identifier")
    with pytest.raises(InputError, match="--person PatID"):
        check(PatID="identifier")


def test_samples_of_a_few_people_who_came_again_pass() -> None:
    folder = data_folder()
    described = tomllib.loads((folder / "tables.toml").read_text("utf-8"))["wbc"]
    roles: Any = dict.fromkeys(described["identifiers"], "identifier")
    with_people_apart(read(folder / described["file"], target=described["class"], roles=roles), None, {})


def test_files_that_are_read_in_batches_stop_too(tmp_path: Path) -> None:
    SIXTY.drop("pat").write_csv(tmp_path / "rows.csv")
    request = ReleaseRequest(PerturbOptions(engine="streaming"), evidence="none")
    with pytest.raises(InputError, match="Rows evidently repeat people"):
        release_any(tmp_path / "rows.csv", {"target": "ill"}, request)
