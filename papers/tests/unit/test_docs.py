"""What `make docs` writes: a line per experiment, what differs in each, and texts between marks."""

from __future__ import annotations

from hushwood_papers.docs import between_marks, experiments_table, joint_table, summary
from support.sample_reproduction import counted, ours_alone, row, sample_document


def test_a_line_for_every_experiment_and_one_for_all() -> None:
    text = summary([sample_document(), ours_alone()])
    assert text.startswith(
        "1 experiment of the papers, 46 printed numbers and sentences: 41 agree, 4 differ, 1 cannot be compared. "
    )
    assert (
        "| [sample-experiment](#what-differs-in-sample-experiment) | A sample experiment with invented numbers "
        "(Example 2001, tables 1 and 2) | 41 | 0 | 0 | 4 | 1 |\n" in text
    )
    assert "| own-sample | A question of our own (ours) | 0 | 0 | 0 | 0 | 0 |\n" in text


def test_what_differs_is_listed_with_both_numbers() -> None:
    text = summary([sample_document(), ours_alone()])
    assert (
        "- Table 1, page 10. Second Way: right on the test records: printed 61 %, ours 61.25 % "
        "(median 61; 60 to 63 % in 10 runs). Differs: ours is 9 points lower; the reason is unknown.\n"
        in text
    )
    assert "- page 15. Noise has no price. Does not hold: it costs 9 points; the reason is unknown.\n" in text
    assert text.count("\n- ") == 4
    assert "What differs in own-sample" not in text


def test_very_many_differences_are_left_to_the_page() -> None:
    rows = [row("Table 1", f"Number {i}", 1.0, "differs", "Differs.") for i in range(40)]
    text = summary([sample_document() | {"rows": rows, "counts": counted(rows)}])
    assert text.count("\n- Table 1") == 12
    assert "- and 28 more rows on its page\n" in text


def test_names_cannot_break_the_table() -> None:
    text = summary([sample_document() | {"title": "a | b\n<c> *d*"}])
    assert r"| a \| b \<c\> \*d\* (Example" in text


def test_the_table_of_the_papers_names_files_and_counts() -> None:
    document = sample_document() | {"experiment": "disclosure-wbc"}
    line = experiments_table([document]).splitlines()[2]
    assert line.startswith("| [`disclosure-wbc`](reproduction/README.md#what-differs-in-disclosure-wbc) |")
    assert "(../papers/src/hushwood_papers/disclosure/disclosure_wbc.py) | 41 | 0 | 0 | 4 | 1 |" in line


def test_every_joint_test_has_a_line() -> None:
    text = joint_table([sample_document(), ours_alone()])
    assert text.startswith("1 test, of which 1 can have a p below 0.05; 1 have.")
    line = "| sample-experiment | Table 1, page 10 | 3 | 1 | 49 | 0.04 | 0.02 | not like our runs |\n"
    assert text.endswith(line)


def test_a_page_gets_new_texts_and_keeps_its_words() -> None:
    page = "A\n<!-- a -->\nstale\n<!-- end of a -->\nB\n<!-- b -->\nstale\n<!-- end of b -->\nC\n"
    parts = {"a": "one", "b": "two\nlines\n"}
    new = between_marks(page, parts)
    assert new == "A\n<!-- a -->\none\n<!-- end of a -->\nB\n<!-- b -->\ntwo\nlines\n<!-- end of b -->\nC\n"
    assert between_marks(new, parts) == new
