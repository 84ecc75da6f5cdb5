"""What `hushwood compare` prints and writes."""

from __future__ import annotations

import json
from pathlib import Path

from support.command_line import Command, refused


def test_two_releases_side_by_side(hushwood: Command, people_csv: Path) -> None:
    for name, technique in (("one", "framework"), ("two", "copula-synthesis")):
        hushwood("release", people_csv, "--class", "ill", "--technique", technique, "-o", name, "--quiet")
    done = hushwood("compare", "one", "two", "--original", people_csv, "--json", "both.json")
    assert done.code == 0, done.err
    assert done.out.startswith("A  one: ")
    assert "linkage.excess ≤ 0.05" in done.out
    assert json.loads(Path("both.json").read_text("utf-8"))["releases"][1]["technique"] == "copula-synthesis"
    assert hushwood("compare", "one", "two", "--quiet").out == ""
    refused(hushwood("compare", "one", "nowhere"), "not the folder of a release")
