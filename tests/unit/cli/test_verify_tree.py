"""`hushwood verify-tree`: the same, another tree, or files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from support.command_line import Command, refused
from support.people_files import contents
from support.published_people import ugly_people

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
