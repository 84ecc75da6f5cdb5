from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hushwood.demo import demonstration
from support.command_line import Command, refused


@pytest.fixture(autouse=True)
def _few_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demonstration, "RECORDS", 300)


def test_the_demonstration_ends_by_naming_the_report(hushwood: Command) -> None:
    done = hushwood("demo", "-o", "demo")
    assert done.code == 0
    first, *_, last = done.out.splitlines()
    assert first.startswith("A table of 300 invented people was made (demo/credit-risk.csv)")
    named = re.fullmatch(r"Open (\S+) in a browser\.", last)
    assert named is not None
    assert Path(named[1]).read_text("utf-8").startswith("<!doctype html>")


def test_quiet(hushwood: Command) -> None:
    done = hushwood("demo", "-q", "-o", "demo")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert not Path(os.environ["HUSHWOOD_LEDGER"]).exists()


def test_a_file_in_the_way(hushwood: Command) -> None:
    Path("demo").write_text("mine", "utf-8")
    refused(hushwood("demo", "-q", "-o", "demo"), "demo is a file")
    assert Path("demo").read_text("utf-8") == "mine"
