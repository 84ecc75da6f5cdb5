from __future__ import annotations

import polars as pl

from hushwood.evaluation.answer_frames import answer_frame
from hushwood.evaluation.levels import QUICK
from support.sample_release import credit_evaluation


def test_every_answer_has_a_row_with_the_numbers_of_the_document() -> None:
    evaluation = credit_evaluation(300, QUICK)
    frame = answer_frame(evaluation)
    document = evaluation.to_json()
    assert frame.height == len(document["measures"]) + len(document["attacks"])
    for row, entry in zip(
        frame.iter_rows(named=True), [*document["measures"], *document["attacks"]], strict=True
    ):
        assert row["name"] == entry["name"]
        assert row["reason"] == entry.get("not_computable")
        assert row["value"] == entry.get("value", entry.get("success"))
        assert [row["low"], row["high"]] == (entry.get("interval") or [None, None])


def test_columns_have_their_types_even_if_all_are_gaps() -> None:
    frame = answer_frame(credit_evaluation(300, QUICK))
    assert frame.schema["reason"] == pl.String
    assert frame.schema["control"] == pl.Float64
    assert frame.to_pandas().shape == frame.shape
