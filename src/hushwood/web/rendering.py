"""Templates to pages: everything from a table is text there, and hidden characters are spelt out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from hushwood.errors import visible
from hushwood.version import __version__
from hushwood.web.desk import Desk, OpenTable

if TYPE_CHECKING:
    from jinja2 import Environment


def desk_of(request: Request) -> Desk:
    """The desk that all pages share."""
    desk: Desk = request.app.state.desk
    return desk


def table_of(request: Request) -> OpenTable:
    """The open table that a page is about."""
    return desk_of(request).table(int(request.path_params["number"]))


def form_of_job(request: Request, otherwise: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """How a form was filled in for the job that the address names; `otherwise` where it names none."""
    number = request.query_params.get("job", "")
    return desk_of(request).job(int(number)).form if number.isdecimal() else otherwise or {}


def page(request: Request, template: str, status: int = 200, **view: Any) -> HTMLResponse:
    """A whole page, or a part of one."""
    shared = {"desk": desk_of(request), "version": __version__, "here": request.url.path}
    return HTMLResponse(_environment().get_template(template).render({**shared, **view}), status)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("hushwood.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters |= {
        "share": share,
        "duration": duration,
        "zip_self": _named_by_themselves,
    }
    return environment


def _named_by_themselves(names: list[str]) -> list[tuple[str, str]]:
    """Options of a choice whose values are what is shown."""
    return [(name, name) for name in names]


def share(part: float) -> str:
    """A share in percent.

    >>> share(0), share(0.004), share(0.5)
    ('none', 'under 1\\xa0%', '50\\xa0%')
    """
    if part == 0:
        return "none"
    return "under 1\N{NO-BREAK SPACE}%" if part < 0.01 else f"{100 * part:.0f}\N{NO-BREAK SPACE}%"


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(7.2), duration(95)
    ('7 s', '1 min 35 s')
    """
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"
