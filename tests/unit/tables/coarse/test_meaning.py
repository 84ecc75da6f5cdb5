from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.coarse.meaning import recodings
from hushwood.tables.coarse.recodings import Groups, Moments
from hushwood.tables.coarse.rules import parsed_rules
from hushwood.tables.schema import Attribute, Schema
from support.mixed_tables import category, number, target

DAY = Attribute("visit", "numeric", storage="Date", low=0, high=9_000, precision=0)
MOMENT = Attribute("at", "numeric", storage="Datetime[us]", low=0, high=1e9, precision=3)
SCHEMA = Schema(
    (
        number("age", 0, 99),
        number("x", 0, 1, None),
        DAY,
        MOMENT,
        category("zip", ("13053", "1306", "9")),
        target("ill", ("no", "yes")),
    )
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aeg: 5", "There is no column to coarsen 'aeg'. Did you mean 'age'?"),
        ("ill: 1", "There is no column to coarsen 'ill'."),
        (
            "age: 2.5",
            "multiples of a positive number that is a multiple of the column's step 1; '2.5' was given",
        ),
        ("age: 0", "multiples of a positive number"),
        ("age: 1e-300", "a multiple of the column's step 1; '1e-300' was given"),
        ("x: wide", "multiples of a positive number from 1.1e-16 to 1e+70; 'wide' was given"),
        ("x: 1e-300", "from 1.1e-16 to 1e+70; '1e-300' was given"),
        ("x: 1e80", "from 1.1e-16 to 1e+70; '1e80' was given"),
        ("age: year", "Column 'age' holds numbers: round them, or give a top or bottom code"),
        ("age: top", "Give the top code of 'age' a value"),
        ("age: top old", "Column 'age' holds numbers; 'old' in a rule is not one"),
        ("age: top 10, bottom 20", "The bottom code of 'age', 20, must be below its top code, 10"),
        ("visit: day", "Column 'visit' holds Date values: coarsen them to year, quarter or month, such as"),
        ("at: year, month", "coarsen them to year, quarter, month or day"),
        ("zip: top 5", "Column 'zip' holds texts: say how many of their first characters stay"),
        ("zip: -1", "Column 'zip' holds texts"),
    ],
)
def test_what_does_not_fit_the_column_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        recodings(parsed_rules([text]), SCHEMA)
    assert said in str(refused.value)


def test_dates_and_times() -> None:
    days = np.array([0, 31, 364, 365, np.nan])
    year = Moments(DAY, "year")
    assert year.recode(days).tolist()[:4] == [0, 0, 0, 365]
    assert year.ends(days)[1].tolist()[:4] == [364, 364, 364, 729]
    assert np.isnan(year.recode(days)[4])
    assert Moments(DAY, "month").ends(days)[1].tolist()[:3] == [30, 58, 364]
    low, high = Moments(MOMENT, "day").ends(np.array([86_400.25]))
    assert (low.tolist(), high.tolist()) == ([86_400.0], [172_799.999])


def test_texts_keep_their_start() -> None:
    found = Groups.of_starts(SCHEMA["zip"], 3)
    assert [found.categories[code] for code in found.code_of[:3]] == ["130*", "130*", "9"]
    assert found.recode(np.array([-1, 2])).tolist() == [-1, 2]
    assert found.key == {}
    codes = Groups.of_starts(category("zip", ("13053", "13068", "14850")), 3)
    assert [codes.categories[code] for code in codes.code_of[:3]] == ["130**", "130**", "148**"]


def test_a_text_that_ends_where_others_are_cut_is_told_apart() -> None:
    """A reader takes "148*" for every text that starts so; only the key says that 148 itself is not meant."""
    found = Groups.of_starts(category("place", ("14850", "148")), 3)
    assert [found.categories[code] for code in found.code_of[:2]] == ["148*", "148"]
    assert found.key == {"148*": ("14850",)}


def test_codes_have_groups_of_their_own() -> None:
    more = tuple(f"K{n}.1" for n in range(20, 40))
    icd = category("icd", ("I10.9", "I21.0", "E11.9", "unknown", *more))
    found = Groups.of_codes(icd, "chapter")
    wanted = ["I00-I99", "I00-I99", "E00-E90", "other", "K00-K95"]
    assert [label.split()[0] for label in found.labels()][:5] == wanted
    with pytest.raises(InputError, match="Column 'job' does not hold codes that have a chapter"):
        Groups.of_codes(category("job", ("nurse", "clerk")), "chapter")
    with pytest.raises(InputError, match="There is no level of ICD-10 codes 'area'"):
        Groups.of_codes(icd, "area")


def test_postcodes_get_their_zeros_back() -> None:
    found = Groups.of_starts(category("zip", ("1067", "10115", "80331")), 2)
    assert found.labels() == ["01***", "10***", "80***"]
