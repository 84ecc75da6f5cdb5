"""Recover a distribution from released values whose noise is known.

Two examples: ages with normal noise added, as by Agrawal and Srikant, and the Age column of a table released by
`framework`, where LINNAPT keeps the noise inside the domain by wrapping it. No single age is recovered.

    python examples/reconstruction.py
    python examples/reconstruction.py --chart recovered.png
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import hushwood as hw
from hushwood.arrays import Floats
from hushwood.demo.synthetic_tables import credit_risk
from hushwood.reconstruction import (
    AddedNoise,
    Reconstruction,
    information_loss,
    privacy,
    privacy_loss,
    reconstruct,
    reconstruct_column,
)
from hushwood.tables.frames.storage import frame_from_table
from hushwood.techniques.laws.noise import NoiseParameters

PEOPLE = 20_000
SEED = "5eed" * 16
BAR = 15


@dataclass(frozen=True)
class Shown:
    """One experiment: shares of people per age interval, original, released and recovered."""

    title: str
    edges: Floats
    original: Floats
    released: Floats
    recovered: Floats


def added_noise() -> Shown:
    """Students and pensioners, with normal noise of 12 years on every age."""
    chance = np.random.default_rng(1)
    young = chance.random(PEOPLE) < 0.6
    ages = np.where(young, chance.normal(28, 6, PEOPLE), chance.normal(66, 7, PEOPLE)).clip(15, 90)
    noise = AddedNoise(12.0, domain=(15, 90))
    released = ages + chance.normal(0, noise.scale, PEOPLE)
    found = reconstruct(released, noise, intervals=15)
    shown = compared("Normal noise of 12 years added to every age", found, ages, released)
    earlier = reconstruct(released, noise, intervals=15, method="bayes")
    print(f"  Bayes reaches {information_loss(earlier, ages):.2f} in {earlier.iterations} steps.")
    print(
        f"  Given the distribution, an age is as uncertain as a uniform draw from {privacy(found):.0f} years;"
    )
    print(f"  a released age rules out {privacy_loss(found, noise):.0%} of them.\n")
    return shown


def framework_release() -> Shown:
    """A release with all columns perturbed; the receiver has the released table and the manifest."""
    chance = np.random.default_rng(2)
    ages = np.rint(18 + 72 * chance.beta(1.7, 5.0, PEOPLE))
    frame = frame_from_table(credit_risk(PEOPLE, SEED)).with_columns(pl.Series("Age", ages.astype(int)))
    with warnings.catch_warnings(action="ignore", category=hw.HushwoodWarning):  # that the seed is no secret
        done = hw.release(frame, target="Credit Risk", technique="framework", seed=SEED, evidence="none")

    released = hw.read_table(done.frame, target="Credit Risk")
    stated = done.manifest["parameters"]
    noise = NoiseParameters(stated["noise"], stated["boundary"], stated["distribution"])
    found = reconstruct_column(released, "Age", noise, intervals=np.arange(17.5, 90, 5))
    title = f"Age in a release by framework: noise of {noise.noise:.0%} of the domain, wrapped"
    shown = compared(title, found, ages, released.columns["Age"])
    means = ages.mean(), released.columns["Age"].mean(), found.mean
    print("  Mean age: {:.1f} original, {:.1f} released, {:.1f} recovered.".format(*means))
    return shown


def compared(title: str, found: Reconstruction, original: Floats, released: Floats) -> Shown:
    """Print the three distributions side by side, and their distances from the original."""
    edges = found.edges
    before, after = (np.histogram(ages, edges)[0] / PEOPLE for ages in (original, released))
    print(title)
    head = "".join(f"  {word:{BAR + 7}}" for word in ("original", "released", "recovered"))
    print(f"  {'age':11}{head}".rstrip())
    for place in range(len(edges) - 1):
        shares = [shares[place] for shares in (before, after, found.probabilities)]
        bars = "".join(f"  {share:6.1%} {'█' * round(BAR * share / before.max()):{BAR}}" for share in shares)
        print(f"  {edges[place]:4.4g} - {edges[place + 1]:4.4g}{bars}".rstrip())
    off = (abs(after - before).sum() + 1 - after.sum()) / 2
    print(
        f"  Total variation from the original: {off:.2f} released, {information_loss(found, original):.2f} recovered"
    )
    print(f"  by EM in {found.iterations} steps.")
    return Shown(title, edges, before, after, found.probabilities)


def draw(experiments: list[Shown], path: Path) -> None:
    """Original as bars, released and recovered as lines."""
    import altair as alt

    panels = []
    for shown in experiments:
        rows = [
            {"low": float(low), "high": float(high), "share": float(share), "which": which}
            for which, shares in (
                ("original", shown.original),
                ("released", shown.released),
                ("recovered", shown.recovered),
            )
            for low, high, share in zip(shown.edges, shown.edges[1:], shares, strict=False)
        ]
        base = alt.Chart(pl.DataFrame(rows)).encode(
            x=alt.X("low:Q", title="age", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(grid=False)),
            x2="high:Q",
            y=alt.Y("share:Q", title="share of people", axis=alt.Axis(format=".0%")),
            color=alt.Color(
                "which:N",
                title=None,
                sort=None,
                legend=alt.Legend(orient="bottom"),
                scale=alt.Scale(
                    domain=["original", "released", "recovered"], range=["#d5dbd7", "#c9822b", "#2f6f4f"]
                ),
            ),
        )
        bars = (
            base.transform_filter("datum.which == 'original'").mark_bar(binSpacing=1).encode(y2=alt.datum(0))
        )
        lines = base.transform_filter("datum.which != 'original'").mark_rule(strokeWidth=3)
        panels.append(alt.layer(bars, lines).properties(width=420, height=230, title=shown.title))
    alt.hconcat(*panels).configure_view(stroke=None).save(str(path), scale_factor=2)


def main() -> None:
    """Run both experiments."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--chart", type=Path, metavar="FILE", help="also draw a chart (.png, .svg or .html)")
    chart = asked.parse_args().chart
    experiments = [added_noise(), framework_release()]
    if chart is not None:
        draw(experiments, chart)
        print(f"\nChart: {chart}")


if __name__ == "__main__":
    main()
