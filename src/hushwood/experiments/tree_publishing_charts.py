"""The paper's figures 5 and 7 drawn from our runs, as small pictures for the docs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.experiments.tree_publishing_adult import Results
from hushwood.experiments.tree_publishing_folds import MONDRIAN, ORIGINAL, TPP

if TYPE_CHECKING:
    import altair as alt

# Ink that is read on light and on dark pages; the original is a broad line behind TPP's, which it equals.
_COLOURS = {ORIGINAL: "#9aa3ad", TPP: "#0b7285", MONDRIAN: "#c2560c"}
_WIDTHS = {ORIGINAL: 7, TPP: 2, MONDRIAN: 2}
_MUTED = "#6b7580"
_TEXT = {"labelColor": _MUTED, "titleColor": _MUTED, "titleFontWeight": "normal"}
_CONFIG: dict[str, Any] = {
    "aria": False,
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {**_TEXT, "domainColor": _MUTED, "tickColor": _MUTED, "gridOpacity": 0.4},
    "legend": {**_TEXT, "symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3},
}


def write_charts(results: Results, folder: Path) -> list[Path]:
    """Accuracy (or R squared) and K against the number of leaves, each as an SVG file."""
    import vl_convert

    drawn = {"score": score_chart(results), "k": k_chart(results)}
    paths = []
    for name, spec in drawn.items():
        path = folder / f"tree-publishing-{results.table}-{name}.svg"
        path.write_text(vl_convert.vegalite_to_svg(spec) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def score_chart(results: Results) -> dict[str, Any]:
    """How well trees of each size predict unseen records."""
    import altair as alt

    kinds = (ORIGINAL, TPP, MONDRIAN)
    rows = [
        {"leaves": n, "from": kind, "value": results.score(kind, n)} for kind in kinds for n in results.sizes
    ]
    title = "R squared" if results.regression else "share of unseen records right"
    axis = alt.Axis(format=".1f" if results.regression else ".0%")
    return _lines(rows, kinds, alt.Y("value:Q", title=title, scale=alt.Scale(zero=False), axis=axis))


def k_chart(results: Results) -> dict[str, Any]:
    """K of the releases of all records, on a logarithmic axis."""
    import altair as alt

    kinds = (TPP, MONDRIAN)
    rows = [
        {"leaves": n, "from": kind, "value": results.whole[kind, n]} for kind in kinds for n in results.sizes
    ]
    axis = alt.Axis(format=",d", values=[1, 10, 100, 1_000, 10_000])
    scale = alt.Scale(type="log")
    return _lines(rows, kinds, alt.Y("value:Q", title="K (logarithmic)", scale=scale, axis=axis))


def _lines(rows: Sequence[dict[str, Any]], kinds: Sequence[str], y: alt.Y) -> dict[str, Any]:
    import altair as alt

    sizes = sorted({row["leaves"] for row in rows})
    base = alt.Chart(alt.InlineData(list(rows))).encode(
        x=alt.X("leaves:Q", title="leaves", axis=alt.Axis(values=sizes, grid=False, labelFlush=False)),
        y=y,
        color=alt.Color(
            "from:N",
            scale=alt.Scale(domain=list(kinds), range=[_COLOURS[kind] for kind in kinds]),
            title="grown from",
        ),
    )
    layers: list[alt.Chart] = []
    for kind in kinds:
        own = base.transform_filter(alt.FieldEqualPredicate(field="from", equal=kind))
        layers.append(own.mark_line(strokeWidth=_WIDTHS[kind]))
        if kind != ORIGINAL:
            layers.append(own.mark_point(filled=True, size=40, opacity=1))
    spec: dict[str, Any] = alt.layer(*layers).properties(width=360, height=220).configure(**_CONFIG).to_dict()
    return spec
