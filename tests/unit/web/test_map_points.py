"""Points of a search in the picture."""

from __future__ import annotations

from typing import Any

from hushwood.web.pages.result import placed


def point(label: str, risk: float, utility: float, **more: Any) -> dict[str, Any]:
    return {
        "score": {"label": label},
        "risk": risk,
        "utility": utility,
        "judged": True,
        "cleared": True,
        **more,
    }


def test_every_point_has_its_place_and_its_word() -> None:
    tried = {
        "winner": "b",
        "points": [
            point("a", 0.0, 0.0, judged=False, cleared=False),
            point("b", 1.0, 1.0),
            point("c", 16.0, 0.5, cleared=False),
        ],
    }
    found = placed(tried)

    assert [(p.x, p.y, p.what, p.chosen) for p in found] == [
        (48.0, 312.0, "compared on a sample only", False),
        (320.0, 48.0, "cleared", True),
        (592.0, 180.0, "not cleared", False),
    ]
    assert [p.number for p in found] == [1, 2, 3]
