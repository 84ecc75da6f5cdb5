"""CART synthesis by python-synthpop with its defaults, run in its own environment: FOLDER/in.csv → out.csv.

Its own coding of categories fails from ten levels on with current libraries, so its CART method is given codes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from synthpop.method.cart import CARTMethod


def main(folder: Path) -> None:
    about = json.loads((folder / "about.json").read_text("utf-8"))
    categories = about["categories"]
    table = pd.read_csv(folder / "in.csv", dtype=dict.fromkeys(categories, str), keep_default_na=False)
    levels = {name: sorted(table[name].unique()) for name in categories}
    for name, known in levels.items():
        table[name] = pd.Categorical(table[name], known).codes.astype(int)
    np.random.seed(about["seed"])  # noqa: NPY002 - the peer draws from numpy's own generator
    kinds = {name: "categorical" if name in levels else "numerical" for name in table.columns}
    model = CARTMethod(kinds, random_state=about["seed"] % 2**31)
    model.fit(table)
    made = model.sample(len(table))
    for name, known in levels.items():
        made[name] = [known[int(code)] for code in made[name]]
    made.to_csv(folder / "out.csv", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
