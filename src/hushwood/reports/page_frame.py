"""What every page has in common: templates, style, script and the chart library, put into one HTML text."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from hushwood.errors import visible, visible_everywhere
from hushwood.reports.charts import frame as charts
from hushwood.reports.charts.altair_charts import vega_script

if TYPE_CHECKING:
    from jinja2 import Environment

View = dict[str, Any]  # what a template is given


def rendered(template: str, view: View, package: str = "hushwood.reports") -> str:
    """A page that opens offline: the template with what it shows; another package may bring templates of its own."""
    folder = files("hushwood.reports") / "templates"
    return (
        _environment(package)
        .get_template(template)
        .render(
            view,
            style=(folder / "report.css").read_text(encoding="utf-8"),
            script=(folder / "report.js").read_text(encoding="utf-8"),
            vega=vega_script(),
            config=dict(charts.CONFIG),
        )
    )


def fragment(template: str, view: View) -> str:
    """A part of a page of others, such as a notebook: the template alone, without style, script and chart library."""
    return _environment("hushwood.reports").get_template(template).render(view)


@cache
def _environment(package: str) -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, "hushwood.reports"))]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters["visible"] = visible_everywhere
    return environment
