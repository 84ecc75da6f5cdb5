from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.releasing.noise_texts import column_noise, noise_arguments, plain_noise
from hushwood.releasing.options import PerturbOptions


def test_one_number_for_all_and_others_for_some() -> None:
    texts = ["age=1/10", "0.2", "pay = 0.5"]
    assert plain_noise(texts) == 0.2
    assert column_noise(["age=1/10", "0.2"]) == {"age": 0.1}


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["0.1", "0.2"], "--noise is given 2 times without a column: 0.1, 0.2."),
        (["age=0.1", "age=0.2"], "--noise is given twice for column 'age'; keep one."),
        (["age=much"], "--noise must be a number or a fraction such as 1/3; 'much' was given."),
        (["age="], "'' was given"),
    ],
)
def test_what_contradicts_itself_is_refused(texts: list[str], says: str) -> None:
    with pytest.raises(InputError) as refused:
        plain_noise(texts), column_noise(texts)
    assert says in str(refused.value)


def test_python_gives_a_number_or_numbers_by_column() -> None:
    assert noise_arguments(0.2) == {"noise": 0.2}
    assert noise_arguments(0.2, {"age": 0.1}) == {"noise": 0.2, "noise_by_column": {"age": 0.1}}
    shares: Any = {"age": np.float32(0.5)}
    given = noise_arguments(shares)
    assert json.loads(json.dumps(given)) == {"noise_by_column": {"age": 0.5}}
    with pytest.raises(InputError, match="omit one of them"):
        noise_arguments({"age": 0.1}, {"pay": 0.1})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"noise": -1},
            "--noise must be a share of the range or the value, between 0 and 100; -1 was given.",
        ),
        ({"noise_by_column": {"age": 101.0}}, "--noise for 'age' must be a share of the range or the value"),
        ({"noise_by_column": {"age": "a lot"}}, "'a lot' was given"),
        ({"noise_influential": 200.0}, "--noise-influential must be a share"),
        (
            {"noise_of": "values"},
            "--noise-of must be range or value; 'values' was given. Did you mean 'value'?",
        ),
    ],
)
def test_shares_that_make_no_sense_are_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(InputError) as refused:
        PerturbOptions(**given)  # type: ignore[arg-type]
    assert says in str(refused.value)
