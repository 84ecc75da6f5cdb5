"""Who sees the progress of a function that is called from Python."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.stages import COMPILING, VARIABLE, compiling, lines, silent, usual


def test_lines_name_every_stage_once() -> None:
    written: list[str] = []
    stage = lines(written.append)
    for done in range(3):
        stage("adding noise", done, 3)
    stage(COMPILING, 7, 0)
    stage("adding noise", 3, 3)
    assert written == ["adding noise ...", f"{COMPILING} ..."]


@pytest.mark.parametrize(
    ("types", "asked", "shown"),
    [
        (False, "", False),
        (True, "", True),
        (False, "1", True),
        (True, "0", False),
    ],
)
def test_lines_are_for_people_who_watch(
    monkeypatch: pytest.MonkeyPatch, types: bool, asked: str, shown: bool
) -> None:
    monkeypatch.setenv(VARIABLE, asked)
    monkeypatch.delattr(sys, "ps1", raising=False)
    if types:
        monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    assert (usual() is not silent) == shown


def test_a_window_without_an_error_stream_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setattr(sys, "stderr", None)
    usual()("adding noise", 0, 1)


def test_without_a_stage_compiling_is_not_shown_in_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    compiling(3)
    assert capsys.readouterr() == ("", "")


def test_a_release_from_python_shows_its_stages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import hushwood as hw

    monkeypatch.setenv(VARIABLE, "1")
    hw.release(credit_risk(200, "0" * 64), seed="1" * 64, evidence="none", reuse_key=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "growing the forest ...\n" in err
    assert "changing the values ...\n" in err


def test_a_notebook_shows_one_line_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            assert raw
            shown.append(f"then {data['text/plain']}")

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
        assert raw
        assert display_id
        shown.append(data["text/plain"])
        return Handle()

    shell = SimpleNamespace(kernel=object())
    ipython = SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(sys, "ps1", "In : ", raising=False)
    monkeypatch.delenv(VARIABLE, raising=False)
    stage = usual()
    stage("growing the forest", 0, 1)
    stage("measuring", 2, 9)
    assert shown == ["growing the forest ...", "then measuring (2 of 9) ..."]
