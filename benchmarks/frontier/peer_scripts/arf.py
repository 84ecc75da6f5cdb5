"""Adversarial random forest by arfpy with its defaults, run in arfpy's own environment: FOLDER/in.csv → out.csv.

Numbers are rounded to the decimals of their column, as an analyst would do. arfpy 0.1.1 needs `pandas<3`.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from arfpy import arf


def main(folder: Path) -> None:
    warnings.simplefilter("ignore")
    about = json.loads((folder / "about.json").read_text("utf-8"))
    categories = about["categories"]
    table = pd.read_csv(folder / "in.csv", dtype=dict.fromkeys(categories, str), keep_default_na=False)
    table[categories] = table[categories].astype("category")
    if not hasattr(np, "in1d"):  # arfpy 0.1.1 uses a name that numpy 2.4 has dropped
        np.in1d = np.isin  # type: ignore[attr-defined]  # noqa: NPY201
    np.random.seed(about["seed"])  # noqa: NPY002 - arfpy draws from numpy's own generator
    model = arf.arf(x=table, verbose=False, random_state=about["seed"])
    model.forde()
    made = model.forge(n=len(table))
    for name, decimals in about["decimals"].items():
        made[name] = made[name].astype(float).round(decimals)
    made.to_csv(folder / "out.csv", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
