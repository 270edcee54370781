"""Whether a name is that of a private person, by given names, forms of address and initials."""

from __future__ import annotations

import re
from functools import lru_cache

from ledger.brands import is_brand_spelling
from ledger.descriptors import BETWEEN_PEOPLE, BUSINESSES, LONG_NAMES_FORMS, STRONG_LEGAL_FORMS
from ledger.kind_words import names_own_account
from ledger.means import Means, means_in_words
from ledger.stemming import fold
from ledger.taxonomy import CATEGORIES
from ledger.telling_words import category_in_words
from ledger.wordlists import words

_FILE = "given_names.txt"
_GIVEN, _KIN, _TITLES = (frozenset(words(_FILE, part)) for part in ("given names", "kin", "titles"))
_SURNAMES = frozenset(map(fold, words(_FILE, "surnames")))
_PARTICLES = frozenset(words(_FILE, "particles"))
#: “Tran Thi Hoa”.
_MIDDLES = frozenset(words(_FILE, "middle names"))
_NO_PEOPLE = frozenset(words(_FILE, "no people")) | BUSINESSES
_WORD = re.compile(r"[^\W\d_]+\.?(?:['’-][^\W\d_]+)*")
_MOST_WORDS = 4
_SHORTEST_SURNAME = 3
_FULL_NAME = 2
_FORMS = STRONG_LEGAL_FORMS | LONG_NAMES_FORMS
#: What a person may do in a name of their own, so that the trade belongs to it.
_OF_FIRMS = frozenset(
    CATEGORIES[key].name for key in ("home", "medical", "pharmacy", "personal_care", "car", "business", "pets")
)


@lru_cache(maxsize=16384)
def is_person(name: str) -> bool:
    """Tell whether a merchant's name is a private person's: "Dana Whitfield", "D Whitfield", "Whitfield Dana", "Mrs Whitfield".

    The surname may come first, as banks in the Alps write it. Brands and names with a word of trade are nobody's.
    """
    parts = [part.strip(".,") for part in name.split()]
    plain = [fold(part) for part in parts]
    if not 0 < len(parts) <= _MOST_WORDS or not all(map(_WORD.fullmatch, parts)):
        return False
    if len(plain) == 1:
        return plain[0] in _KIN
    if not _NO_PEOPLE.isdisjoint(plain) or is_brand_spelling(name):
        return False
    named = [word for word in plain if word not in _PARTICLES]
    if (len(named) > 1 and named[0] in _TITLES | _KIN) or not _MIDDLES.isdisjoint(named[1:-1]):
        return True
    return _has_given_name(named) and category_in_words(without_surnames(name)) is None


def without_surnames(name: str) -> str:
    """Return a name without the words that are surnames as well as trades: “Sanne Bakker” sells no bread."""
    return " ".join(word for word in (fold(part.strip(".,")) for part in name.split()) if word not in _SURNAMES)


def _has_given_name(named: list[str]) -> bool:
    """Tell whether one of the words at either end is a given name or an initial, and another a surname."""
    if len(named) < 2 or max(map(len, named)) < _SHORTEST_SURNAME:
        return False
    return any(len(word) == 1 or word.partition("-")[0] in _GIVEN for word in (named[0], named[-1]))


def before_purpose(words: list[str], text: str, *, between_people: bool) -> list[str]:
    """Return the person's name before what a payment was for: “LIAM HARGREAVE DINNER”, “J DRAKE MUM LOAN”.

    What a bank calls a transfer in the text may have been for anything; ``between_people`` only people pay.
    """
    full = _FULL_NAME
    while full < len(words) and _is_no_surname(words[full - 1]):
        full += 1
    named, purpose = words[:full], words[full:]
    if not purpose or not is_person(" ".join(named)):
        return words
    if fold(purpose[0]) in BETWEEN_PEOPLE or (between_people and category_in_words(" ".join(purpose)) is not None):
        return named
    transferred = means_in_words(text) in {Means.TRANSFER, Means.STANDING_ORDER}
    another = _makes_a_firm(purpose) or names_own_account(" ".join(purpose))
    return named if transferred and not another else words


def _is_no_surname(word: str) -> bool:
    """Tell whether a surname is still to come: “Crystal G Ortiz”, “Tran Thi Lan”, “Johan van der Merwe”."""
    return len(word.strip(".")) == 1 or fold(word) in _MIDDLES | _PARTICLES


def _makes_a_firm(words: list[str]) -> bool:
    """Tell whether words behind a person's name make it a firm's: “ANNA BERGER MALERBETRIEB”, “HANS MOSER BAU GMBH”."""
    folded = [fold(word).replace(".", "") for word in words]
    return not _FORMS.isdisjoint(folded) or category_in_words(" ".join(words)) in _OF_FIRMS
