"""Judge a release that another tool made.

Another tool dropped the names and rounded two columns, and its maker calls that anonymous. 500 people who were never
in the table show what an intruder learns only because a person is in it.
"""

from __future__ import annotations

import warnings

import polars as pl

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk

warnings.simplefilter("ignore", hw.HushwoodWarning)

people = credit_risk(1_000, "2" * 64).to_frame()
original, others = people[:500], people[500:]
theirs = original.with_columns((pl.col("House Rent", "Income") / 10).round() * 10)

found = hw.audit(
    original,
    theirs,
    target="Credit Risk",
    match="rows",
    holdout=others,
    policy="public",
    only=["linkage", "attribute_inference", "unchanged_cells", "correlations", "prediction_accuracy"],
)

print(found)
answers = found.to_frame().group_by("name", maintain_order=True).agg(pl.col("value").max())
for name, value in answers.iter_rows():
    print(f"  {name:22}{value:6.2f}")
print("Utility is nearly perfect, and nearly everyone is found: rounding hides nobody.")
