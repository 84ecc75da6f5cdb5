"""Texts and lists in TOML files come back as they were."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.formats.toml_text import list_text, quoted


@given(texts=st.lists(st.text()))
def test_any_texts_come_back(texts: list[str]) -> None:
    assert tomllib.loads(f"a = {list_text([quoted(text) for text in texts])}") == {"a": texts}
