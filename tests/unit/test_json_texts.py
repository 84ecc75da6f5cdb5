from __future__ import annotations

import pytest

from hushwood.json_texts import parsed_json


def test_plain_documents_are_read() -> None:
    assert parsed_json(b'{"a": [1, {"b": null}], "c": {"b": 2.5}}') == {
        "a": [1, {"b": None}],
        "c": {"b": 2.5},
    }


@pytest.mark.parametrize("text", ['{"k": 2, "k": 2}', '[{"a": {"b": 1, "c": 2, "b": 3}}]', '{"k": 1'])
def test_a_name_given_twice_is_as_bad_as_no_json(text: str) -> None:
    with pytest.raises(ValueError):
        parsed_json(text)
