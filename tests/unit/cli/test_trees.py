"""`hushwood publish-tree`: every option, and every request that must be refused with one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from support.bad_requests import BAD_TABLES
from support.command_line import Command, Outcome, frame, refused
from support.people_files import SEED, contents
from support.published_people import smallest_diversity, smallest_group, ugly_people
from support.release_parts import part_of

INPUTS = ["age", "score", "born", "smoker", "city", "size", "same"]


def publish(hushwood: Command, *words: object, table: str = "ugly.csv", name: str = "ill") -> Outcome:
    return hushwood("publish-tree", table, "--class", name, "-o", "out", *words)


def published(hushwood: Command, *words: object, table: str = "ugly.csv", name: str = "ill") -> Outcome:
    done = publish(hushwood, *words, table=table, name=name)
    assert done.code == 0, done.err
    again = hushwood("verify-tree", "out", "out/share/tree.json")
    assert again.code == 0, again.err
    return done


@pytest.fixture
def ugly_csv(hushwood: Command) -> Path:
    del hushwood
    ugly_people().drop("pay").write_csv("ugly.csv")
    return Path("ugly.csv")


@pytest.fixture
def pay_csv(hushwood: Command) -> Path:
    del hushwood
    ugly_people().drop("ill").write_csv("pay.csv")
    return Path("pay.csv")


def model() -> dict[str, object]:
    content: dict[str, object] = json.loads(Path("out/share/tree.json").read_text("utf-8"))
    return content


def grown() -> dict[str, object]:
    how = model()["grown"]
    assert isinstance(how, dict)
    return how


@pytest.mark.usefixtures("ugly_csv")
def test_what_is_said(hushwood: Command) -> None:
    before = Path("ugly.csv").read_bytes()
    done = published(hushwood, "-k", "5", "-l", "2", "--sensitive", "job")
    assert "Every record has at least" in done.out
    assert "Records alike (K)" in done.out
    assert "Mixture of job (L)" in done.out
    assert "Accuracy on unseen records" in done.out
    assert "Grown without K and L:" in done.out
    assert "closed" in done.out
    assert done.out.endswith(
        "Read out/share/report.html first.\nSend out/share; keep out/private to yourself.\n"
    )
    assert "growing the tree ..." in done.err
    assert "! Column 'city' lacks 50 values; missing is treated as a value." in done.err
    assert max(map(len, done.out.splitlines())) <= 100
    assert Path("ugly.csv").read_bytes() == before
    released = frame()
    assert smallest_group(released, INPUTS) >= 5
    assert smallest_diversity(released, INPUTS, ugly_people()["job"]) >= 2


@pytest.mark.usefixtures("ugly_csv")
def test_quiet_and_dry(hushwood: Command, tmp_path: Path) -> None:
    before = contents(tmp_path)
    dry = hushwood("publish-tree", "ugly.csv", "--class", "ill", "--dry-run")
    assert dry.code == 0, dry.err
    assert dry.out.endswith("This was a dry run: nothing was kept.\n")
    assert contents(tmp_path) == before
    silent = publish(hushwood, "-q")
    assert (silent.code, silent.out, silent.err) == (0, "", "")


@pytest.mark.usefixtures("ugly_csv")
def test_trees_and_how_they_grow(hushwood: Command) -> None:
    published(hushwood, "--criterion", "gini", "--criterion", "gain_ratio:age, city", "--max-leaves", 4)
    assert grown()["criteria"] == ["gini", "gain_ratio"]
    columns = grown()["columns"]
    assert isinstance(columns, list)
    assert columns[1] == ["age", "city"]
    assert grown()["max_leaves"] == 4
    assert Path("out/share/tree-2.pmml").is_file()
    published(hushwood, "--force", "--min-leaf", 20, "--max-depth", 2, "--thresholds", "data", "-k", 3)
    assert (grown()["min_leaf"], grown()["max_depth"], grown()["thresholds"]) == (20, 2, "data")
    assert not Path("out/share/tree-2.pmml").exists()
    published(hushwood, "--force", "--mode", "delta", "--stop-at-first-failure", "--class-in-groups", "-k", 2)
    assert grown()["mode"] == "delta"
    assert smallest_group(frame(), [*INPUTS, "ill"]) >= 2


@pytest.mark.usefixtures("pay_csv")
def test_a_number_to_predict(hushwood: Command) -> None:
    done = published(hushwood, table="pay.csv", name="pay")
    assert "Explained variance" in done.out
    assert grown()["criteria"] == ["variance"]
    assert model()["classes"] == []
    published(hushwood, "--force", "--class-bins", 3, table="pay.csv", name="pay")
    assert grown()["criteria"] == ["information_gain"]
    published(
        hushwood, "--force", "--class-threshold", 700, "--criterion", "gini", table="pay.csv", name="pay"
    )
    assert model()["classes"] == ["<= 700", "> 700"]
    published(hushwood, "--force", "--criterion", "variance", table="pay.csv", name="age")
    assert model()["class"] == "age"


@pytest.mark.usefixtures("ugly_csv")
def test_roles_schema_and_rows(hushwood: Command) -> None:
    done = hushwood("inspect", "ugly.csv", "--save", "my.toml")
    assert done.code == 0, done.err
    words = ("--schema", "my.toml", "--identifier", "score", "--ignore", "same", "--quasi-identifier", "age")
    published(hushwood, *words, "--quasi-identifier", "city", "--shuffle-rows")
    released = frame()
    assert "score" not in released.columns
    assert smallest_group(released, ["age", "city"]) >= 5
    assert Path("out/private/row_order.npy").is_file()


def test_other_spellings_of_files(hushwood: Command) -> None:
    people = ugly_people().drop("pay")
    Path("ugly.tsv").write_text(people.write_csv(separator="\t", null_value="?"), "utf-8")
    published(hushwood, "--missing", "?", table="ugly.tsv")
    assert Path("out/share/released.tsv").read_text("utf-8").startswith("age\tscore")
    people.write_ipc("ugly.arrow")
    published(hushwood, "--force", table="ugly.arrow")
    assert pl.read_ipc("out/share/released.arrow").height == 300
    Path("latin.csv").write_bytes(
        people.with_columns(city=pl.lit("Köln")).write_csv(separator="|").encode("latin-1")
    )
    published(hushwood, "--force", "--encoding", "latin-1", "--separator", "|", table="latin.csv")
    assert frame(separator="|", encoding="latin-1")["city"].unique().to_list() == ["Köln"]


@pytest.mark.usefixtures("ugly_csv")
def test_the_other_commands_know_the_folder(hushwood: Command) -> None:
    published(hushwood, "-l", 2, "--sensitive", "job")
    checked = hushwood("verify", "out", "ugly.csv")
    assert checked.code == 0, checked.err
    assert "The certificate holds: 300 of 300" in checked.out
    for words in ((), ("--class", "ill")):
        judged = hushwood("audit", "ugly.csv", "out", *words, "--only", "rule_types,sers,l_diversity")
        assert judged.code == 0, judged.err
    Path("out/share/tree.json").write_text("{}", "utf-8")
    checked = hushwood("verify", "out")
    assert checked.code == 1
    assert "share/tree.json is not the file that was written" in checked.err


BAD_WORDS: dict[str, tuple[list[str], str]] = {
    "k larger than the table": (["-k", "301"], "300 of 300 records, fewer than K = 301"),
    "k of nothing": (["-k", "0"], "k must be 1 or more; 0 was given"),
    "l below 1": (["-l", "0.5"], "l must be 1 or more; 0.5 was given"),
    "l without end": (
        ["-l", "inf", "--sensitive", "job"],
        "-l must be a finite number, 1 or more; inf was given",
    ),
    "l that no number is": (
        ["-l", "nan", "--sensitive", "job"],
        "-l must be a finite number, 1 or more; nan was given",
    ),
    "l without a sensitive attribute": (["-l", "2"], "--sensitive"),
    "l that the table does not have": (
        ["-l", "8", "--sensitive", "job"],
        "more than 1/8 of a group (L = 6.976)",
    ),
    "unknown sensitive attribute": (["--sensitive", "jobb"], "Did you mean 'job'?"),
    "class that is sensitive": (["--sensitive", "ill"], "cannot be both the class and confidential"),
    "sensitive identifier": (["--sensitive", "job", "--identifier", "job"], "cannot be both identifier and"),
    "unknown class": (["--class", "il"], "Did you mean 'ill'?"),
    "unknown criterion": (["--criterion", "gain-ratio"], "Did you mean 'gain_ratio'?"),
    "criterion without columns": (["--criterion", "gini:"], "no column is named"),
    "unknown column to test": (["--criterion", "gini:agee"], "Did you mean 'age'?"),
    "sensitive column to test": (["--criterion", "gini:job", "--sensitive", "job"], "'job'"),
    "variance of words": (["--criterion", "variance"], "a regression tree predicts numbers"),
    "variance beside gini": (["--criterion", "variance", "--criterion", "gini"], "variance needs numbers"),
    "unknown mode": (["--mode", "anchoredx"], "Did you mean 'anchored'?"),
    "unknown thresholds": (["--thresholds", "dat"], "Did you mean 'data'?"),
    "delta with data values": (["--mode", "delta", "--thresholds", "data"], "anchored mode"),
    "unknown rule for gaps": (["--missing-numbers", "suppressx"], "Did you mean 'suppress'?"),
    "no leaf": (["--min-leaf", "0"], "--min-leaf must be 1 or more; 0 was given"),
    "no leaves": (["--max-leaves", "0"], "--max-leaves must be 1 or more"),
    "depth below 0": (["--max-depth", "-1"], "--max-depth must be 0 or more"),
    "unknown identifier": (["--identifier", "agee"], "Did you mean 'age'?"),
    "bins for words": (["--class-bins", "3"], "does not hold numbers"),
    "date to predict": (["--class", "born", "--criterion", "variance"], "holds dates or times"),
    "nothing left": (
        [word for name in (*INPUTS, "job") for word in ("--ignore", name)],
        "is left, and no column to learn",
    ),
}


@pytest.mark.usefixtures("ugly_csv")
@pytest.mark.parametrize("name", BAD_WORDS)
def test_words_that_are_refused(hushwood: Command, tmp_path: Path, name: str) -> None:
    words, says = BAD_WORDS[name]
    before = contents(tmp_path)
    refused(publish(hushwood, "-q", *words), says)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", BAD_TABLES)
def test_tables_that_are_refused(hushwood: Command, tmp_path: Path, name: str) -> None:
    content, says = BAD_TABLES[name]
    Path("people.csv").write_bytes(content)
    before = contents(tmp_path)
    refused(publish(hushwood, "-q", table="people.csv"), says)
    assert contents(tmp_path) == before


@pytest.mark.usefixtures("ugly_csv")
def test_gaps_that_are_refused(hushwood: Command) -> None:
    people = ugly_people().drop("pay")
    people.with_columns(pl.when(pl.col("age") > 20).then("age").alias("age")).write_csv("gaps.csv")
    refused(publish(hushwood, "-q", table="gaps.csv"), "--missing-numbers suppress")
    published(hushwood, "--missing-numbers", "suppress", table="gaps.csv")
    assert frame()["age"].n_unique() == 1
    people.with_columns(pl.when(pl.col("age") > 20).then("ill").alias("ill")).write_csv("nobody.csv")
    refused(publish(hushwood, "-q", "--force", table="nobody.csv"), "'ill' is missing in")


@pytest.mark.usefixtures("ugly_csv")
def test_folders_that_are_refused(hushwood: Command) -> None:
    refused(hushwood("publish-tree", "ugly.csv", "--class", "ill", "-q"), "-o DIR")
    refused(hushwood("publish-tree", "nowhere.csv", "--class", "ill", "-q", "-o", "out"), "There is no file")
    Path("out").mkdir()
    Path("out/letter.txt").write_text("mine", "utf-8")
    refused(publish(hushwood, "-q"), "is not empty")
    refused(publish(hushwood, "-q", "--force"), "holds no release")
    assert sorted(Path("out").iterdir()) == [Path("out/letter.txt")]
    done = hushwood(
        *("release", "ugly.csv", "--class", "ill", "-o", "noisy", "--evidence", "none", "-q", "--seed", SEED),
        *("--keep", "born=invented"),
    )
    assert done.code == 1, done.err
    assert Path("noisy/not-cleared/dictionary.md").exists()
    again = hushwood("publish-tree", "ugly.csv", "--class", "ill", "-q", "-o", "noisy", "--force")
    assert again.code == 0, again.err
    assert not Path("noisy/share/dictionary.md").exists()
    assert part_of(Path("noisy")) == "share"


def test_the_help_has_an_example(hushwood: Command) -> None:
    shown = hushwood("publish-tree", "--help")
    assert shown.code == 0
    assert "--criterion" in shown.out
    assert "--stop-at-first-failure" in shown.out


RELEASED, TREE = "out/share/released.csv", "out/share/tree.json"


@pytest.fixture
def folder(hushwood: Command) -> Path:
    ugly_people().drop("pay").write_csv("ugly.csv")
    done = hushwood("publish-tree", "ugly.csv", "--class", "ill", "-q", "-o", "out")
    assert done.code == 0, done.err
    return Path("out")


def changed(edit: Any) -> Path:
    """The tree file with one thing changed."""
    content = json.loads(Path(TREE).read_text("utf-8"))
    edit(content)
    path = Path("changed.json")
    path.write_text(json.dumps(content), "utf-8")
    return path


@pytest.mark.usefixtures("folder")
def test_the_same(hushwood: Command, tmp_path: Path) -> None:
    before = contents(tmp_path)
    for released in (RELEASED, "out", "out/share"):
        found = hushwood("verify-tree", released, TREE)
        assert (found.code, found.err) == (0, "")
        assert found.out.startswith("ok  The same: the ")
        assert found.out.count("\n") == 1
        assert "closed)." in found.out
    assert hushwood("verify-tree", RELEASED, TREE, "-q").out == ""
    assert contents(tmp_path) == before


def by_one_ulp(content: Any) -> None:
    tests = [node["test"] for node in content["trees"][0]["nodes"] if "threshold" in node.get("test", {})]
    tests[0]["threshold"] = float(np.nextafter(tests[0]["threshold"], -np.inf))


@pytest.mark.usefixtures("folder")
def test_another_tree(hushwood: Command) -> None:
    found = hushwood("verify-tree", RELEASED, changed(by_one_ulp), "-q")
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith("NO  The released table does not give the published tree. Node ")
    assert found.err.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_another_table(hushwood: Command) -> None:
    lines = Path(RELEASED).read_text("utf-8").splitlines(keepends=True)
    flipped = lines[7].replace(",yes", ",?").replace(",no", ",yes").replace(",?", ",no")
    assert flipped != lines[7]
    Path("flipped.csv").write_text("".join([*lines[:7], flipped, *lines[8:]]), "utf-8")
    found = hushwood("verify-tree", "flipped.csv", TREE)
    assert found.code == 1
    assert "records per class" in found.err


@pytest.mark.usefixtures("folder")
def test_what_is_refused(hushwood: Command) -> None:
    refused(hushwood("verify-tree", RELEASED, RELEASED), "is not JSON")
    refused(hushwood("verify-tree", RELEASED, "nowhere.json"), "cannot be read")
    refused(hushwood("verify-tree", "nowhere.csv", TREE), "There is no file")
    refused(hushwood("verify-tree", RELEASED, "out/share/manifest.json"), "This is no tree file")
    refused(hushwood("verify-tree", RELEASED, "out/share/tree.pmml"), "is not JSON")
    refused(
        hushwood("verify-tree", RELEASED, changed(lambda tree: tree["grown"].clear())), "how it was grown"
    )
    refused(hushwood("verify-tree", "ugly.csv", TREE), "holds values that the tree file does not know")
    pl.read_csv(RELEASED).drop("age").write_csv("narrow.csv")
    refused(hushwood("verify-tree", "narrow.csv", TREE), "it has no 'age'")
    pl.read_csv(RELEASED).rename({"age": "years"}).write_csv("named.csv")
    refused(
        hushwood("verify-tree", "named.csv", TREE), "it has no 'age' and the tree file does not know 'years'"
    )


def test_a_release_with_noise_has_no_tree_to_verify(hushwood: Command, people_csv: Path) -> None:
    done = hushwood("release", people_csv, "--class", "ill", "-o", "out", "--evidence", "none", "-q")
    assert done.code == 1, done.err
    refused(hushwood("verify-tree", "out", "out/private/forest.json"), "grown by 'c45'")
