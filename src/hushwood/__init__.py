"""Hushwood releases tables about people: the patterns stay, the people do not show.

>>> import hushwood as hw
>>> from hushwood.demo.synthetic_tables import credit_risk
>>> done = hw.release(credit_risk(500, "0" * 64), seed="1" * 64, evidence="none")
>>> done.certificate["kept"], done.certificate["records"]
(500, 500)
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hushwood.version import __version__

if TYPE_CHECKING:
    from hushwood.api import (
        accept,
        attacks,
        audit,
        compare,
        measures,
        publish_tree,
        read_table,
        reconstruct,
        release,
        techniques,
        tune,
        verify,
        verify_tree,
    )
    from hushwood.errors import HushwoodError, HushwoodWarning
    from hushwood.jobs.clusters import clusters
    from hushwood.tables.formats.input_files import max_bytes
    from hushwood.tables.schema import Schema

__all__ = [
    "HushwoodError",
    "HushwoodWarning",
    "Schema",
    "__version__",
    "accept",
    "attacks",
    "audit",
    "clusters",
    "compare",
    "max_bytes",
    "measures",
    "publish_tree",
    "read_table",
    "reconstruct",
    "release",
    "techniques",
    "tune",
    "verify",
    "verify_tree",
]

_HOMES = {
    "HushwoodError": "hushwood.errors",
    "HushwoodWarning": "hushwood.errors",
    "Schema": "hushwood.tables.schema",
    "accept": "hushwood.api",
    "audit": "hushwood.api",
    "clusters": "hushwood.jobs.clusters",
    "compare": "hushwood.api",
    "max_bytes": "hushwood.tables.formats.input_files",
    "publish_tree": "hushwood.api",
    "reconstruct": "hushwood.api",
    "read_table": "hushwood.api",
    "release": "hushwood.api",
    "tune": "hushwood.api",
    "verify": "hushwood.api",
    "verify_tree": "hushwood.api",
}


class _Room(ModuleType):
    """A package that can also be asked what is in it: `hw.measures()` lists what `hushwood.measures` holds."""

    def __call__(self) -> Any:
        return getattr(import_module("hushwood.api"), self.__name__.rpartition(".")[2])()


for _name in ("attacks", "measures", "techniques"):
    import_module(f"hushwood.{_name}").__class__ = _Room


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that `import hushwood` stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'hushwood' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
