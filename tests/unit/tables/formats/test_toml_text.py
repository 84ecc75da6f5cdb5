"""Any text as a TOML string."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.formats.toml_text import quoted


@given(st.text())
def test_every_text_is_read_as_it_was(text: str) -> None:
    assert tomllib.loads(f"x = {quoted(text)}") == {"x": text}
