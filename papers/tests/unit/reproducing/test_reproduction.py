import json
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.version import __version__
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Size
from hushwood_papers.reproducing.reproduction import Request, code_checksum, reproduced, sizes_for
from support.small_experiment import Counting, Killed

FULL = Size(folds=None, repeats=4)


def silent(name: str, done: float, total: float) -> None:
    """Tell nobody."""


def test_the_document_holds_rows_outcomes_and_what_made_them(tmp_path: Path) -> None:
    counting = Counting()
    told: list[tuple[str, float, float]] = []
    document = reproduced(
        counting.experiment(), FULL, Request(PaperTables(), tmp_path), lambda *step: told.append(step)
    )
    assert document["outcomes"] == {f"number {n}": {"found": 10.0 * n} for n in (1, 2, 3, 4)}
    assert document["hushwood"] == __version__
    assert document["size"] == {"folds": None, "repeats": 4, "small": False}
    assert document["belongs_to"]["code"] == code_checksum()
    own = [row for row in document["rows"] if row["verdict"] == "not printed"]
    assert [row["ours"]["mean"] for row in own] == [25.0]
    assert sum(document["counts"].values()) == len(document["rows"])
    # The longest first, the one that wants to be alone last.
    assert counting.ran == ["number 4", "number 3", "number 2", "number 1"]
    assert told == [
        ("starting", 0, 10),
        *(("number 4", 4, 10), ("number 3", 7, 10), ("number 2", 9, 10), ("number 1", 10, 10)),
    ]
    json.dumps(document, allow_nan=False)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    killed = Counting(killed_at="number 2")
    request = Request(PaperTables(), tmp_path)
    with pytest.raises(Killed):
        reproduced(killed.experiment(), FULL, request, silent)
    again = Counting()
    document = reproduced(again.experiment(), FULL, request, silent)
    assert again.ran == ["number 2", "number 1"]
    (tmp_path / "other").mkdir()
    whole = reproduced(Counting().experiment(), FULL, Request(PaperTables(), tmp_path / "other"), silent)
    assert {**document, "seconds": 0} == {**whole, "seconds": 0}


def test_another_size_is_another_run(tmp_path: Path) -> None:
    request = Request(PaperTables(), tmp_path)
    with pytest.raises(Killed):
        reproduced(Counting(killed_at="number 1").experiment(), FULL, request, silent)
    again = Counting()
    reproduced(again.experiment(), Size(repeats=3), request, silent)
    assert again.ran == ["number 3", "number 2", "number 1"]


def test_what_is_done_is_not_done_again_unless_asked(tmp_path: Path) -> None:
    request = Request(PaperTables(), tmp_path)
    document = reproduced(Counting().experiment(), FULL, request, silent)
    (tmp_path / "disclosure-wbc.json").write_text(json.dumps(document))
    idle, busy = Counting(), Counting()
    assert reproduced(idle.experiment(), FULL, request, silent) == document
    assert idle.ran == []
    reproduced(busy.experiment(), FULL, Request(PaperTables(), tmp_path, again=True), silent)
    assert len(busy.ran) == 4


def test_sizes_are_the_experiments_own_or_those_asked_for() -> None:
    experiment = Counting().experiment()
    assert sizes_for([experiment], False, None, None) == [FULL]
    assert sizes_for([experiment], True, None, None) == [Size(repeats=2)]
    assert sizes_for([experiment], True, None, 7) == [Size(repeats=7)]


@pytest.mark.parametrize(
    ("folds", "repeats", "says"),
    [
        (3, None, "no folds in disclosure-wbc"),
        (None, 0, "--repeats must be 1"),
        (1, None, "--folds must be 2"),
    ],
)
def test_a_size_that_cannot_be_is_refused(folds: int | None, repeats: int | None, says: str) -> None:
    with pytest.raises(InputError, match=says):
        sizes_for([Counting().experiment()], False, folds, repeats)
