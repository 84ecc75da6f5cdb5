from __future__ import annotations

import ast
import importlib
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.releasing.recipes import RECIPES
from hushwood.tree_publishing.options import TreePlan
from hushwood.trees.model_file import forest_to_json
from support.foreign_releases import people
from support.people_files import SEED, write_people
from support.published_people import ugly_people
from support.release_parts import files_in


@pytest.fixture
def people_csv(tmp_path: Path) -> Path:
    return write_people(tmp_path)


def test_public_names() -> None:
    assert set(dir(hw)) == set(hw.__all__)
    assert hw.techniques() == tuple(RECIPES)
    assert importlib.import_module("hushwood.techniques.registry").TECHNIQUES
    assert issubclass(hw.HushwoodError, Exception)
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        hw.no_such_name  # noqa: B018


def test_a_table_from_a_file(people_csv: Path) -> None:
    table = hw.read_table(people_csv, target="ill")
    done = hw.release(table, technique="forest-framework", noise=1 / 3, seed=None, evidence="none")
    assert isinstance(done.frame, pl.DataFrame)
    assert done.certificate["kept"] == done.certificate["records"] == 120
    assert done.manifest["technique"] == "forest-framework"
    assert len(done.forest.trees) == 3


def test_what_a_user_gets_without_naming_a_technique(people_csv: Path) -> None:
    table = hw.read_table(people_csv, target="ill")
    done = hw.release(table)
    assert done.manifest["technique"] == "segment-shuffle"
    said = done.manifest["parameters"]
    assert (said["redraw"], said["blur"]) == (1, 6)
    assert said["k"] >= 50
    assert len(done.forest.trees) == 1
    assert done.row_order is None, "nobody can be found again"
    assert done.evaluation is not None
    assert done.evaluation.release.about.why.startswith("The default. ")
    exact = hw.release(table, redraw=0, evidence="none")
    assert exact.manifest["parameters"]["k"] == 12
    assert exact.row_order is not None
    found = hw.audit(table, exact, only=["linkage"])
    assert found["linkage"].value <= 0.1
    assert hw.release(table, k=30, teacher="none", blur=0, evidence="none").manifest["parameters"]["k"] == 30
    with pytest.raises(hw.HushwoodError, match="one tree, but trees=3 was given"):
        hw.release(table, trees=3)
    with pytest.raises(hw.HushwoodError, match="adds none: its dial is k"):
        hw.release(table, noise=0.1)


def test_the_same_seed_in_every_dress(people_csv: Path) -> None:
    frame = pl.read_csv(people_csv)
    first = hw.release(people_csv, target="ill", seed=SEED, evidence="none").frame
    assert hw.release(str(people_csv), target="ill", seed=SEED, evidence="none").frame.equals(first)
    for threads, chunk_rows in ((1, 1), (2, 7), (2, 120)):
        done = hw.release(
            frame,
            target="ill",
            seed=bytes.fromhex(SEED),
            evidence="none",
            threads=threads,
            chunk_rows=chunk_rows,
        )
        assert done.frame.equals(first)


def test_pandas_comes_back_as_pandas(people_csv: Path) -> None:
    frame = pd.read_csv(people_csv).astype({"group": "category", "age": "int16"})
    frame.index = pd.Index(range(500, 620), name="row")
    frame.loc[505, "score"] = None
    done = hw.release(frame, target="ill", redraw=0, evidence="none").frame
    assert isinstance(done, pd.DataFrame)
    assert done.dtypes.equals(frame.dtypes)
    assert done.index.tolist() == list(range(120))
    assert done["score"].isna().sum() == 1
    drawn = hw.release(frame, target="ill", evidence="none").frame
    assert drawn.dtypes.equals(frame.dtypes)
    assert drawn.index.tolist() == list(range(120))


def test_polars_and_arrow_come_back_as_they_are(people_csv: Path) -> None:
    frame = pl.read_csv(people_csv).with_columns(pl.col("group").cast(pl.Enum(["z", "y", "x"])))
    eager = hw.release(frame, target="ill", evidence="none").frame
    assert eager.schema == frame.schema
    lazy = hw.release(frame.lazy(), target="ill", evidence="none").frame
    assert isinstance(lazy, pl.LazyFrame)
    arrow = pa.table({"age": pa.array([1, 2, 3] * 20, pa.int8()), "ill": ["no", "yes", "no"] * 20})
    done = hw.release(arrow, target="ill", evidence="none").frame
    assert isinstance(done, pa.Table)
    assert done.schema == arrow.schema


