"""Numbers in words, for the sentences that measures and reports say."""

from __future__ import annotations

_SPACE = "\N{NO-BREAK SPACE}"


def percent(share: float | None) -> str:
    """A share with one decimal, none if it is whole; a tiny one is not called zero.

    >>> percent(0.125), percent(1.0), percent(0.0002)
    ('12.5\\xa0%', '100\\xa0%', 'under 0.1\\xa0%')
    """
    if share is None:
        return "a few"
    if 0 < share < 0.001:
        return f"under 0.1{_SPACE}%"
    if 0.999 < share < 1:
        return f"over 99.9{_SPACE}%"
    return f"{100 * share:.1f}".removesuffix(".0") + f"{_SPACE}%"
