"""A release of a coarser table, from the command's options to the folder, its verification and its audit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.verify import verify
from support.release_parts import files_in
from support.tuned_scores import two_checks

ROWS = 300
SEED = "a1" * 32
COARSE: dict[str, Any] = {
    "coarsen": {"age": 10, "seen": "quarter", "zip": "2digits"},
    "top_code": ["pay=90%", "age=80"],
    "bottom_code": {"age": 20},
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = np.random.default_rng(3)
    age = chance.integers(17, 95, ROWS)
    frame = pl.DataFrame(
        {
            "age": age,
            "seen": pl.Series(chance.integers(15_000, 15_900, ROWS)).cast(pl.Int32).cast(pl.Date),
            "zip": [f"0{number}" for number in chance.integers(1000, 6000, ROWS)],
            "pay": np.round(chance.lognormal(7, 1, ROWS), 2),
            "ill": np.where((age > 50) ^ (chance.random(ROWS) < 0.1), "yes", "no"),
        }
    )
    path = tmp_path_factory.mktemp("coarse") / "people.csv"
    frame.write_csv(path)
    return path


def released(table: Path, folder: Path, **options: Any) -> Any:
    given = {
        "technique": "forest-framework",
        "min_leaf": 20,
        "evidence": "none",
        "seed": SEED,
        **COARSE,
        **options,
    }
    return hw.release(
        table, target="ill", output=folder, reuse_key=True, roles={"zip": "quasi-identifier"}, **given
    )


def test_the_folder_says_what_was_coarsened(table: Path, tmp_path: Path) -> None:
    done = released(table, tmp_path / "out")
    said = done.manifest["parameters"]["coarsened"]
    assert said["age"] == "rounded to multiples of 10; 20 for everything below; 80 for everything above"
    assert said["seen"] == "first day of the quarter"
    assert said["zip"] == "first 2 characters of every text"
    limit = 100 * np.floor(np.quantile(pl.read_csv(table)["pay"], 0.9, method="inverted_cdf") / 100)
    assert said["pay"] == f"{limit:,.0f} for everything above"
    plan = json.loads((tmp_path / "out/private/plan.json").read_text())
    assert plan["coarsened"]["age"] == {"step": 10.0, "top": 80.0, "bottom": 20.0}
    assert plan["coarsened"]["seen"] == {"unit": "quarter"}
    page = (files_in(tmp_path / "out") / "dictionary.md").read_text()
    assert "Before that, coarsened: first day of the quarter." in page
    assert any("Columns were coarsened before the rules were learnt: 'age'" in text for text in done.warnings)
    assert not any("Group them with coarsen" in text for text in done.warnings)


def test_only_columns_that_stay_fine_are_said_to_have_many_categories(table: Path, tmp_path: Path) -> None:
    done = released(table, tmp_path / "out", coarsen={"age": 10})
    assert any("'zip'" in text and "Group them with coarsen" in text for text in done.warnings)


def test_the_released_table_is_the_coarser_one(table: Path, tmp_path: Path) -> None:
    done = released(table, tmp_path / "out", technique="rankswap", settings={"rankswap": {"blur": 0}})
    ages = done.frame["age"].to_list()
    assert set(ages) <= set(range(20, 81, 10))
    assert {text[2:] for text in done.frame["zip"]} == {"***"}
    assert {(day.month, day.day) for day in done.frame["seen"]} <= {(1, 1), (4, 1), (7, 1), (10, 1)}
    assert done.frame["pay"].max() <= 10_000


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_it_verifies_and_is_audited_by_its_laws(engine: str, table: Path, tmp_path: Path) -> None:
    done = released(table, tmp_path / "out", engine=engine, rare="group", rare_below=20)
    again = verify(tmp_path / "out", table)
    assert again.holds
    assert again.certificate == done.certificate
    for audited_by in ("memory", "streaming"):
        found = hw.audit(table, tmp_path / "out", only=["sers", "linkage"], engine=audited_by).evaluation
        assert any(
            "made of a coarser table, in age, seen, zip, pay" in text for text in found.release.warnings
        )
        assert not any("laws are not used" in text for text in found.release.warnings)
        lost = {column.column: column for column in found.release.coarsened}
        assert lost.keys() == {"age", "seen", "zip", "pay"}
        assert 0.02 < lost["age"].loss < 0.3
        assert lost["zip"].changed == 1.0
        assert lost["zip"].moved is None


def test_engines_give_the_same_values(table: Path, tmp_path: Path) -> None:
    """Learnt on a sample, changed in parts; rare levels are those of the coarser table."""
    small: dict[str, Any] = {"forest_rows": 120, "part_rows": 60, "rare": "group", "rare_below": 60}
    one, two = (
        released(table, tmp_path / engine, engine=engine, **small) for engine in ("memory", "streaming")
    )
    assert pl.DataFrame(one.frame).equals(pl.DataFrame(two.frame))
    assert one.manifest["parameters"]["coarsened"] == two.manifest["parameters"]["coarsened"]
    assert one.manifest["parameters"]["rare_levels"] == two.manifest["parameters"]["rare_levels"]
    schemas = [(tmp_path / engine / "private/schema.toml").read_text() for engine in ("memory", "streaming")]
    assert schemas[0] == schemas[1]


def test_fewer_people_stand_out(table: Path, tmp_path: Path) -> None:
    """The same technique, with and without coarsening: an intruder who knows the columns finds fewer people."""
    none: dict[str, Any] = {"coarsen": (), "top_code": (), "bottom_code": ()}
    wide: dict[str, Any] = {"coarsen": {"age": 20, "seen": "year", "zip": "2digits", "pay": 1000}}
    found = {}
    for name, rules in (("fine", none), ("coarse", {**none, **wide})):
        released(table, tmp_path / name, technique="pram", probability=0.05, **rules)
        audited = hw.audit(table, tmp_path / name, only=["linkage", "singling_out"])
        alone = audited["singling_out"].entry
        found[name] = (audited["linkage"].value, alone["success"] * alone["attempts"])
    assert found["coarse"][0] < 0.7 * found["fine"][0]
    assert found["coarse"][1] < 0.1 * found["fine"][1]


def test_a_hold_out_is_coarsened_too(table: Path, tmp_path: Path) -> None:
    released(table, tmp_path / "out")
    held = pl.read_csv(table, schema_overrides={"zip": pl.String}, try_parse_dates=True).head(40)
    audited = hw.audit(table, tmp_path / "out", holdout=held, only=["linkage"])
    people = audited.findings.pair.holdout
    assert people is not None
    assert set(people.columns["age"].tolist()) <= set(range(20, 81, 10))


def test_the_technique_takes_the_same_rules(table: Path, tmp_path: Path) -> None:
    both = {
        name: released(table, tmp_path / name, technique=name, **more).frame
        for name, more in (("coarsen", {}), ("suppress", {"suppress": ("age > 1000",)}))
    }
    assert both["coarsen"].equals(both["suppress"])


def test_a_date_of_birth_passes_the_gate_as_a_year(tmp_path: Path) -> None:
    days = pl.Series(range(0, 12_000, 40)).cast(pl.Int32).cast(pl.Date)
    frame = pl.DataFrame({"birth": days, "c": ["n", "y", "y"] * 100, "x": [1, 2] * 150})
    with pytest.raises(InputError, match="'birth' \\(dates of birth\\)"):
        hw.release(frame, target="c", evidence="none")
    done = hw.release(frame, target="c", evidence="none", redraw=0, coarsen=["birth=year"])
    assert done.frame["birth"].n_unique() < 60
    with pytest.raises(InputError, match="'birth' \\(dates of birth\\)"):
        hw.release(frame, target="c", evidence="none", coarsen=["x=5"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"coarsen": ["aeg=5"]}, "There is no column to coarsen 'aeg'. Did you mean 'age'?"),
        ({"coarsen": ["age=month"]}, "Column 'age' holds numbers"),
        ({"coarsen": ["seen=5digits"]}, "Column 'seen' holds numbers"),
        ({"coarsen": ["zip=wide"]}, "Column 'zip' holds texts"),
        ({"coarsen": ["zip=nowhere.csv:1"]}, "nowhere.csv"),
        ({"coarsen": 5}, "coarsen takes a list"),
        ({"top_code": ["zip=5"]}, "Column 'zip' holds texts"),
        ({"bottom_code": ["age=18", "age=20"]}, "has two bottom codes"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], said: str, table: Path) -> None:
    none: dict[str, Any] = {"coarsen": (), "top_code": (), "bottom_code": ()}
    with pytest.raises(InputError) as refused:
        hw.release(table, target="ill", roles={"zip": "quasi-identifier"}, **{**none, **options})
    assert said in str(refused.value)


def test_tuning_searches_on_the_coarser_table(table: Path, tmp_path: Path) -> None:
    found = hw.tune(
        table, target="ill", techniques=["mdav"], coarsen=["age=10"], output=tmp_path / "out",
        roles={"zip": "identifier"}, seed=SEED, policy=two_checks(),
    )  # fmt: skip
    assert found.release.manifest["parameters"]["coarsened"] == {"age": "rounded to multiples of 10"}
