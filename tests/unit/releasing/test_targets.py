"""What a forest predicts where there is no class, or where one tree must do for several."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import most_predictable, one_label, predicted_columns
from hushwood.tables.reading import read_table

STREAMS = Streams(bytes(32))


def frame(rows: int = 400) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    x = rng.normal(size=rows)
    return pl.DataFrame(
        {
            "noise": rng.normal(size=rows).round(2),
            "half": np.where(rng.random(rows) < 0.2, "?", np.where(x > 0, "up", "down")),
            "x": x.round(3),
            "same": np.where(x > 0, "plus", "minus"),
            "constant": ["one"] * rows,
        }
    )


def test_the_most_predictable_columns_come_first_and_constants_are_left_out() -> None:
    found = most_predictable(read_table(frame()), STREAMS)
    assert found[0] == "same"
    assert found[-1] == "noise"
    assert "constant" not in found
    assert predicted_columns(read_table(frame()), 2, STREAMS) == found[:2]


def test_declared_classes_win() -> None:
    table = read_table(frame(), target=["noise", "half"])
    assert predicted_columns(table, 1, STREAMS) == ("noise", "half")


def test_one_column_alone_predicts_itself() -> None:
    assert most_predictable(read_table(pl.DataFrame({"a": [1, 2, 3]})), STREAMS) == ("a",)


def test_one_tree_for_several_classes_predicts_their_combinations() -> None:
    table = read_table(
        pl.DataFrame({"a": ["x", "y", None, "y"], "n": [1.0, 2.0, 3.0, 4.0], "b": ["u", "v", "u", "u"]}),
        target=["a", "b"],
    )
    label = one_label(table)
    assert label is not None
    assert label.name == "a and b"
    assert label.classes == ("x, u", "x, v", "y, u", "y, v")
    assert label.codes.tolist() == [0, 3, -1, 2]
    assert one_label(read_table(frame(), target="half")) is None


def test_without_a_class_the_principal_score_stands_in() -> None:
    label = one_label(read_table(frame()))
    assert label is not None
    assert label.name == "the first principal score"
    assert set(label.codes.tolist()) <= {0, 1, 2}
