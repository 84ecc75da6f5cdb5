"""Vega for the pages: one script that draws the charts without a network.

Bundling it takes seconds, so the result is kept with Python's own compiled files, as numba keeps its loops.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

_KEPT = Path(__file__).parent / "__pycache__"


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
