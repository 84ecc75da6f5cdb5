"""The pages of experiments: whole, offline, every row in them, the same every time."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from hushwood_papers.reproducing.page import index_page, page
from support.page_reader import check_page, own_part, read
from support.sample_reproduction import counted, ours_alone, row, sample_document


def words(text: str) -> str:
    return " ".join(" ".join(read(text).text).split())


@pytest.fixture(scope="module")
def sample() -> str:
    return page(sample_document())


def test_the_page_is_whole_and_loads_nothing_from_elsewhere(sample: str) -> None:
    check_page(sample, ("done", "charts", "numbers", "claims", "own", "again"))
    check_page(page(ours_alone()), ("done", "own", "again"))


def test_every_row_is_shown_with_what_to_think_of_it(sample: str) -> None:
    text = words(sample)
    for told in sample_document()["rows"]:
        assert told["what"] in text
        assert told["verdict"] == "not printed" or told["sentence"] in text
    assert text.count("agrees Agrees within 0.5 points.") == 1


def test_ours_stand_beside_theirs_with_units_and_runs(sample: str) -> None:
    text = words(sample)

    assert "84 % 84.25 % median 84; 83 to 86 %, 10 runs" in text
    assert "25,585 records 25,585 records" in text


def test_the_top_says_what_was_done_and_how_much_agrees(sample: str) -> None:
    text = words(sample)

    assert "Hushwood 0.0.1 ran sample-experiment on alpha and CR, with 10 folds and 5 repeats." in text
    assert "Of 46 printed numbers and sentences, 41 agree, 4 differ, 1 cannot be compared." in text
    assert "Example, A. N.: On Examples." in text


def test_a_long_table_is_folded_but_what_differs_stays_in_sight(sample: str) -> None:
    table = sample[sample.index("Table 2, page 12") : sample.index('id="claims"')]
    in_sight, folded = table.split("<details>")

    assert "40 rows: 38 agree, 2 differ." in in_sight
    assert in_sight.count("<td") == 2 * 3
    assert "Correlation 7<" in in_sight
    assert "Correlation 30<" in in_sight
    assert "38 other rows: 38 agree" in folded
    assert "Correlation 8<" in folded
    assert "Correlation 7<" not in folded


def test_of_very_many_differences_only_some_stay_in_sight() -> None:
    document = sample_document()
    document["rows"] = [
        row("Table 9", f"Number {i}", 1.0, "differs" if i % 2 else "agrees", "So.") for i in range(200)
    ]
    made = page(document | {"counts": counted(document["rows"]), "charts": []})
    in_sight, folded = made.split("<details>")

    assert in_sight.count("Number ") == 25
    assert folded.count("Number ") == 175
    assert "175 other rows: 100 agree, 75 differ" in folded


def test_short_tables_are_not_folded(sample: str) -> None:
    assert "<details>" not in sample[sample.index("Table 1, page 10") : sample.index("Table 2, page 12")]


def test_every_chart_has_its_numbers_as_a_table(sample: str) -> None:
    figures = re.findall(r"<figure.*?</figure>", sample, flags=re.DOTALL)

    assert len(figures) == len(sample_document()["charts"])
    for figure in figures:
        assert figure.count('class="numbers"') == 1
        assert figure.count("data-chart=") == figure.count('role="img"') >= 1


def test_charts_of_nothing_are_left_out() -> None:
    document = sample_document()
    made = page(document | {"charts": [document["charts"][0] | {"rows": []}]})

    assert "<figure" not in made
    assert 'id="charts"' not in made


def test_it_says_how_to_run_it_again(sample: str) -> None:
    text = words(sample)

    assert "hushwood reproduce sample-experiment --folds 10 --repeats 5 --data FOLDER" in text
    assert "0123456789abcdef" * 4 in text
    assert "12,345" in text
    assert "no file: part of a library, or generated" in text
    assert "2 minutes" in text


def test_an_experiment_of_our_own_asks_for_no_paper() -> None:
    text = words(page(ours_alone()))

    assert "No paper prints its numbers; 20 numbers of ours are below." in text
    assert "The paper:" not in text
    assert "agree" not in text
    assert "hushwood reproduce own-sample" in text
    assert "--data" not in text


def test_expectations_of_our_own_are_no_sentences_of_a_paper() -> None:
    rows = [row("ours", "See is better.", None, "differs", "Does not hold: no.") | {"ours": None}]
    document = ours_alone() | {"paper": "", "rows": rows, "counts": counted(rows)}
    text = words(page(document))

    assert "Of 1 expectation of ours, 1 differs." in text
    assert "What we expected" in text
    assert "See is better." in text
    assert "paper" not in text.lower().replace("a paper’s", "").split("made by")[0]
    assert "1 more experiment is of our own." in words(index_page([sample_document(), document]))


def test_the_same_document_gives_the_same_bytes(sample: str) -> None:
    assert page(json.loads(json.dumps(sample_document()))) == sample


NASTY = "</script><img src=x onerror=\"alert('1')\">"


@pytest.mark.parametrize(
    "target",
    [
        *(
            "A sample experiment with invented numbers",
            "Example 2001, tables 1 and 2",
            "alpha",
            "Table 1, page 10",
        ),
        *("Correlation 7", "Noise has no price.", "First Way", "%", "Agrees exactly.", "sample-experiment"),
    ],
)
def test_names_cannot_inject_markup(target: str) -> None:
    text = json.dumps(sample_document())
    assert json.dumps(target) in text
    document = json.loads(text.replace(json.dumps(target), json.dumps(NASTY)))

    for made in (page(document), index_page([document])):
        assert "<img" not in own_part(made)
        assert read(made).open == []


def test_the_index_leads_to_every_page() -> None:
    made = index_page([sample_document(), ours_alone()])
    reader = read(made)

    assert reader.open == []
    assert [load for load in reader.loads if not load.startswith(("#", "data:"))] == [
        "sample-experiment.html",
        "own-sample.html",
    ]
    text = words(made)
    assert (
        "1 experiment of the papers, 46 printed numbers and sentences: 41 agree, 4 differ, 1 cannot be compared."
        in text
    )
    assert "Our own: 20 numbers that no paper prints." in text
    assert len(made) < 100_000


def test_an_index_of_nothing_says_so() -> None:
    assert "None has been run yet." in words(index_page([]))


def test_a_small_run_says_so() -> None:
    size = {"folds": 2, "repeats": 1, "small": True}
    text = words(page(sample_document() | {"size": size, "charts": []}))

    assert (
        "ran a small version of sample-experiment, which proves nothing, with 2 folds and 1 repeat." in text
    )


@pytest.mark.parametrize(
    "size", [{"folds": None, "repeats": 3, "small": False}, {"folds": 2, "repeats": None, "small": True}]
)
def test_only_the_sizes_that_an_experiment_has_are_told(size: dict[str, Any]) -> None:
    text = words(page(sample_document() | {"size": size, "charts": []}))

    assert ("--folds" in text) == (size["folds"] is not None)
    assert ("--small" in text) == size["small"]
    assert ("--repeats" in text) == (size["repeats"] is not None)
