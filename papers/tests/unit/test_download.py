"""Tables from the UCI repository: written in the form of our own files, or refused in a sentence."""

from __future__ import annotations

import builtins
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hushwood.errors import InputError
from hushwood_papers import download as module
from hushwood_papers import paper_tables
from hushwood_papers.download import ADDRESS, OFFERED, RENAMED, download
from hushwood_papers.paper_tables import PAPER_TABLES, PaperTables
from support.real_data import data_folder, existing
from support.uci_replies import ADULT, API, DATA, IRIS, WBC, WINE, serve, serve_texts


def expecting(
    monkeypatch: pytest.MonkeyPatch, name: str, records: int, complete: int, offered: int | None = None
) -> None:
    """Expect the few records of a shortened answer."""
    few = replace(PAPER_TABLES[name], records=records, complete=complete)
    monkeypatch.setattr(paper_tables, "PAPER_TABLES", {**PAPER_TABLES, name: few})
    monkeypatch.setattr(module, "OFFERED", {} if offered is None else {name: offered})


def test_adult_is_the_training_records_with_gaps_empty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expecting(monkeypatch, "adult", records=4, complete=2, offered=6)
    opened = serve(monkeypatch, 2, "Adult", ADULT, "income")
    said: list[str] = []
    path = download("adult", tmp_path, said.append)
    assert path == tmp_path / "adult" / "adult.csv"
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0].split(",") == list(PAPER_TABLES["adult"].columns)
    assert lines[1:5] == [line.replace("?", "") for line in ADULT.split("\n")[1:5]]
    assert lines[5:] == [""], "one line a record, the last one ended"
    assert opened == [API.format(2), DATA.format(2)], "nothing else is asked for"
    assert said == [
        f"Getting adult from the UCI repository, {ADDRESS}/2 ...",
        f"Wrote {path}: 4 records, 15 columns.",
    ]
    assert [item.name for item in path.parent.iterdir()] == ["adult.csv"]


def test_a_full_stop_after_the_class_is_dropped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expecting(monkeypatch, "adult", records=6, complete=3, offered=6)
    serve(monkeypatch, 2, "Adult", ADULT.replace(",<=50K", ", <=50K"), "income")
    download("adult", tmp_path)
    income = PaperTables(tmp_path).frame("adult")["income"]
    assert income.to_list() == ["<=50K", ">50K", ">50K", ">50K", "<=50K", "<=50K"], "blanks are dropped too"


def test_whole_numbers_stay_whole_beside_gaps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expecting(monkeypatch, "wbc", records=3, complete=2)
    serve(monkeypatch, 15, "Breast Cancer Wisconsin (Original)", WBC, "Class")
    lines = download("wbc", tmp_path).read_text(encoding="utf-8").splitlines()
    assert lines[1:] == [
        "1000025,5,1,1,1,2,1,3,1,1,2",
        "1002945,5,4,4,5,7,10,3,2,1,2",
        "1057013,8,4,5,1,2,,7,3,1,4",
    ]


def test_columns_get_our_names_and_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expecting(monkeypatch, "wine", records=2, complete=2)
    serve(monkeypatch, 109, "Wine", WINE, "class")
    download("wine", tmp_path)
    wine = PaperTables(tmp_path).frame("wine")
    assert wine.columns[0] == "class"
    assert wine.columns[12:] == ["OD280_OD315_of_diluted_wines", "Proline"]
    assert_frame_equal(wine, PaperTables().frame("wine").head(2), check_dtypes=False)
    expecting(monkeypatch, "iris", records=2, complete=2)
    serve(monkeypatch, 53, "Iris", IRIS, "class")
    download("iris", tmp_path)
    assert PaperTables(tmp_path).frame("iris").columns[:2] == ["sepal_length", "sepal_width"]


