from __future__ import annotations

import ast

from website.keyword_types import PLACE, keyword_types


def test_the_types_of_keywords_are_those_of_the_declared_options() -> None:
    written, declared = ast.parse(PLACE.read_text(encoding="utf-8")), ast.parse(keyword_types())
    message = "Write them anew: PYTHONPATH=src:documentation python -m website.keyword_types"
    assert ast.dump(written) == ast.dump(declared), message
