"""What names of columns say, in English and German, and what they do not say."""

from __future__ import annotations

import pytest

from hushwood.tables.columns.header_words import names_no_code, said_by, weakly_names_records


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (
            ["name", "Surname", "Vorname", "NACHNAME", "Familienname", "patient", "LastName", "Namen"],
            "names of persons",
        ),
        (["email", "E-Mail", "e_mail_address", "Mailadresse", "user.email"], "e-mail addresses"),
        (
            ["phone", "Telefon", "Handy", "Handynummer", "Tel.", "Mobilnummer", "telephone", "Rufnummer"],
            "phone numbers",
        ),
        (
            ["Adresse", "Straße", "STRASSE", "Strasse 2", "address", "street", "Wohnanschrift"],
            "postal addresses",
        ),
        (["IBAN", "Kontonummer", "Kreditkartennummer"], "bank account numbers"),
        (
            ["SSN", "Versichertennummer", "KVNr", "Reisepassnummer", "passport no", "Steuer-Nr."],
            "insurance, tax or identity card numbers",
        ),
        (
            ["Geburtsdatum", "dob", "date of birth", "geb.", "GebDat", "Geburtstag", "birthday"],
            "dates of birth",
        ),
        (
            ["comment", "Bemerkung", "Bemerkungen", "Notiz", "Kommentar", "Diagnose-Text", "Befund", "notes"],
            "free text",
        ),
        (
            ["PatID", "Patienten-ID", "Fallnummer", "id", "CaseID", "Kunden-Nr", "Fall Nr.", "uuid"],
            "record numbers",
        ),
    ],
)
def test_what_names_say(names: list[str], kind: str) -> None:
    assert {name: said_by(name) for name in names} == dict.fromkeys(names, kind)


@pytest.mark.parametrize(
    "name",
    [
        "age",
        "Alter",
        "PLZ",
        "paid",
        "renamed",
        "tenement",
        "phoneme",
        "addressee",
        "females",
        "Diagnose",
        "valid",
        "",
        "Ortsname",
        "country_name",
        "patient age",
        "Untersuchung",
        "Strahlung",
        "123",
    ],
)
def test_names_that_say_nothing(name: str) -> None:
    assert said_by(name) is None


def test_numbers_and_quantities() -> None:
    assert [weakly_names_records(name) for name in ("key1", "case no", "nr", "north", "keyed")] == [
        True
    ] * 3 + [False] * 2
    assert [names_no_code(name) for name in ("number of children", "PLZ", "birth year", "case number")] == [
        True
    ] * 3 + [False]
