"""The report of a release as one HTML page that opens offline, made from the evaluation document alone.

Two versions: the internal one shows everything, the publishable one only what `redaction` lets through. What each
section shows is in `sections`, what all pages share in `page_frame`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports import sections
from hushwood.reports.page_frame import rendered
from hushwood.reports.redaction import publishable


def internal_report(document: Mapping[str, Any]) -> str:
    """The whole evaluation, for those who may see the original table."""
    return _page(document)


def publishable_report(document: Mapping[str, Any]) -> str:
    """What may travel with the released table: nothing about fewer than five records."""
    return _page(publishable(document))


def _page(document: Mapping[str, Any]) -> str:
    return rendered("report.html.j2", sections.everything(document))
