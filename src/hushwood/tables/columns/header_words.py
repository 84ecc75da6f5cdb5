"""What the name of a column says about it: words for people, contact data, codes and texts in seven languages.

English and German words are patterns, because German joins words; those of French, Spanish, Italian, Dutch and Polish
are listed in `header_words.toml`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from importlib.resources import files
from itertools import pairwise

NAMES, MAIL, PHONE, ADDRESS = "names of persons", "e-mail addresses", "phone numbers", "postal addresses"
ACCOUNTS, DOCUMENTS = "bank account numbers", "insurance, tax or identity card numbers"
BIRTH, TEXT, RECORDS = "dates of birth", "free text", "record numbers"

# A word of the name must match as a whole; where several match, the first counts.
_SAID = {
    MAIL: r"e?mails?|[a-z]*(email|mailadresse)",
    PHONE: r"(tele|cell|mobile)?phones?|tel|mobile?|mobil(nummer|nr)|fax|[a-z]*(telefon|handy|telefax)(nummer|nr)?"
    r"|ruf(nummer|nr)",
    NAMES: r"[a-z]*names?|[a-z]*namen|surnames?",
    BIRTH: r"birth(day|date)?|born|dob|geb|gebdat(um)?|geburts?(datum|tag)?",
    ADDRESS: r"address(es)?|addr|street|str|[a-z]*(strasse|adresse|anschrift)|haus(nummer|nr)",
    ACCOUNTS: r"iban|account|konto|konto(nummer|nr)|creditcard|kreditkarten?(nummer|nr)?",
    DOCUMENTS: r"ssn|passport|nino|[a-z]*(ausweis|reisepass)(nummer|nr)?|[a-z]*versichert?(en|ungs)?(nummer|nr)"
    r"|(kv|sv|rv|ahv)(nummer|nr)|steuer(id|nummer|nr)",
    TEXT: r"comments?|notes?|remarks?|descriptions?|[a-z]*bemerkung(en)?|[a-z]*kommentare?|anmerkung(en)?"
    r"|[a-z]*notiz(en)?|texts?|(frei|diagnosen?|befund|arzt)texte?|befunde?|anamnese|epikrise|beschreibung(en)?",
    RECORDS: r"ids?|uid|guid|uuid|pid|patid|mrn|identifier|kennung|kennziffer|aktenzeichen|[a-z]+(nummer|nr)",
}
_ELSEWHERE: dict[str, list[str]] = tomllib.loads(
    files("hushwood.tables.columns").joinpath("header_words.toml").read_text("utf-8")
)
_PATTERNS = {
    what: "|".join((pattern, *" ".join(_ELSEWHERE[what]).replace("*", "[a-z]*").split()))
    for what, pattern in _SAID.items()
}
# Words that name records only where almost every value is different.
_WEAK = r"code|number|nummer|nr|no|num|key|serial|lfd|index|numero|codigo|codice|clave|chiave|cod|volgnr|numer|klucz"
# A name that is nothing but one of these stands for the person.
_PERSON = (
    r"patient(in|en)?|person|kunde|customer|client|mitarbeiter|employee|versicherter?"
    r"|patiente|assuree?|paciente|cliente|asegurad[oa]|persona|paziente|dipendente|assicurat[oa]|klant|medewerker|verzekerde|pacjent|klient|osoba"
)
# Names of things, not of persons.
_THINGS = (
    r"(file|host|domain|column|variable|product|produkt|brand|marken|model|car|drug|medikament|country|land|state|city"
    r"|stadt|ort|region|county|school|schul|hospital|klinik|station|ward|company|firma|firmen|team|event|test|food|plant|bedrijfs?|ziekenhuis|plaats|straat|merk)(s|n|en)?(names?|namen|naam)?"
    r"|ville|pays|produit|entreprise|societe|etablissement|hopital|commune|ecole|marque|pais|ciudad|producto|empresa|escuela|marca"
    r"|paese|citta|prodotto|azienda|ospedale|scuola|comune|miasta|kraju|produktu|firmy|szpitala"
)
# What is counted or measured, and what an intruder knows of a person without being told who it is.
_NOT_CODES = (
    r"of|per|count|anzahl|amount|betrag|balance|saldo|income|einkommen|salary|gehalt|price|preis|score|rate|weight|gewicht"
    r"|age|alter|years?|jahre?|[a-z]*jahr|zip|zipcode|plz|postleitzahl|postcode|postal"
    r"|nombre|montant|revenus?|salaire|prix|poids|annees?|cantidad|importe|ingresos?|salario|precio|peso|edad|anos?"
    r"|importo|reddito|stipendio|prezzo|eta|anno|anni|aantal|bedrag|inkomen|salaris|prijs|leeftijd|[a-z]*jaar|liczba|ilosc"
    r"|kwota|dochod|pensja|cena|waga|wiek|rok|pocztowy"
)
# Classifications and keys that are often kept as numbers: of places, jobs, trades, banks, goods.
_POSTCODES = r"zips?|zipcodes?|[a-z]*plz|[a-z]*postleitzahl(en)?|postcodes?|postalcodes?|postal"
_CODED = (
    r"isco|isic|nace|naics|kldb|ags|gkz|fips|blz|ops|drg|pzn|[a-z]*codes?|bankleitzahl|[a-z]*schluessel(nr)?"
)
_DIAGNOSES = r"icd|dx|diag|[a-z]*diagnos(e|is|es|en)|[a-z]*diagnose(n)?codes?|todesursachen?"


# Cyrillic and Greek letters that look like Latin ones, and signs that cannot be seen.
LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕһԛԝАВЕКМНОРСТУХІЈЅοναρικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshqwABEKMHOPCTYXIJSovapikABEZHIKMNOPTYX",
    "\u200b\u200c\u200d\u2060\ufeff\u00ad",
)
_SPELT_OUT = str.maketrans(
    {
        "ß": "ss",
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ł": "l",
        "Ł": "L",
        "ø": "o",
        "đ": "d",
    }
)


def words_of(name: str) -> list[str]:
    """Lower-case words of a name, split at signs and capitals; umlauts are spelt out, look-alikes are Latin letters.

    >>> words_of("Straße_2"), words_of("PatientenID"), words_of("е-mаil"), words_of("Imię")
    (['strasse'], ['patienten', 'id'], ['e', 'mail'], ['imie'])
    """
    spelt = unicodedata.normalize("NFKC", name).translate(LOOK_ALIKES).translate(_SPELT_OUT)
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", plain)]


def said_by(name: str) -> str | None:
    """What the column's name says that it holds, if that can identify people.

    >>> said_by("Vorname"), said_by("country name"), said_by("customer e-mail"), said_by("age")
    ('names of persons', None, 'e-mail addresses', None)
    """
    words = words_of(name)
    if len(words) == 1 and re.fullmatch(_PERSON, words[0]):
        return NAMES
    for what, pattern in _PATTERNS.items():
        if _any(pattern, words) and not (what == NAMES and _any(_THINGS, words)):
            return what
    return None


def weakly_names_records(name: str) -> bool:
    """Whether the name has a word that record numbers often have, and other columns too.

    >>> weakly_names_records("Sample_code_number"), weakly_names_records("income")
    (True, False)
    """
    return _any(_WEAK, words_of(name))


def names_no_code(name: str) -> bool:
    """Whether the name speaks of a quantity, a year, an age or a postcode, which are not codes of a person.

    >>> names_no_code("ZIP code"), names_no_code("Geburtsjahr"), names_no_code("Fallnummer")
    (True, True, False)
    """
    return _any(_NOT_CODES, words_of(name))


def names_postcodes(name: str) -> bool:
    """Whether the name says that the column holds postcodes.

    >>> names_postcodes("zip_code"), names_postcodes("WohnortPLZ"), names_postcodes("zipper")
    (True, True, False)
    """
    return _any(_POSTCODES, words_of(name))


def names_codes(name: str) -> bool:
    """Whether the name is that of a classification or a key.

    >>> names_codes("ISCO-08"), names_codes("Gemeindeschlüssel"), names_codes("age")
    (True, True, False)
    """
    return _any(_CODED, words_of(name))


def names_diagnoses(name: str) -> bool:
    """Whether the name speaks of diagnoses.

    >>> names_diagnoses("ICD10"), names_diagnoses("Hauptdiagnose"), names_diagnoses("age")
    (True, True, False)
    """
    return _any(_DIAGNOSES, words_of(name))


def _any(pattern: str, words: list[str]) -> bool:
    """Whether a word matches, or two neighbours do as one: "Kunden-Nr" is a "Kundennr"."""
    joined = (first + second for first, second in pairwise(words))
    return any(re.fullmatch(pattern, word) for word in (*words, *joined))
