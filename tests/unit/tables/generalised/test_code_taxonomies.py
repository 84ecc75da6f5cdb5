from __future__ import annotations

from hushwood.tables.generalised.code_taxonomies import code_taxonomy, with_codes
from hushwood.tables.generalised.taxonomies import Taxonomy, check_complete
from hushwood.tables.schema import Attribute, Schema

ZIP = Attribute("zip", "categorical", categories=("01067", "10115", "10117"), hierarchy="prefix")
ICD = Attribute("icd", "categorical", categories=("C50.4", "I10.0", "none"), hierarchy="icd-10")


def test_codes_go_up_by_their_first_signs() -> None:
    found = code_taxonomy(ZIP)
    assert found is not None
    assert found.levels["10117"] == ("10117", "1011*", "101**", "10***", "1****", "*")
    assert found.levels["01067"][-2] == "0****"


def test_diagnoses_go_up_by_category_and_chapter_and_other_texts_stay() -> None:
    found = code_taxonomy(ICD)
    assert found is not None
    check_complete(found, ICD.categories)
    assert found.levels["I10.0"] == ("I10.0", "I10.-", "I00-I99 circulatory system", "*")
    assert found.levels["none"] == ("none", "none", "none", "*")


def test_there_is_none_without_codes_or_where_a_code_is_a_group() -> None:
    assert code_taxonomy(Attribute("a", "categorical", categories=("x", "y"))) is None
    own_group = Attribute("a", "categorical", categories=("AB1", "AB2", "AB*"), hierarchy="prefix")
    assert code_taxonomy(own_group) is None


def test_given_taxonomies_come_first() -> None:
    own = Taxonomy("zip", {code: (code, "*") for code in ZIP.categories})
    schema = Schema((ZIP, ICD, Attribute("age", "numeric")))
    assert set(with_codes({}, schema.names, schema)) == {"zip", "icd"}
    assert with_codes({"zip": own}, ["zip"], schema) == {"zip": own}