def test_output_roles_and_bins(people_csv: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(people_csv).with_columns(pay=pl.int_range(120) * 7 % 120, name=pl.int_range(120))
    done = hw.release(
        frame,
        target="pay",
        class_bins=3,
        roles={"name": "identifier"},
        output=str(tmp_path / "out"),
        evidence="none",
        shuffle_rows=True,
        technique="forest-framework",
        trees=2,
    )
    assert done.folder == tmp_path / "out"
    assert "name" not in done.frame.columns
    assert done.frame["pay"].sort().to_list() == list(range(120))
    assert pl.read_parquet(files_in(tmp_path / "out") / "released.parquet").equals(done.frame)
    keep = {"name": "invented"}
    halves = hw.release(frame, target="pay", class_threshold=60, keep=keep, evidence="none")
    assert halves.forest.classes == ("<= 60", "> 60")
    again = hw.release(
        frame,
        target="pay",
        class_bins=3,
        keep=keep,
        technique="forest-framework",
        forest=tmp_path / "out/private/forest.json",
        evidence="none",
    )
    assert len(again.forest.trees) == 2


def test_misspelt_words_are_refused(people_csv: Path) -> None:
    with pytest.raises(hw.HushwoodError, match="Did you mean 'boundary'"):
        hw.release(people_csv, target="ill", boundaryx="wrap")  # type: ignore[call-arg]
    with pytest.raises(hw.HushwoodError, match="Did you mean 'age'"):
        hw.release(people_csv, target="ill", roles={"agee": "identifier"})
    with pytest.raises(hw.HushwoodError, match="not a table"):
        hw.release([1, 2, 3], target="ill")


def test_publish_a_tree_and_verify_it(tmp_path: Path) -> None:
    people = ugly_people().drop("pay")
    done = hw.publish_tree(
        people, target="ill", k=5, l=2, sensitive="job", output=tmp_path / "out", max_leaves=6
    )
    assert done.k >= 5
    assert done.l["job"] >= 2
    assert done.folder == tmp_path / "out"
    assert done.frame["job"].n_unique() == 1
    for released in (
        done,
        done.frame,
        tmp_path / "out",
        str(tmp_path / "out" / "share" / "released.parquet"),
    ):
        for tree in (done.forest, tmp_path / "out" / "share" / "tree.json"):
            assert hw.verify_tree(released, tree)
    flipped = done.frame.with_columns(ill=pl.col("ill").reverse())
    found = hw.verify_tree(flipped, done.forest)
    assert not found
    assert found.difference
    again = hw.publish_tree(people, target="ill", l=2, sensitive=["job"], max_leaves=6, threads=1)
    assert forest_to_json(again.forest)["trees"] == forest_to_json(done.forest)["trees"]
    assert again.frame.columns == done.frame.columns
    assert again.folder is None
    assert done.document["growth"] == again.document["growth"]


def test_trees_by_name_and_by_plan() -> None:
    people = ugly_people().drop("pay")
    plan = TreePlan("gini", ("age", "smoker"))
    done = hw.publish_tree(people, target="ill", criterion=["gain_ratio", "gini:age,smoker", plan])
    assert done.forest.grown["criteria"] == ["gain_ratio", "gini", "gini"]
    assert done.forest.grown["columns"][1] == done.forest.grown["columns"][2] == ["age", "smoker"]
    assert len(hw.publish_tree(people, target="ill", criterion=plan).forest.trees) == 1
    table = hw.read_table(people, target="ill", roles={"job": "confidential"})
    assert hw.publish_tree(table, l=2).frame["job"].n_unique() == 1
    pay = hw.publish_tree(ugly_people().drop("ill"), target="pay", mode="delta")
    assert pay.forest.classes == ()
    cut = hw.publish_tree(ugly_people().drop("ill"), target="pay", class_bins=2, shuffle_rows=True)
    assert len(cut.forest.classes) == 2


def test_what_a_tree_cannot_be_asked() -> None:
    people = ugly_people().drop("pay")
    with pytest.raises(hw.HushwoodError, match="Did you mean 'max_leaves'"):
        hw.publish_tree(people, target="ill", max_leafs=3)  # type: ignore[call-arg]
    with pytest.raises(hw.HushwoodError, match="no option 'trees'"):
        hw.publish_tree(people, target="ill", trees=3)  # type: ignore[call-arg]
    with pytest.raises(hw.HushwoodError, match="Did you mean 'job'"):
        hw.publish_tree(people, target="ill", sensitive="jop")
    with pytest.raises(hw.HushwoodError, match="both sensitive and identifier"):
        hw.publish_tree(people, target="ill", sensitive="job", roles={"job": "identifier"})
    with pytest.raises(hw.HushwoodError, match="predicts one class, but no column is declared so"):
        hw.publish_tree(people)
    with pytest.raises(hw.HushwoodError, match="fewer than K = 1,000"):
        hw.publish_tree(people, target="ill", k=1000)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"k": "5"}, "^k must be a whole number, 1 or more; '5' was given"),
        ({"k": None}, "k must be a whole number"),
        ({"l": "2"}, "^l must be a number, 1 or more; '2' was given"),
        ({"min_leaf": "3"}, "min_leaf must be a whole number"),
        ({"sensitive": [3]}, "sensitive must be the name of a column or a list of names; 3 was given"),
        ({"sensitive": 3}, "sensitive must be the name of a column"),
        ({"criterion": 5}, "criterion must be a name, a TreePlan or a list of these; 5 was given"),
        ({"criterion": ["gini", None]}, "criterion must be a name, .* None was given"),
        ({"thresholds": "low"}, "thresholds must be midpoint or data; 'low' was given"),
    ],
)
def test_words_of_the_wrong_kind(words: dict[str, Any], says: str) -> None:
    with pytest.raises(hw.HushwoodError, match=says):
        hw.publish_tree(ugly_people(60).drop("pay"), target="ill", **words)