def refusal(name: str, folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        download(name, folder)
    assert not list(folder.rglob("*.csv")), "nothing is written"
    return str(caught.value)


@pytest.mark.parametrize(
    ("records", "complete", "said"),
    [(4, 2, "it has 3 records instead of 4"), (3, 3, "2 of its records are complete instead of 3")],
)
def test_other_records_than_expected_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, records: int, complete: int, said: str
) -> None:
    expecting(monkeypatch, "wbc", records, complete)
    serve(monkeypatch, 15, "WBC", WBC, "Class")
    told = refusal("wbc", tmp_path)
    assert said in told
    assert "Nothing was written; put the file wbc/wbc.csv into the folder yourself." in told


def test_a_missing_column_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    serve(monkeypatch, 15, "WBC", WBC.replace("Mitoses", "Mitosis"), "Class")
    assert "it has no column 'Mitoses'" in refusal("wbc", tmp_path)


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {API.format(15): '{"status": 404, "message": "no such dataset"}'},
        {API.format(15): "<html>down for maintenance</html>"},
        {API.format(15): '{"status": 200}'},
        {API.format(15): '{"status": 200, "data": null}'},
        {API.format(15): '{"status": 200, "data": {"name": "x", "data_url": null}}'},
        {API.format(15): '{"status": 200, "data": {"name": "x", "data_url": "' + DATA.format(15) + '"}}'},
    ],
    ids=[
        "unreachable",
        "unknown",
        "no JSON",
        "other JSON",
        "no dataset",
        "no records offered",
        "records unreachable",
    ],
)
def test_a_repository_that_does_not_answer_is_said_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: dict[str, str]
) -> None:
    serve_texts(monkeypatch, texts)
    told = refusal("wbc", tmp_path)
    assert told.startswith("The table 'wbc' could not be fetched from the UCI repository (")
    assert told.endswith("try again later, or name a folder that holds it with --data DIR.")


def test_boston_and_generated_tables_are_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened = serve_texts(monkeypatch, {})
    assert "The table 'boston' is no longer in the UCI repository; put it into" in refusal("boston", tmp_path)
    assert refusal("CS", tmp_path) == "CS is generated, there is nothing to download."
    assert "There is no table of the papers 'wbx'. Did you mean 'wbc'?" in refusal("wbx", tmp_path)
    assert opened == []
    assert [name for name, table in PAPER_TABLES.items() if table.uci is None] == ["boston"]


def test_without_the_package_the_sentence_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "ucimlrepo":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert "pip install ucimlrepo" in refusal("wbc", tmp_path)


def test_a_folder_that_cannot_be_written_is_said_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expecting(monkeypatch, "wbc", records=3, complete=2)
    serve(monkeypatch, 15, "WBC", WBC, "Class")
    (tmp_path / "wbc").write_text("a file where the folder should be", encoding="utf-8")
    assert "give another folder with --data" in refusal("wbc", tmp_path)


def as_offered(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Our file as the repository has it: its names, the class last, numbers with gaps as decimals, more of Adult."""
    target = PAPER_TABLES[name].target
    frame = frame.select(pl.exclude(target), target).rename(
        {ours: theirs for theirs, ours in RENAMED.get(name, {}).items()}
    )
    gaps = [c for c in frame.columns if frame[c].null_count() and frame[c].dtype.is_integer()]
    frame = frame.with_columns(pl.col(gaps).cast(pl.Float64))
    if name not in OFFERED:
        return frame
    more = frame.head(OFFERED[name] - PAPER_TABLES[name].records).with_columns(pl.col(target) + ".")
    return pl.concat([frame.with_columns(pl.col(pl.String).fill_null("?")), more])


@pytest.mark.parametrize("name", sorted(name for name, table in PAPER_TABLES.items() if table.uci))
def test_every_table_comes_back_as_in_our_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    ours = data_folder()
    existing(ours / PAPER_TABLES[name].file)
    expected = PaperTables(ours).frame(name)
    assert expected.columns == list(PAPER_TABLES[name].columns)
    text = as_offered(name, expected).write_csv()
    serve(monkeypatch, PAPER_TABLES[name].uci or 0, name, text, PAPER_TABLES[name].target)
    download(name, tmp_path)
    assert_frame_equal(PaperTables(tmp_path).frame(name), expected, check_exact=True)
