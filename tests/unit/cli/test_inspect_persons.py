from __future__ import annotations

import polars as pl

from support.command_line import Command


def test_inspect_shows_persons(hushwood: Command) -> None:
    frame = pl.DataFrame(
        {"patient": list("aaabbc"), "age": [40, 40, 40, 50, 50, 60], "stay": [1, 2, 3, 4, 5, 6]}
    )
    frame.write_csv("stays.csv")
    shown = hushwood("inspect", "stays.csv", "--person", "patient").out
    assert "3 persons (patient) with 6 rows" in shown
    assert "The same in all rows of a person: age." in shown
