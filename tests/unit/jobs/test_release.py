from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.accept import accept
from hushwood.jobs.folder.release_files import check_table
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.releasing.perturb import PerturbOptions
from hushwood.tables.reading import Reading, read, read_table
from hushwood.trees.model_file import forest_to_json, read_forest
from support.people_files import SEED, contents, write_people
from support.release_parts import files_in

NOISE = PerturbOptions("forest-framework")
EXACT = PerturbOptions(redraw=0)


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return read(write_people(tmp_path), target="ill")


def into(folder: Path, reading: Reading, **request: Any) -> Release:
    given: dict[str, Any] = {"output": folder, "seed": SEED, "evidence": "none"} | request
    return release(reading, ReleaseRequest(**given))


def load(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def test_the_folder_and_its_manifest(tmp_path: Path, reading: Reading) -> None:
    out = tmp_path / "out"
    done = into(out, reading, options=EXACT, evidence="quick")
    manifest = load(out / "not-cleared" / "manifest.json")
    assert done.manifest == manifest
    assert manifest["format"] == "hushwood-manifest"
    assert manifest["technique"] == "segment-shuffle"
    said = {"k": 12, "teacher": "ensemble", "blur": 5, "variant": "c45", "trees": 1}
    assert {name: manifest["parameters"].get(name) for name in said} == said
    assert "noise" not in manifest["parameters"]
    assert manifest["output"] == {
        "file": "released.csv",
        "records": 120,
        "sha256": manifest["files"]["not-cleared/released.csv"],
        "escaped_formulas": False,
        "records_have_partners": True,
    }
    for name, checksum in manifest["files"].items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == checksum
    on_disk = {name for name, (content, _) in contents(out).items() if content}
    assert on_disk == {"not-cleared/manifest.json", *manifest["files"], *manifest["private_files"]}
    assert set(manifest["private_files"]) == {
        f"private/{name}"
        for name in (
            *("key", "forest.json", "plan.json", "schema.toml"),
            *(
                "evaluation.json",
                "record_risk.csv",
                "report.html",
                "row_order.npy",
                "signoff.html",
                "signoff.json",
                "verdict.json",
            ),
        )
    }


def test_a_folder_of_drawn_people_says_so_and_knows_nobody_again(tmp_path: Path, reading: Reading) -> None:
    out = tmp_path / "out"
    done = into(out, reading)
    manifest = load(out / "not-cleared" / "manifest.json")
    assert manifest["output"]["records_have_partners"] is False
    assert manifest["parameters"]["redraw"] == 1
    assert {step["row_order"] for step in manifest["steps"]} == {"drawn"}
    assert done.row_order is None
    assert not any("row_order" in path.name for path in out.rglob("*"))
    (law,) = load(out / "private" / "plan.json")["laws"]
    assert (law["redraw"], law["exact_counts"]) == (1, [])
    assert "exact" not in (out / "not-cleared" / "dictionary.md").read_text("utf-8")
    assert done.certificate["claimed"]
    assert done.certificate["kept"] == 120


def test_the_rows_of_drawn_people_do_not_tell_where_they_came_from(tmp_path: Path) -> None:
    """The table is sorted, and copies of a person are neighbours in it; neither is to be seen in the release."""
    frame = pl.DataFrame({"x": np.arange(600) // 2, "y": np.arange(600) // 2, "ill": ["no", "yes"] * 300})
    done = release(read(frame, target="ill"), ReleaseRequest(evidence="none", seed=SEED))
    x = done.frame["x"].to_numpy()
    assert abs(np.corrcoef(x, np.arange(600))[0, 1]) < 0.2
    assert abs(np.corrcoef(x[1:], x[:-1])[0, 1]) < 0.2


def test_what_is_private(tmp_path: Path, reading: Reading) -> None:
    done = into(tmp_path / "out", reading, options=NOISE)
    private = tmp_path / "out" / "private"
    assert (private / "key").read_text("utf-8") == f"{SEED}\n"
    assert forest_to_json(read_forest(private / "forest.json")) == forest_to_json(done.forest)
    plan = load(private / "plan.json")
    assert plan["format"] == "hushwood-plan"
    assert plan["over"] == "intersections"
    assert [len(law["laws"]) for law in plan["laws"]] == [1] * len(plan["laws"])
    assert {law["laws"][0]["attribute"] for law in plan["laws"]} == {"age", "score", "group", "ill"}
    assert plan["sub_domains"]["segments"] > 1
    assert SEED not in json.dumps(plan)


def test_what_is_private_of_exact_counts(tmp_path: Path, reading: Reading) -> None:
    done = into(tmp_path / "out", reading, options=EXACT)
    private = tmp_path / "out" / "private"
    order = np.load(private / "row_order.npy")
    assert done.row_order is not None
    assert order.tolist() == done.row_order.tolist()
    assert sorted(order) == list(range(120))
    assert order.tolist() != sorted(order)
    plan = load(private / "plan.json")
    assert plan["over"] == "leaves"
    (law,) = plan["laws"]
    assert (law["k"], law["teacher"], law["blur"]) == (12, "ensemble", 5)
    assert (law["exact_counts"], law["within_the_box"]) == (["group", "ill"], ["age", "score"])
    assert SEED not in json.dumps(plan)
    shared = files_in(tmp_path / "out")
    assert not any("row_order" in path.name for path in shared.iterdir())


def test_rows_that_are_in_random_order_are_not_shuffled_twice(tmp_path: Path, reading: Reading) -> None:
    """The same order whether it is asked for or not, so the key has made the same release."""
    ledger = tmp_path / "ledger.json"
    first = into(tmp_path / "first", reading, ledger=ledger)
    again = into(tmp_path / "again", reading, ledger=ledger, shuffle_rows=True)
    assert again.frame.equals(first.frame)
    assert again.certificate == first.certificate
    tables = [(files_in(tmp_path / name) / "released.csv").read_bytes() for name in ("first", "again")]
    assert tables[0] == tables[1]
    assert len(load(ledger)["releases"]) == 1


def test_ignored_columns_stay_with_the_record_that_their_row_was_made_from(tmp_path: Path) -> None:
    frame = pl.read_csv(write_people(tmp_path)).with_columns(note=pl.format("n{}", pl.int_range(120)))
    read_in = read(frame, target="ill", roles={"note": "ignored"})
    done = release(read_in, ReleaseRequest(EXACT, evidence="none", seed=SEED, keep={"note": "invented"}))
    assert done.row_order is not None
    assert done.frame["note"].to_list() == [f"n{row}" for row in done.row_order]
    assert any("'note' is ignored" in warning for warning in done.warnings)
    assert any("'note' ties each row to the record that it was made from" in w for w in done.warnings)
    plain = release(read(frame.drop("note"), target="ill"), ReleaseRequest(evidence="none", seed=SEED))
    assert not any("ties each row" in warning for warning in plain.warnings)


def test_in_memory_nothing_is_written(tmp_path: Path, reading: Reading) -> None:
    before = contents(tmp_path)
    done = into(tmp_path, reading, output=None, options=NOISE)
    assert done.folder is None
    assert isinstance(done.frame, pl.DataFrame)
    columns = done.certificate["columns"]
    assert list(columns) == ["age", "score", "group", "ill"]
    rules = {"claimed": True, "records": 120, "kept": 120, "per_tree": [120, 120, 120]}
    assert done.certificate == rules | {"columns": columns}
    assert contents(tmp_path) == before


def test_counts_within_segments_stay(tmp_path: Path, reading: Reading) -> None:
    done = into(tmp_path / "out", reading, options=EXACT)
    original = pl.read_csv(tmp_path / "people.csv")
    assert done.frame["ill"].sort().to_list() == original["ill"].sort().to_list()
    assert done.frame["group"].sort().to_list() == original["group"].sort().to_list()
    assert (done.frame["age"] == original["age"]).mean() < 0.3
    assert done.frame.schema == original.schema


def test_evidence_decides_about_reports(tmp_path: Path, reading: Reading) -> None:
    assert into(tmp_path / "none", reading).evaluation is None
    assert not (files_in(tmp_path / "none") / "report.html").exists()
    done = into(tmp_path / "quick", reading, evidence="quick")
    assert done.evaluation is not None
    assert done.evaluation.to_json() == load(tmp_path / "quick" / "private" / "evaluation.json")
    share, private = (
        (folder / "report.html").read_text("utf-8")
        for folder in (files_in(tmp_path / "quick"), tmp_path / "quick" / "private")
    )
    assert "people.csv" in private
    assert "people.csv" not in share
    with pytest.raises(InputError, match="quick"):
        ReleaseRequest(evidence="quik")


def test_warnings_are_gathered(tmp_path: Path) -> None:
    frame = pl.read_csv(write_people(tmp_path)).sort("age").with_columns(five=5)
    done = release(read(frame, target="ill"), ReleaseRequest(NOISE, evidence="none"))
    assert any("'five' has the same value in every record" in warning for warning in done.warnings)
    assert any("sorted by 'age'" in warning for warning in done.warnings)
    shuffled = release(read(frame, target="ill"), ReleaseRequest(NOISE, evidence="none", shuffle_rows=True))
    assert not any("sorted" in warning for warning in shuffled.warnings)
    default = release(read(frame, target="ill"), ReleaseRequest(evidence="none"))
    assert any("'five' has the same value in every record" in warning for warning in default.warnings)
    assert not any("sorted" in warning for warning in default.warnings)
    assert not default.frame["age"].is_sorted()


def test_a_pandas_index_is_never_released(tmp_path: Path) -> None:
    frame = pl.read_csv(write_people(tmp_path)).to_pandas()
    frame.index = [f"patient {i}" for i in range(len(frame))]
    reading = read(frame, target="ill")
    for shuffle in (False, True):
        done = release(reading, ReleaseRequest(evidence="none", seed=SEED, shuffle_rows=shuffle)).frame
        assert done.index.tolist() == list(range(len(frame)))
        assert done.dtypes.equals(frame.dtypes)


def test_tables_without_hope(reading: Reading) -> None:
    one = reading.table.take(np.array([0]))
    with pytest.raises(InputError, match="one record; nothing can be hidden"):
        check_table(Reading(one))
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    check_table(Reading(read_table(frame)))  # a class is not needed
    with pytest.raises(InputError, match="No column is left to release"):
        check_table(Reading(read_table(frame, roles={"a": "identifier", "b": "ignored"})))
    with pytest.raises(InputError, match="Only the class 'b' is left"):
        check_table(Reading(read_table(frame, target="b", roles={"a": "identifier"})))


def test_a_given_forest_is_used(tmp_path: Path, reading: Reading) -> None:
    first = into(tmp_path / "first", reading)
    again = into(
        tmp_path / "again",
        reading,
        forest=tmp_path / "first" / "private" / "forest.json",
        options=PerturbOptions(min_leaf=50),
        reuse_key=True,
    )
    assert again.frame.equals(first.frame)
    in_memory = into(tmp_path / "third", reading, forest=first.forest)
    assert in_memory.frame.equals(first.frame)


def second_release(done: Release) -> list[str]:
    return [warning for warning in done.warnings if "released before under another key" in warning]


def test_a_second_release_is_warned_of_wherever_the_first_went(tmp_path: Path, reading: Reading) -> None:
    ledger = tmp_path / "ledger.json"
    frame = read(pl.read_csv(tmp_path / "people.csv"), target="ill")
    assert second_release(into(tmp_path / "out", reading, ledger=ledger)) == []
    assert second_release(into(tmp_path / "far" / "out", reading, ledger=ledger)) == []
    assert second_release(into(tmp_path / "try", reading, seed=None, ledger=ledger)) == []
    accept(tmp_path / "out", "for trials", "the office", ledger=ledger)
    assert len(second_release(into(tmp_path, frame, output=None, seed=None, ledger=ledger))) == 1
    done = into(tmp_path / "new", reading, seed=None, ledger=ledger, evidence="quick")
    assert len(second_release(done)) == 1
    assert (
        second_release(done)[0]
        in load(tmp_path / "new" / "private" / "evaluation.json")["release"]["warnings"]
    )
    assert "released before" not in (files_in(tmp_path / "new") / "report.html").read_text("utf-8")


def test_a_key_is_refused_for_other_settings_and_tables_in_memory_too(
    tmp_path: Path, reading: Reading
) -> None:
    ledger = tmp_path / "ledger.json"
    into(tmp_path, reading, output=None, ledger=ledger, options=NOISE)
    into(tmp_path, reading, output=None, ledger=ledger, options=replace(NOISE, chunk_rows=7))
    for other in (replace(NOISE, noise=0.1), PerturbOptions()):
        with pytest.raises(InputError, match="the same table with other settings"):
            into(tmp_path, reading, output=None, ledger=ledger, options=other)
    with pytest.raises(InputError, match="the same table with other settings"):
        into(tmp_path, reading, output=None, ledger=ledger, options=NOISE, shuffle_rows=True)
    changed = read(write_people(tmp_path, count=119), target="ill")
    with pytest.raises(InputError, match="another version of this one"):
        into(tmp_path, changed, output=None, ledger=ledger)
    into(tmp_path, changed, output=None, ledger=ledger, reuse_key=True)
    assert len(load(ledger)["releases"]) == 2


def test_dry_runs_and_failures_are_not_entered(
    tmp_path: Path, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger.json"
    into(tmp_path, reading, output=None, ledger=ledger, dry_run=True)
    assert not ledger.exists()

    def broken(*_: object) -> None:
        raise InputError("No report.")

    with monkeypatch.context() as patch:
        patch.setattr("hushwood.jobs.release._judged", broken)
        with pytest.raises(InputError, match="No report"):
            into(tmp_path / "out", reading, ledger=ledger, evidence="quick")
    assert not ledger.exists()
    into(tmp_path / "out", reading, ledger=ledger)
    with pytest.raises(InputError, match="--reuse-key"):
        into(tmp_path, reading, output=None, ledger=ledger, dry_run=True, options=PerturbOptions(k=30))


def test_a_ledger_out_of_reach_stops_no_release(tmp_path: Path, reading: Reading) -> None:
    done = into(tmp_path / "out", reading, ledger=tmp_path / "people.csv" / "ledger.json", evidence="quick")
    assert len([warning for warning in done.warnings if warning.startswith("The ledger ")]) == 1
    assert (files_in(tmp_path / "out") / "released.csv").is_file()


def test_a_request_does_not_show_its_seed() -> None:
    assert SEED not in repr(ReleaseRequest(seed=SEED))


def test_stages_are_named_in_order(reading: Reading) -> None:
    seen: list[str] = []
    release(reading, ReleaseRequest(), lambda name, done, total: seen.append(name))
    judging = [name for name in seen if name.startswith(("measuring", "attacking", "trying"))]
    assert "measuring rule types" in judging
    assert "attacking: linkage" in judging
    assert [name for name in dict.fromkeys(seen) if name not in judging] == [
        "growing the forest",
        "finding the segments",
        "preparing the technique",
        "changing the values",
        "writing the table",
        "checking every record",
        "making throw-away releases for comparison",
        "arranging the findings",
        "writing the report",
    ]
