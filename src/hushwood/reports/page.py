"""The report of a release as one HTML page that opens offline, made from the evaluation document alone.

Two versions: the internal one shows everything, the publishable one only what `redaction` lets through. What each
section shows is in `sections`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from hushwood.reports import charts, sections
from hushwood.reports.redaction import publishable
from hushwood.reports.vega import vega_script

if TYPE_CHECKING:
    from jinja2 import Environment


def internal_report(document: Mapping[str, Any]) -> str:
    """The whole evaluation, for those who may see the original table."""
    return _page(document)


def publishable_report(document: Mapping[str, Any]) -> str:
    """What may travel with the released table: nothing about fewer than five records."""
    return _page(publishable(document))


def _page(document: Mapping[str, Any]) -> str:
    folder = files("hushwood.reports") / "templates"
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            sections.everything(document),
            style=(folder / "report.css").read_text(encoding="utf-8"),
            script=(folder / "report.js").read_text(encoding="utf-8"),
            vega=vega_script(),
            config=dict(charts.CONFIG),
        )
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("hushwood.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
