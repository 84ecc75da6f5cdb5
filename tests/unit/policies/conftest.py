"""Advice is what these tests are about: it is tried."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def advice_is_tried(tried_advice: None) -> None: ...