def test_no_sensitive_attribute_and_no_tree() -> None:
    done = hw.publish_tree(ugly_people(60).drop("pay"), target="ill", sensitive=None, max_leaves=2)
    assert done.l == {}
    with pytest.raises(hw.HushwoodError, match=r"must be a tree\.json, its content, or a forest; None was"):
        hw.verify_tree(done.frame, None)  # type: ignore[arg-type]


def test_noise_is_a_number_or_numbers_by_column(people_csv: Path) -> None:
    table = hw.read_table(people_csv, target="ill")
    given: dict[str, Any] = {"technique": "framework", "seed": SEED, "evidence": "none"}
    done = hw.release(table, noise={"age": 0.0}, **given)
    assert done.manifest["parameters"]["noise_by_column"] == {"age": 0.0}
    assert done.manifest["parameters"]["noise"] == 1 / 3
    assert done.frame["age"].to_list() == pl.read_csv(people_csv)["age"].to_list()
    mixed = hw.release(table, noise=0.2, noise_by_column={"age": 0.0}, **given, reuse_key=True)
    assert mixed.manifest["parameters"]["noise"] == 0.2
    with pytest.raises(hw.HushwoodError, match="noise for 'age' must be a number"):
        hw.release(table, noise={"age": "much"}, **given)  # type: ignore[dict-item]


def test_the_help_shows_settings_as_python_takes_them() -> None:
    """Not the command's `gadp.rho=0.5`, which a release refuses here."""
    said = " ".join((hw.release.__doc__ or "").split())
    form = re.search(r"Parameters of techniques and of CAPT's clusters: (\{.*?\}\})\.", said)
    assert form is not None
    given = ast.literal_eval(form[1])
    hw.release(
        people(),
        target="ill",
        roles={"name": "identifier"},
        technique="gadp",
        settings=given,
        evidence="none",
    )
    assert "gadp.rho=" not in said


