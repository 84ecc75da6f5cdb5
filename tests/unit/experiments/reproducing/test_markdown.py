"""The Markdown for the docs: a line per experiment, and all that differs."""

from __future__ import annotations

from hushwood.experiments.reproducing.markdown import markdown_summary
from sample_reproduction import counted, ours_alone, row, sample_document


def test_a_line_for_every_experiment_and_one_for_all() -> None:
    made = markdown_summary([sample_document(), ours_alone()], "reproduction/")

    assert made.startswith(
        "1 experiment of the papers, 46 printed numbers and sentences: 41 agree, 4 differ, 1 cannot be compared. "
    )
    assert (
        "| [sample-experiment](reproduction/sample-experiment.html) | A sample experiment with invented numbers "
        "(Example 2001, tables 1 and 2) | 41 | 0 | 0 | 4 | 1 |\n" in made
    )
    assert (
        "| [own-sample](reproduction/own-sample.html) | A question of our own (ours) | 0 | 0 | 0 | 0 | 0 |\n"
        in made
    )


def test_what_differs_is_listed_with_both_numbers() -> None:
    made = markdown_summary([sample_document(), ours_alone()])

    assert (
        "- Table 1, page 10. Second Way: right on the test records: printed 61 %, ours 61.25 % "
        "(median 61; 60 to 63 % in 10 runs). Differs: ours is 9 points lower; the reason is unknown.\n"
        in made
    )
    assert "- page 15. Noise has no price. Does not hold: it costs 9 points; the reason is unknown.\n" in made
    assert made.count("\n- ") == 4
    assert "What differs in own-sample" not in made


def test_very_many_differences_are_left_to_the_page() -> None:
    rows = [row("Table 1", f"Number {i}", 1.0, "differs", "Differs.") for i in range(40)]
    made = markdown_summary([sample_document() | {"rows": rows, "counts": counted(rows)}])

    assert made.count("\n- Table 1") == 12
    assert "- and 28 more rows, on [its page](sample-experiment.html)\n" in made


def test_names_cannot_break_the_table() -> None:
    made = markdown_summary([sample_document() | {"title": "a | b\n<c> *d*"}])

    assert r"| a \| b \<c\> \*d\* (Example" in made
