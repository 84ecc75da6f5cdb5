"""What every page has in common: templates, style, script and the chart library, put into one HTML text.

What a page says is in `page` for a release and in `tree_page` for a published tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from hushwood.reports import charts
from hushwood.reports.vega import vega_script
from hushwood.visible_text import visible, visible_everywhere

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(template: str, view: Mapping[str, Any]) -> str:
    """A page that opens offline: the template with what it shows."""
    folder = files("hushwood.reports") / "templates"
    return (
        _environment()
        .get_template(template)
        .render(
            view,
            style=(folder / "report.css").read_text(encoding="utf-8"),
            script=(folder / "report.js").read_text(encoding="utf-8"),
            vega=vega_script(),
            config=dict(charts.CONFIG),
        )
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("hushwood.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters["visible"] = visible_everywhere
    return environment
