"""What `hushwood reconstruct` prints and writes."""

from __future__ import annotations

import json
from pathlib import Path

from support.command_line import Command, refused, released


def test_distributions_and_the_tree(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--technique", "sadp", "--quiet")
    done = hushwood("reconstruct", "out", "--original", people_csv, "--column", "age", "--json", "won.json")
    assert done.code == 0, done.err
    for words in ("Distributions won back", "off after", "█", "Copied as it is.", "tree won back"):
        assert words in done.out
    told = json.loads(Path("won.json").read_text("utf-8"))
    assert [column["name"] for column in told["columns"]] == ["age", "score", "group", "ill"]
    assert max(map(len, done.out.splitlines())) <= 100
    assert hushwood("reconstruct", "out", "--quiet").out == ""
    plain = hushwood("reconstruct", "out", "--class", "ill").out
    assert "off after" not in plain
    assert "correct on original records" not in plain


def test_refusals(hushwood: Command, people_csv: Path) -> None:
    refused(hushwood("reconstruct", "nowhere", "--quiet"), "holds no release")
    released(hushwood, people_csv, "--technique", "pram", "--quiet")
    refused(hushwood("reconstruct", "out", "--column", "height", "--quiet"), "height")
    refused(hushwood("reconstruct", "out", "--method", "guess", "--quiet"), "em")
    refused(
        hushwood("reconstruct", "out", "--original", people_csv, "--json", people_csv, "--quiet"),
        "people.csv",
    )
