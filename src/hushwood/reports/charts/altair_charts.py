"""The charts of reports for notebooks, as Altair charts and as pictures; and the library that draws them on a page.

A page has its colours as CSS variables, which neither an Altair chart nor a picture knows; they get the light ones.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from hushwood.reports.charts.frame import CONFIG, DATA, Chart, Spec
from hushwood.tables.extras import library

WIDTH = 460
_SIDE = 260  # the width of each of two charts that are read side by side
_LONG_LINE = 68  # letters of a subtitle
_KEPT = Path(__file__).parent / "__pycache__"


def altair_chart(charts: Sequence[Chart]) -> Any:
    """One Altair chart, of several one below the other; altair is an extra."""
    altair = library("altair", "Charts", "plots")
    return altair.Chart.from_dict(whole_spec(charts))


def picture(charts: Sequence[Chart]) -> str:
    """An SVG picture as the source of an `img`: nothing in it can run or leak into the page."""
    import vl_convert

    svg = str(vl_convert.vegalite_to_svg(whole_spec(charts)))
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode('utf-8')).decode('ascii')}"


def whole_spec(charts: Sequence[Chart]) -> dict[str, Any]:
    """A specification that needs no page: sizes and colours are fixed, and the rows are where they are drawn."""
    drawn = [_alone(chart) for chart in charts]
    whole = drawn[0] if len(drawn) == 1 else {"vconcat": drawn, "spacing": 28}
    resolved = {"resolve": {"scale": {"color": "independent"}}} if len(drawn) > 1 else {}
    return dict(_coloured({**whole, **resolved, "config": {**CONFIG, "background": "white"}}))


def _alone(chart: Chart) -> Spec:
    title = {
        "text": chart.title,
        "subtitle": _lines(chart.says),
        "anchor": "start",
        "offset": 12,
        "fontSize": 14,
    }
    title |= {"subtitleColor": "var(--muted)", "color": "var(--ink)"}
    if chart.second is None:
        return {**_sized(chart.spec, WIDTH), "title": title}
    pair = [
        {**_sized(spec, _SIDE), "title": caption}
        for spec, caption in zip((chart.spec, chart.second), chart.captions, strict=True)
    ]
    return {"hconcat": pair, "title": title}


def _sized(spec: Spec, width: int) -> Spec:
    """The specification with a width of its own and its rows inside."""
    rows = spec["datasets"][DATA]
    inside = {name: part for name, part in spec.items() if name != "datasets"}
    # A width in pixels was chosen by the chart itself.
    own = spec["width"] if isinstance(spec.get("width"), int) else width
    return {**inside, "data": {"values": rows}, "width": own}


def _lines(text: str) -> list[str]:
    """A sentence in lines that a chart has room for."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= _LONG_LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _coloured(part: Any) -> Any:
    """The part with colours in the place of CSS variables; rows hold texts of the table, which stay as they are."""
    if isinstance(part, Mapping):
        return {
            name: _in_rows(value) if name == "values" and _are_rows(value) else _coloured(value)
            for name, value in part.items()
        }
    if isinstance(part, list | tuple):
        return [_coloured(one) for one in part]
    return _colour(part)


def _are_rows(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(row, Mapping) for row in value)


def _in_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows may name the colour they are drawn in, in a field of that name."""
    return [{key: _colour(value) if key == "colour" else value for key, value in row.items()} for row in rows]


def _colour(value: Any) -> Any:
    found = re.fullmatch(r"var\(--([\w-]+)\)", value) if isinstance(value, str) else None
    return colours()[found[1]] if found else value


@cache
def colours() -> Mapping[str, str]:
    """The colours of a report's page in light, by name."""
    style = (files("hushwood.reports") / "templates" / "report.css").read_text(encoding="utf-8")
    first = style[style.index(":root") : style.index("}", style.index(":root"))]
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{3,8});", first))


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script."""
    kept = _KEPT / f"vega-{version('vl-convert-python')}.js"
    if kept.is_file():
        return kept.read_text(encoding="utf-8")
    import vl_convert

    newest = vl_convert.get_vegalite_versions()[-1]
    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", newest))
    script = bundle.replace("</script", "<\\/script")
    _keep(script, kept)
    return script


def _keep(script: str, path: Path) -> None:
    """Write the file whole or not at all; where nothing can be written, the next run bundles again."""
    try:
        path.parent.mkdir(exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(script)
        Path(aside).chmod(0o644)
        Path(aside).replace(path)
    except OSError:
        return
