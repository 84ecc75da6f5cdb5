"""Libraries that only some tables need, which come with an extra of the package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hushwood.errors import InputError


def library(name: str, what: str, extra: str) -> Any:
    """A library by the name of its module; `what` is read or written with it, and the `extra` brings it."""
    try:
        return import_module(name)
    except ImportError:
        raise InputError(
            f"{what} need libraries that are not installed here; install them with pip install '.[{extra}]' in "
            "Hushwood's folder."
        ) from None
