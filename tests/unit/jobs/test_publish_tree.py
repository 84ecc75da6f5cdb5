"""Published trees as a job: what is written, that it is checked from disk, and that nothing is half-written."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hushwood.errors import InputError
from hushwood.jobs.audit import audit
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.publish_tree import PublishRequest, TreePublication, publish_tree
from hushwood.jobs.verify import verify
from hushwood.jobs.verify_tree import verify_tree
from hushwood.reports.tree import page as tree_page
from hushwood.tables.reading import Reading, read
from hushwood.tables.schema import Role
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.trees.model_file import forest_to_json, read_forest
from support.people_files import contents, write_people
from support.published_people import smallest_diversity, smallest_group, ugly_people

INPUTS = ["age", "score", "born", "smoker", "city", "size", "same"]
VARIANCE = (TreePlan("variance"),)


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return read(write_people(tmp_path), target="ill")


def ugly(**words: Any) -> Reading:
    return read(ugly_people().drop("pay"), target="ill", roles={"job": "confidential"}, **words)


def published(reading: Reading, folder: Path | None = None, **words: Any) -> TreePublication:
    request = {key: words.pop(key) for key in ("force", "shuffle_rows") if key in words}
    return publish_tree(reading, PublishRequest(PublishOptions(**words), folder, **request))


def load(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def test_the_folder_and_its_manifest(tmp_path: Path, reading: Reading) -> None:
    before = contents(tmp_path)
    out = tmp_path / "out"
    done = published(reading, out)
    manifest = load(out / "share" / "manifest.json")
    assert done.manifest == manifest
    assert (manifest["format"], manifest["technique"]) == ("hushwood-manifest", "tpp")
    assert manifest["parameters"]["k"] == 5
    assert manifest["certificate"] == {"claimed": True, "records": 120, "kept": 120, "per_tree": [120]}
    assert manifest["output"]["sha256"] == manifest["files"]["share/released.csv"]
    assert sorted(manifest["files"]) == [
        f"share/{name}" for name in ("released.csv", "report.html", "tree.json", "tree.pmml")
    ]
    for name, checksum in manifest["files"].items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == checksum
    assert list(manifest["private_files"]) == [
        f"private/{name}" for name in ("forest.json", "key", "plan.json", "schema.toml")
    ]
    on_disk = {name for name, (content, _) in contents(out).items() if content}
    assert on_disk == {"share/manifest.json", *manifest["files"], *manifest["private_files"]}
    now = contents(tmp_path)
    assert {name: now[name] for name in before} == before
    assert (out / "private").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (out / "private").iterdir()} == {0o600}


def test_what_is_in_the_files(tmp_path: Path, reading: Reading) -> None:
    done = published(reading, tmp_path / "out")
    share, private = tmp_path / "out" / "share", tmp_path / "out" / "private"
    assert forest_to_json(read_forest(share / "tree.json")) == forest_to_json(done.forest)
    assert (private / "forest.json").read_bytes() == (share / "tree.json").read_bytes()
    assert done.frame.equals(pl.read_csv(share / "released.csv"))
    assert "<PMML" in (share / "tree.pmml").read_text("utf-8")
    assert (share / "report.html").read_text("utf-8") == done.to_html()
    plan = load(private / "plan.json")
    assert plan["options"]["k"] == 5
    assert plan["input"]["separator"] == ","
    assert done.folder == tmp_path / "out"


def test_in_memory_nothing_is_written(tmp_path: Path, reading: Reading) -> None:
    before = contents(tmp_path)
    done = published(reading)
    assert contents(tmp_path) == before
    assert done.folder is None
    assert done.frame.height == 120
    assert verify_tree(done.frame, done.forest)


@pytest.mark.parametrize(
    "words",
    [
        {"k": 20, "l": 3.0},
        {"mode": "delta"},
        {"thresholds": "data"},
        {"class_in_groups": True, "k": 3},
        {"stop_at_first_failure": True},
        {"max_leaves": 3},
        {"max_depth": 1},
        {"min_leaf": 30},
        {"trees": (TreePlan("gini"),)},
        {"trees": (TreePlan("gain_ratio", ("age", "city")), TreePlan("information_gain"))},
        {"k": 1},
        {"k": 300},
    ],
    ids=str,
)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_option_gives_a_tree_that_can_be_rebuilt(
    tmp_path: Path, words: dict[str, Any], suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_page, "tree_report", lambda document: "")
    people, source = ugly_people().drop("pay"), tmp_path / f"people{suffix}"
    people.write_csv(source) if suffix == ".csv" else people.write_parquet(source)
    found = read(source, target="ill", roles={"job": "confidential"})
    done = published(found, tmp_path / "out", **words)
    share = tmp_path / "out" / "share"
    assert verify_tree(share / f"released{suffix}", share / "tree.json")
    released = (
        pl.read_csv(share / "released.csv")
        if suffix == ".csv"
        else pl.read_parquet(share / "released.parquet")
    )
    by = [*INPUTS, *(["ill"] if words.get("class_in_groups") else [])]
    assert smallest_group(released, by) >= words.get("k", 5)
    assert smallest_diversity(released, by, people["job"]) >= words.get("l", 1.0)
    assert smallest_group(released, INPUTS) == done.k
    assert smallest_diversity(released, INPUTS, people["job"]) == done.l["job"]
    assert released["ill"].to_list() == people["ill"].to_list()
    assert released["job"].n_unique() == 1
    assert released.columns == people.columns
    assert len(done.forest.trees) == len(words.get("trees", (1,)))
    assert (share / "tree-2.pmml").exists() == (len(done.forest.trees) == 2)
    assert all(check.holds for check in verify(tmp_path / "out", source).checks)


def test_integers_and_dates_stay_what_they_are() -> None:
    done = published(ugly())
    assert done.frame.schema["age"] == pl.Int64
    assert done.frame.schema["born"] == pl.Date
    ages, days = ugly_people()["age"], ugly_people()["born"]
    assert ages.min() <= done.frame["age"].min() <= done.frame["age"].max() <= ages.max()
    assert days.min() <= done.frame["born"].min() <= done.frame["born"].max() <= days.max()


def test_a_date_in_the_tree(tmp_path: Path) -> None:
    people = ugly_people().select("born", ill=pl.col("born").dt.year() > 1960)
    source = tmp_path / "born.csv"
    people.write_csv(source)
    done = published(read(source, target="ill"), tmp_path / "out", k=10)
    assert len(done.forest.trees[0].leaves) == 2
    assert verify_tree(tmp_path / "out", tmp_path / "out" / "share" / "tree.json")
    parts = next(c for c in done.document["columns"] if c["name"] == "born")["parts"]
    last, first = (people.filter(pl.col("ill") == late)["born"] for late in (False, True))
    middle = last.max() + (first.min() - last.max()) / 2  # type: ignore[operator]
    assert [part["stands_for"] for part in parts] == [f"up to {middle}", f"above {middle}"]
    assert all(part["released"].startswith("196") for part in parts)


@pytest.mark.parametrize("mode", ["anchored", "delta"])
def test_a_number_to_predict(tmp_path: Path, mode: str) -> None:
    people = ugly_people().drop("ill")
    source = tmp_path / "pay.csv"
    people.write_csv(source)
    found = read(source, target="pay", roles={"job": "confidential"}, response="auto")
    done = published(found, tmp_path / "out", l=2.0, trees=VARIANCE, mode=mode)
    assert done.document["regression"]
    assert done.document["accuracy"]["measure"] == "r_squared"
    assert done.document["accuracy"]["on_the_table"] > 0.5
    released = pl.read_csv(tmp_path / "out" / "share" / "released.csv")
    assert released["pay"].to_list() == people["pay"].to_list()
    assert smallest_group(released, INPUTS) == done.k >= 5
    assert verify_tree(tmp_path / "out", tmp_path / "out" / "share" / "tree.json")
    assert all(check.holds for check in verify(tmp_path / "out", source).checks)
    judged = audit(found, tmp_path / "out", AuditRequest(only=("prediction_accuracy",)))
    assert judged["prediction_accuracy"].details["response"]


@pytest.mark.parametrize("cut", [{"class_bins": 3}, {"class_threshold": 700.0}])
def test_a_number_cut_into_groups(tmp_path: Path, cut: dict[str, Any]) -> None:
    source = tmp_path / "pay.csv"
    ugly_people().drop("ill", "job").write_csv(source)
    done = published(read(source, target="pay", **cut), tmp_path / "out")
    share = tmp_path / "out" / "share"
    assert pl.read_csv(share / "released.csv")["pay"].to_list() == ugly_people()["pay"].to_list()
    assert len(done.document["classes"]) == len(done.forest.grown["class_bins"]) + 1
    assert verify_tree(share / "released.csv", share / "tree.json")
    assert done.document["accuracy"]["on_the_table"] > done.document["accuracy"]["unseen"]["naive"]


def test_shuffled_rows(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    people = ugly_people().drop("pay").sort("age")
    people.write_csv(source)
    found = read(source, target="ill", roles={"job": "confidential"})
    assert any("sorted by 'age'" in warning for warning in published(found).warnings)
    done = published(found, tmp_path / "out", shuffle_rows=True, l=2.0)
    assert not any("sorted by" in warning for warning in done.warnings)
    order = np.load(tmp_path / "out" / "private" / "row_order.npy")
    released = pl.read_csv(tmp_path / "out" / "share" / "released.csv")
    assert released["ill"].to_list() == people["ill"][order].to_list() != people["ill"].to_list()
    assert done.frame["ill"].to_list() == released["ill"].to_list()
    assert smallest_diversity(released, INPUTS, people["job"][order]) == done.l["job"]
    assert all(check.holds for check in verify(tmp_path / "out", source).checks)
    assert verify_tree(tmp_path / "out", done.forest)


def test_declared_quasi_identifiers_are_those_that_count(tmp_path: Path) -> None:
    people = ugly_people().drop("pay").with_columns(name=pl.int_range(300), note=pl.lit("as it is"))
    roles: dict[str, Role] = {"job": "confidential", "age": "quasi-identifier", "smoker": "quasi-identifier"}
    source = tmp_path / "people.parquet"
    people.write_parquet(source)
    roles |= {"name": "identifier", "note": "ignored"}
    done = published(read(source, target="ill", roles=roles), tmp_path / "out", l=2.0)
    released = pl.read_parquet(tmp_path / "out" / "share" / "released.parquet")
    assert released.columns == [name for name in people.columns if name != "name"]
    assert done.document["privacy"]["quasi_identifiers"] == ["age", "smoker"]
    assert smallest_group(released, ["age", "smoker"]) == done.k >= 5
    what = {entry["name"]: (entry["role"], entry["what"]) for entry in done.document["columns"]}
    assert what["name"] == ("identifier", "dropped")
    assert what["note"] == ("ignored", "copied")
    assert what["job"] == ("sensitive", "suppressed")
    assert what["ill"] == ("class", "unchanged")
    assert verify_tree(tmp_path / "out", done.forest)


def test_the_document(tmp_path: Path) -> None:
    done = published(ugly(), l=2.0)
    document = json.loads(json.dumps(done.document, allow_nan=False))
    assert document == done.document
    assert (document["format"], document["records"], document["class"]) == (
        "hushwood-tree-publication",
        300,
        "ill",
    )
    assert document["privacy"]["k"] == min(group["records"] for group in document["groups"])
    assert document["privacy"]["original_k"] == smallest_group(ugly_people(), INPUTS)
    assert sum(group["records"] for group in document["groups"]) == 300
    sizes = [group["records"] for group in document["groups"]]
    assert sizes == sorted(sizes)
    tree = done.forest.trees[0]
    reached = {leaf for group in document["groups"] for leaf in group["leaves"]}
    assert reached == set(tree.leaves.tolist())
    assert document["growth"] == {
        "leaves": [len(tree.leaves)],
        "closed": [len(tree.closed)],
        "tried": document["growth"]["tried"],
        "barred": document["growth"]["barred"],
        "stopped": document["growth"]["stopped"],
    }
    assert document["verified"]["same"]
    columns = {entry["name"]: entry for entry in document["columns"]}
    assert list(columns) == [*INPUTS, "job", "ill"]
    assert {entry["what"] for entry in columns.values()} == {"generalised", "suppressed", "unchanged"}
    assert columns["same"]["what"] == "unchanged"
    for name in INPUTS:
        counted = sum(part["records"] for part in columns[name]["parts"])
        assert counted == 300
        assert columns[name]["after"] == len(columns[name]["parts"])
    assert document["accuracy"]["unseen_records"] == 300
    assert len(document["accuracy"]["unseen_leaves"]) == 5
    assert document["accuracy"]["unseen"]["naive"] < document["accuracy"]["unseen"]["published"]


def test_the_accuracy_is_that_of_the_labels() -> None:
    done = published(ugly())
    tree = done.forest.trees[0]
    right = sum(tree.counts[leaf].max() for leaf in tree.leaves.tolist())
    assert done.document["accuracy"]["on_the_table"] == right / 300


def test_pandas_in_and_out() -> None:
    frame = ugly_people().drop("pay").to_pandas()
    frame["city"] = frame["city"].astype("category")
    frame.index = pd.Index(range(1000, 1300))
    done = published(read(frame, target="ill", roles={"job": "confidential"}), l=2.0)
    assert isinstance(done.frame, pd.DataFrame)
    assert list(done.frame.columns) == list(frame.columns)
    assert done.frame.index.tolist() == list(range(300))
    assert done.frame["age"].dtype == frame["age"].dtype
    assert verify_tree(done.frame, done.forest)


def test_arrow_and_lazy_frames() -> None:
    people = ugly_people().drop("pay")
    arrow = published(read(people.to_arrow(), target="ill"), k=8)
    assert isinstance(arrow.frame, pa.Table)
    assert verify_tree(arrow.frame, arrow.forest)
    lazy = published(read(people.lazy(), target="ill"), k=8)
    assert isinstance(lazy.frame, pl.LazyFrame)
    assert verify_tree(lazy.frame, lazy.forest)
    assert (
        lazy.frame.collect().schema == pl.DataFrame(published(read(people, target="ill"), k=8).frame).schema
    )


def secret_people() -> pl.DataFrame:
    """Categories of fixed lists: a secret one, a class with one that nobody has, a tested one, a copied one."""
    people = ugly_people().select("age", "smoker", "size", dx="job", ill="ill", note="job")
    seven = [str(number) for number in range(7)]
    return people.with_columns(
        pl.col("dx").cast(pl.Enum([*seven, "HIV"])),
        pl.col("note").cast(pl.Enum([*seven, "HIV"])),
        pl.col("ill").cast(pl.Enum(["yes", "HIV", "no"])),
    )


SECRET_ROLES: dict[str, Role] = {"dx": "confidential", "note": "ignored"}


def test_no_type_lists_what_is_gone(tmp_path: Path) -> None:
    people = secret_people()
    frame = people.to_pandas()
    for source in (people, frame, people.to_arrow()):
        out = tmp_path / type(source).__module__.split(".")[0]
        done = published(read(source, target="ill", roles=SECRET_ROLES), out)
        assert verify_tree(done.frame, done.forest)
        assert b"HIV" not in (out / "share" / "released.parquet").read_bytes()
        if isinstance(done.frame, pl.DataFrame):
            assert done.frame.schema["ill"] == pl.Enum(["yes", "no"])
            assert done.frame.schema["dx"] == pl.String
            listed = {"note": done.frame.schema["note"].categories.to_list()}  # type: ignore[attr-defined]
        elif isinstance(done.frame, pd.DataFrame):
            names = ("ill", "dx", "size", "note")
            listed = {name: done.frame[name].cat.categories.tolist() for name in names}
            assert done.frame["ill"].cat.ordered == frame["ill"].cat.ordered
        else:
            names = ("ill", "dx", "size", "note")
            listed = {name: done.frame[name].chunk(0).dictionary.to_pylist() for name in names}
        expected = {"ill": ["yes", "no"], "dx": ["ALL"], "note": [str(number) for number in range(7)]}
        assert {name: listed[name] for name in listed if name != "size"} == {
            name: expected[name] for name in listed if name != "size"
        }
        assert "huge" not in listed.get("size", [])


def test_notes_in_an_arrow_table_stay_out() -> None:
    arrow = secret_people().to_arrow().replace_schema_metadata({"owner": "ward 3"})
    done = published(read(arrow, target="ill", roles=SECRET_ROLES))
    assert done.frame.schema.metadata is None


def test_semicolons_and_packed_files(tmp_path: Path) -> None:
    source = tmp_path / "people.csv.gz"
    text = ugly_people().drop("pay").write_csv(separator=";")
    source.write_bytes(gzip.compress(text.encode()))
    done = published(read(source, target="ill"), tmp_path / "out")
    released = tmp_path / "out" / "share" / "released.csv.gz"
    assert gzip.decompress(released.read_bytes()).startswith(b"age;score;born")
    assert verify_tree(released, done.forest)
    assert all(check.holds for check in verify(tmp_path / "out", source).checks)


def test_numbers_with_gaps() -> None:
    people = (
        ugly_people().drop("pay").with_columns(pl.when(pl.col("age") != 18).then(pl.col("age")).alias("age"))
    )
    found = read(people, target="ill")
    with pytest.raises(InputError, match=r"'age' lacks 5 numbers.*--missing-numbers suppress"):
        published(found)
    done = published(found, missing_numbers="suppress")
    assert done.frame["age"].n_unique() == 1
    assert done.frame["age"].null_count() == 0
    assert any("'age' lacks 5 numbers" in warning for warning in done.warnings)
    assert verify_tree(done.frame, done.forest)


def test_a_missing_class() -> None:
    people = ugly_people().with_columns(pl.when(pl.col("age") != 18).then(pl.col("ill")).alias("ill"))
    with pytest.raises(InputError, match=r"'ill' is missing in 5 records; drop them or fill it in"):
        published(read(people, target="ill"))


def test_a_table_without_rules() -> None:
    people = ugly_people().select("same", "ill")
    done = published(read(people, target="ill"))
    assert len(done.forest.trees[0]) == 1
    assert any("one leaf" in warning for warning in done.warnings)
    assert verify_tree(done.frame, done.forest)
    few = published(read(people.head(12), target="ill"), k=2)
    assert few.document["accuracy"]["unseen"] is None
    assert "too small" in few.document["accuracy"]["sentence"]
    assert "too small" in few.to_html()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"k": 301}, "has 300 of 300 records, fewer than K = 301"),
        ({"l": 8.0}, r"'job' has more than 1/8 of a group \(L = 6.976\)"),
        ({"trees": VARIANCE}, "variance needs numbers"),
        ({"trees": (TreePlan("gini", ("agee",)),)}, "Did you mean 'age'"),
        ({"trees": (TreePlan("gini", ("job",)),)}, "no testable column 'job'"),
    ],
)
def test_what_cannot_be_promised(tmp_path: Path, words: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        published(ugly(), tmp_path / "out", **words)
    assert contents(tmp_path) == {}


def test_l_needs_something_to_keep_secret(reading: Reading) -> None:
    with pytest.raises(InputError, match="--sensitive"):
        published(reading, l=2.0)


def test_force_replaces_and_keeps_what_is_foreign(tmp_path: Path, reading: Reading) -> None:
    out = tmp_path / "out"
    published(reading, out, trees=(TreePlan(), TreePlan("gini")))
    (out / "share" / "letter.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="--force"):
        published(reading, out)
    published(reading, out, k=6, force=True)
    assert not (out / "share" / "tree-2.pmml").exists()
    assert (out / "share" / "letter.txt").read_text("utf-8") == "mine"
    assert not verify(out).holds
    (out / "share" / "letter.txt").unlink()
    assert verify(out).holds


def test_the_input_in_the_folder_is_never_replaced(tmp_path: Path, reading: Reading) -> None:
    out = tmp_path / "out"
    published(reading, out)
    inside = read(out / "share" / "released.csv", target="ill")
    with pytest.raises(InputError, match="would be replaced"):
        published(inside, out, force=True)


def test_an_audit_of_the_folder(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    ugly_people().drop("pay").write_csv(source)
    roles: dict[str, Role] = {"job": "confidential"}
    roles |= dict.fromkeys(INPUTS, "quasi-identifier")
    found = read(source, target="ill", roles=roles)
    done = published(found, tmp_path / "out", l=2.0)
    names = ("k_anonymity", "l_diversity", "rule_types", "sers", "reidentification_entropy")
    judged = audit(found, tmp_path / "out", AuditRequest(only=names))
    assert judged["k_anonymity"].value == done.k
    assert "noise laws" not in judged.to_json()
    plain = read(source, target="ill", roles={"job": "confidential"})
    without = audit(plain, tmp_path / "out", AuditRequest(only=("k_anonymity", "l_diversity")))
    assert without["k_anonymity"].value == done.k
    assert without["l_diversity"].value == judged["l_diversity"].value
    assert "those of the published tree are used" in without.to_json()
    assert "those of the published tree are used" not in judged.to_json()
    shared = audit(found, tmp_path / "out" / "share", AuditRequest(only=("k_anonymity",)))
    assert shared["k_anonymity"].value == done.k


def test_few_records_and_one() -> None:
    found = read(ugly_people().head(4), target="ill")
    with pytest.raises(InputError, match="has 4 of 4 records, fewer than K = 5"):
        published(found)
    one = replace(found, table=found.table.take(np.array([0])))
    with pytest.raises(InputError, match="one record"):
        published(one)


def test_survey_weights_are_refused(reading: Reading) -> None:
    numbers = next(a.name for a in reading.table.schema.inputs if a.kind == "numeric")
    weighted = read(reading.table, weight=numbers)
    with pytest.raises(
        InputError, match="A published tree counts the people in the table, so it takes no weights"
    ):
        published(weighted)
