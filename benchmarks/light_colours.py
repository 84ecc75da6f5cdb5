"""The reports' light colours for pictures in the docs, which have no page to take them from."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any


def coloured(part: Any) -> Any:
    """The same specification with the light colours of the reports in place of their names."""
    if isinstance(part, dict):
        return {key: coloured(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [coloured(value) for value in part]
    if isinstance(part, str) and part.startswith("var(--"):
        return _light_colours()[part.removeprefix("var(--").removesuffix(")")]
    return part


def _light_colours() -> dict[str, str]:
    style = (files("hushwood.reports") / "templates" / "report.css").read_text("utf-8")
    light = style.partition("@media")[0]
    return dict(re.findall(r"--([\w-]+):\s*(#\w+)", light))