@pytest.mark.parametrize(
    "settings",
    [
        "gadp.rho=0.5",
        5,
        [("gadp", {"rho": 0.5})],
        {"gadp": 5},
        {"gadp": None},
        {"gadp": {1: 2}},
        {3: {"rho": 1}},
    ],
)
def test_settings_of_another_shape_are_refused_in_a_sentence(settings: Any) -> None:
    says = r'settings must give parameters by name, such as {"gadp": {"rho": 0.5}}; .* was given\.'
    with pytest.raises(InputError, match=says):
        hw.release(people(), target="ill", roles={"name": "identifier"}, technique="gadp", settings=settings)
    with pytest.raises(InputError, match=says):
        hw.audit(people(), people(), target="ill", roles={"name": "identifier"}, settings=settings)


@pytest.mark.parametrize(
    ("technique", "settings", "says"),
    [
        ("gadp", {"given": "age"}, "given of gadp must be a list of texts.*'age' was given"),
        ("gadp", {"security": 5}, "security of gadp must be"),
        ("pram", {"matrix": [1]}, "matrix of pram must be"),
        ("drswap", {"controls": -5}, "controls of drswap must be"),
        ("capt", {"grow": "c45"}, "grow of capt must be GrowOptions; 'c45' was given"),
        ("capt", {"how": "x"}, "set by the name of the clusters, such as cactus.alpha"),
    ],
)
def test_parameters_of_another_type_are_refused_in_a_sentence(
    technique: str, settings: Any, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        hw.release(
            people(),
            target="ill",
            roles={"name": "identifier"},
            technique=technique,
            settings={technique: settings},
        )


def test_parameters_of_measures_of_another_type_are_refused_in_a_sentence() -> None:
    wrong: list[tuple[dict[str, dict[str, Any]], str]] = [
        ({"told_apart": {"most_rows": {}}}, "most_rows of told_apart must be a whole number; {} was given"),
        ({"clustering": {"starts": 0}}, "starts of clustering must be 1 or more; 0 was given"),
        ({"edusc": {"normalise": "all"}}, "normalise.* must be affected or paper; 'all' was given"),
    ]
    for settings, says in wrong:
        with pytest.raises(InputError, match=says):
            hw.audit(people(), people(), target="ill", roles={"name": "identifier"}, settings=settings)


def test_a_number_as_the_seed_is_for_experiments(people_csv: Path) -> None:
    with pytest.warns(hw.HushwoodWarning, match="anyone who tries numbers can undo the release") as given:
        first = hw.release(people_csv, target="ill", seed=7, evidence="none")
    assert {warning.filename for warning in given} == {__file__}
    with pytest.warns(hw.HushwoodWarning):
        again, other = (hw.release(people_csv, target="ill", seed=s, evidence="none") for s in (7, 8))
    assert again.frame.equals(first.frame)
    assert not other.frame.equals(first.frame)


def test_an_audit_of_what_release_returned_knows_the_class(people_csv: Path) -> None:
    frame = pl.read_csv(people_csv)
    done = hw.release(frame, target="ill", evidence="none")
    assert hw.audit(frame, done, only=["prediction_accuracy"])["prediction_accuracy"].value is not None


def test_a_name_that_is_not_there_says_what_is(people_csv: Path) -> None:
    found = hw.audit(people_csv, people_csv, target="ill", only=["sers", "linkage"])
    with pytest.raises(KeyError, match=r"in this audit 'linkages'\. Did you mean 'linkage'"):
        found["linkages"]


def test_how_a_file_is_written_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    rows = "".join(
        f"{20 + n % 50};{'?' if n % 9 == 0 else 'fm'[n % 2]};{'yn'[n % 3 == 0]}\n" for n in range(80)
    )
    path.write_text("age;sex;ill\n" + rows, encoding="utf-16")
    done = hw.release(
        path, target="ill", missing=["?"], encoding="utf-16", separator=";", redraw=0, evidence="none"
    )
    assert pl.DataFrame(done.frame)["sex"].null_count() == 9


def test_dates_of_pandas_have_no_time_of_day(people_csv: Path) -> None:
    frame = pl.read_csv(people_csv).to_pandas()
    frame["born"] = pd.to_datetime("1960-03-05") + pd.to_timedelta(range(len(frame)), unit="D")
    frame.loc[3, "born"] = pd.NaT
    done = hw.release(frame, target="ill", technique="framework", evidence="none", keep={"born": "a test"})
    assert done.frame["born"].dtype == frame["born"].dtype
    known = done.frame["born"].dropna()
    assert (known == known.dt.normalize()).all()
    assert not known.equals(frame["born"].dropna())


def nameless(rows: int) -> pl.DataFrame:
    return people(rows).drop("name")


def test_errors_and_warnings_name_keywords(people_csv: Path) -> None:
    with pytest.raises(ValueError, match=r"^k must be 2 or more; 1 was given\.$"):
        hw.release(people_csv, target="ill", k=1)
    with pytest.raises(
        InputError, match=r"^A column looks .*; drop it with roles=\{\"my mail\": \"identifier\"\}, or"
    ):
        hw.release(
            nameless(20).with_columns(pl.format("a{}@b.example", "age").alias("my mail")), target="ill"
        )
    with pytest.raises(InputError, match=r"treat them as missing with infinite=\"missing\"\."):
        hw.read_table(pl.DataFrame({"a": [1.0, float("inf")]}))
    with pytest.warns(hw.HushwoodWarning, match='rare="group" puts them together'):
        done = hw.release(nameless(100), target="ill", evidence="none", rare="keep", rare_below=40)
    assert not [sentence for sentence in done.warnings if "--" in sentence]


def test_a_number_as_a_seed_is_used_again_and_warned_of() -> None:
    """It is for experiments: the second table, or other settings, must not end in an error."""
    for rows, k in ((100, 5), (120, 5), (120, 6)):
        with pytest.warns(hw.HushwoodWarning, match="The seed is the number 7: anyone who tries"):
            hw.release(nameless(rows), target="ill", k=k, seed=7, evidence="none")
    hw.release(nameless(100), target="ill", seed="1" * 64, evidence="none")
    with pytest.raises(InputError, match="insist with reuse_key=True"):
        hw.release(nameless(120), target="ill", seed="1" * 64, evidence="none")


def test_a_cell_that_is_run_again_repeats_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.ps1", ">>> ", raising=False)
    for run in range(3):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            hw.release(nameless(90), target="ill", seed=11, evidence="none")
        assert any("number 11" in str(one.message) for one in caught) == (run == 0)
    with pytest.warns(hw.HushwoodWarning, match="number 11"):  # another line
        hw.release(nameless(90), target="ill", seed=11, evidence="none")


@pytest.mark.filterwarnings("ignore::hushwood.HushwoodWarning")
def test_arrays_and_mappings_are_tables() -> None:
    frame = nameless(80).select("age", "balance", pl.col("ill").cast(pl.String))
    columns = frame.to_dict(as_series=False)
    wanted = hw.release(frame, target="ill", seed="2" * 64, evidence="none").frame
    assert hw.release(columns, target="ill", seed="2" * 64, evidence="none").frame.equals(wanted)
    record = np.array(frame.rows(), dtype=[("age", int), ("balance", float), ("ill", "U3")])
    assert hw.release(record, target="ill", seed="2" * 64, evidence="none").frame.equals(wanted)
    array = np.column_stack([frame["age"], frame["balance"], frame["ill"] == "yes"])
    for target in (2, -1, "column_2"):
        done = hw.release(array, target=target, redraw=0, seed="3" * 64, evidence="none")
        assert (done.frame.columns, done.manifest["class"]) == (
            ["column_0", "column_1", "column_2"],
            ["column_2"],
        )
    assert hw.audit(array, done, only=["unchanged_cells"])["unchanged_cells"].value is not None
    assert hw.release(array, seed="4" * 64, evidence="none").manifest["class"] == []


@pytest.mark.filterwarnings("ignore::hushwood.HushwoodWarning")
def test_an_index_that_says_something_is_named_once() -> None:
    frame = pd.DataFrame(people(60).to_dict(as_series=False))
    named = frame.set_index("name")
    assert [
        said for said in hw.release(named, target="ill", evidence="none").warnings if "index" in said
    ] == ["The index ('name') of the frame is not released; reset_index() makes it a column."]
    plain = frame.drop(columns="name")[10:]
    assert not [said for said in hw.release(plain, target="ill", evidence="none").warnings if "index" in said]
