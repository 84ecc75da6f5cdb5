"""What is counted in a package made for it: a cycle behind a late import, a helper, lonely modules, a shared name."""

from __future__ import annotations

from pathlib import Path

from support.house import House

A = """
from hushwood.jobs.b import Way
from hushwood.tables.rows import many

def f(x, *, y):
    return many(Way, x, y)
"""
B = """
class Way:
    def go(self):
        from hushwood.jobs.a import f
        return _small(f)

def _small(f):
    return f
"""
ROWS = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from hushwood.jobs.a import f

class Way: ...

def many(a, b, c): ...
"""


def test_a_small_package_is_counted(tmp_path: Path) -> None:
    for name, text in {"jobs/a.py": A, "jobs/b.py": B, "tables/rows.py": ROWS}.items():
        path = tmp_path / "src" / "hushwood" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    house = House(tmp_path)
    assert house.cycles == [["hushwood.jobs.a", "hushwood.jobs.b"]]
    assert house.lonely_modules == ["hushwood.jobs.a", "hushwood.jobs.b"]
    assert house.shared_class_names == ["Way"]
    assert house.small_helpers == ["hushwood.jobs.b:_small"]
    assert house.parameters[:2] == [(3, "hushwood.tables.rows.many"), (2, "hushwood.jobs.a.f")]
    assert house.lines("src") == (3, 22)
