"""The merchant's name in a bank's descriptor, and the keys under which merchants are searched and compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import takewhile

from ledger.bank_wording import (
    CAME_BACK,
    FIRST_WORDS,
    IDLE_WORDS,
    LEFT_OUT,
    NO_NAMES,
    is_between_people,
    without_wording,
)
from ledger.brands import find_brand, is_brand_name, is_brand_spelling, product_of_house
from ledger.descriptors import (
    ACRONYMS,
    BARE_PROCESSORS,
    BRANCH_WORDS,
    BUSINESSES,
    CITIES,
    CITY_HERALDS,
    CITY_STARTS,
    COLLECTORS,
    COUNTRIES,
    CUT_PAIRS,
    CUTS,
    INVOICES,
    LEGAL_FORMS,
    LONG_NAMES_FORMS,
    LOOSE_ENDS,
    OWN_WORDS,
    PROCESSORS,
    PURPOSES,
    REGIONS,
    SMALL_WORDS,
    SOFT_CUTS,
    STATES,
    STRONG_LEGAL_FORMS,
)
from ledger.private_people import before_purpose, is_person
from ledger.said_words import EDGES, SHORTEST_SAID, worded
from ledger.statement_text import take_apart
from ledger.stemming import fold

#: The longest name we show; longer ones end at a word.
LONGEST_NAME = 60
_LONGEST_INPUT = 400
_LONGEST_PHRASE = 160
_PASSES = 8
_FULL_NAME = 2
#: Before a slash, this is rather a code than a name; what has digits and is longer than the second is a reference.
_SHORT, _LONGEST_WITH_DIGITS = 3, 10

_CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), " ")
_MONTHS = "jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez"
_MONTH_NAMES = frozenset(_MONTHS.split("|"))
_NUMBER = re.compile(r"[\d.,:/\\\-+()#%€$£*xX'’]*\d[\d.,:/\\\-+()#%€$£*xX'’]*|[xX*•]{2,}(?:\w*\d\w*)?")
_DATED = re.compile(
    rf"\d{{1,2}}(?:{_MONTHS})\d{{0,4}}|(?:{_MONTHS})\d{{1,4}}|\d{{1,2}}(?::\d\d)?[ap]m|\d{{4}}-\d\d-\d\dt.*"
)
_BOUGHT_AT = re.compile(r"\beinkauf bei\s+(.+)$", re.IGNORECASE)
_WEB = re.compile(
    r"(?:https?://)?(?:www\.)?(?P<name>[\w-]+(?:\.[\w-]+)*?)\.(?:com|net|org|de|at|ch|io|co\.uk|gov\.uk|org\.uk|com\.au|co\.nz|uk|eu|fr|nl|it|es|tv|fm|ai|app|me|us|ca|"
    r"info|shop|online|store|co)(?:/\S*)?",
    re.IGNORECASE,
)
#: Words that mean something else at the start or the end of a descriptor.
_AT_EDGES = SOFT_CUTS | CUTS | BARE_PROCESSORS | FIRST_WORDS | {pair[0] for pair in CUT_PAIRS}
_CITY_ENDS = frozenset(city.rpartition(" ")[2] for city in CITIES)
_OF_ITSELF = LEGAL_FORMS | OWN_WORDS
#: With so many digits a word is a number of the bank's.
_REFERENCE = 4
_FILLERS = CUTS | PROCESSORS | LOOSE_ENDS | LEGAL_FORMS | IDLE_WORDS
_DIGIT = re.compile(r"\d")
#: “N19”, “EC1V”: where in a British town.
_POSTAL_DISTRICT = re.compile(r"[A-Z]{1,2}\d{1,2}[A-Z]?")
_NUMBERED = re.compile(r"(?![xX]+[-\d])([^\W\d_]{3,})(?:-?\d{3,}|-[A-Z]{2}\d{2}[A-Z]{3}|\d{3,}[A-Z][A-Z\d]{0,7})")
#: “JET2HOLIDAYS”: a digit that is read as a word.
_DIGIT_WITHIN = re.compile(r"[^\W\d_]{3,}\d[^\W\d_]{3,}")
#: “COOP-1877”: a shop and its branch; “XXXX-1877” is a card.
_BRANCH = re.compile(r"(?![xX]{2})[^\W\d_]{3,}-\d{3,}")
_DIVIDERS = str.maketrans("*/|\\", "    ")
_LOOSE = re.compile(r"[/,;|_]+")
_LOOSE_WITH_DIGITS = re.compile(r"[,;|_]+")
#: “Lidl.sagt.Danke”, which some banks write for “Lidl sagt Danke”.
_DOTTED = re.compile(r"[^\W\d_][\w&'’+-]*(?:\.[\w&'’+-]{2,})+")
#: The name of a street, before a house number.
_STREET = re.compile(r".{2,}(?:strasse|straße|str\.?|weg|gasse|platz|allee|quai)$", re.IGNORECASE)
_NO_SHOP = CUTS | SOFT_CUTS
#: “K1 11.11. UM 13:26”: which of an Austrian's cards, and when.
_CARD = re.compile(r"K\d")
_VOWELS = frozenset("aeiouyäöüáéíóúàèâêîôû0123456789")


def normalise_merchant(description: str, payee: str = "") -> str:
    """Return the merchant's name as a person would write it, at most 60 characters; empty only for empty input.

    A payee wins over the description unless it only collects for others. The result is its own normal form.
    """
    if not description and not payee:
        return ""
    return _normalise(description[:_LONGEST_INPUT], payee[:_LONGEST_INPUT])


@lru_cache(maxsize=32768)
def _normalise(description: str, payee: str) -> str:
    text = _choose(_clean(description), _clean(payee))
    for _ in range(_PASSES):
        shorter, settled = _pass(text)
        if settled or shorter == text:
            text = shorter
            break
        text = shorter
    return text or "Unknown"


def _clean(text: str) -> str:
    """Return the text in compatibility form on one line, without control and direction signs."""
    if text.isascii():
        return " ".join((text if text.isprintable() else text.translate(_CONTROLS)).split())
    text = unicodedata.normalize("NFKC", text)
    shown = "".join(" " if (kind := unicodedata.category(sign))[0] == "Z" or kind == "Cc" else sign for sign in text)
    return " ".join("".join(sign for sign in shown if unicodedata.category(sign)[0] != "C").split())


def _choose(description: str, payee: str) -> str:
    """Return the text that names the merchant, out of what the bank wrote in two places."""
    for text in (description, payee):
        bought = _BOUGHT_AT.search(text)
        if bought:
            return _payee_in(bought.group(1))
    description, payee = _payee_in(description), _payee_in(payee)
    if not any(sign.isalpha() for sign in payee):
        return description or payee
    if description and fold(payee).startswith(COLLECTORS):
        return description
    return payee


def _payee_in(text: str) -> str:
    """Return who a text names, or else what it was for, where its form tells them apart; any other text whole."""
    said = take_apart(text)
    return (said.payee or said.purpose or text) if said is not None else text


@lru_cache(maxsize=32768)
def _pass(text: str) -> tuple[str, bool]:
    """Return the name in the text, and whether another pass over that name would surely leave it as it is."""
    if len(text) <= LONGEST_NAME and is_brand_name(text):
        return text, True
    if product := product_of_house(text):
        return product, True
    fallback = _cap(text)
    written, between_people = text, is_between_people(text)
    text = _before_place(_unwrap(text))
    words, was_cut = _keep_words(_split(text))
    words = before_purpose(words, written, between_people=between_people)
    of_person = between_people and is_person(" ".join(words[:_FULL_NAME]))  # “TRANSFER FROM K MORRISON”
    hit = None if of_person else find_brand(words)
    if hit is not None:
        return hit.brand.name, False
    name = _strip_end(_without_purpose(words), was_cut=was_cut)
    if len(name) < len(words) and (hit := find_brand(name)) is not None:
        return hit.brand.name, False
    found = " ".join(_in_case(name))
    if len(found) > LONGEST_NAME or not found:
        return _cap(found) or fallback, False
    return found, _is_plain(name)


def _before_place(text: str) -> str:
    """Return the text before its place: “REWE//KOELN/DE”, “Cafe.Mokka/Bonn/../DE”."""
    cut = text.find("//", 3)
    if cut > 0 and text[cut - 1] != ":":
        return text[:cut]
    name, gap, place = text.partition(" /")
    if gap and len(name) > _SHORT and place.replace(" ", "").isalpha():
        return name
    name, slash, place = text.partition("/")
    if not slash or " " in name or _WEB.fullmatch(name):
        return text
    dotted = _DOTTED.fullmatch(name) is not None
    return name.replace(".", " ") if dotted or "/../" in place else text


def _unwrap(text: str) -> str:
    """Return a text without the bank's wording before its name and the numbers behind that, as far as a name is left."""
    text = text.lstrip("'")
    while (shorter := without_wording(text)) != text:
        words = shorter.split()
        while words and not words[0].isalpha() and _is_noise(words[0]) and not _BRANCH.fullmatch(words[0]):
            words = words[1:]
        left = " ".join(words)
        if not any(map(str.isalpha, left)) or all(fold(word) in NO_NAMES for word in words):
            return text
        text = left
    return text


@lru_cache(maxsize=16384)
def names_nobody(text: str) -> bool:
    """Tell whether a text holds nothing but a bank's wording and numbers: “EFTPOS”, “4835-****-****-1234 DF”."""
    text = _clean(text)
    left = text
    while (shorter := without_wording(left)) != left:
        left = shorter
    if left == text and not _DIGIT.search(text):
        return False
    words = left.split()
    numbers = [word for word in words if not word.isalpha() and _is_noise(word)]
    names = [word for word in words if word not in numbers and fold(word.strip(EDGES)) not in _NO_SHOP]
    return not names


def _is_plain(name: list[str]) -> bool:
    """Tell whether a name holds nothing that another pass could read as a prefix, a code or an end."""
    joined = "".join(name)
    return (
        joined.isalpha()
        and joined.isascii()
        and not {name[0].lower(), name[-1].lower()} & _AT_EDGES
        and "xx" not in joined.lower()
    )


def _split(text: str) -> list[str]:
    """Return the raw words, with the processor that stands before a star or alone before the name taken away."""
    head, star, tail = text.partition("*")
    if star:
        text = _behind_processor(head, tail) if any(sign.isalpha() for sign in tail) else head + " " + tail
    words: list[str] = []
    for raw in text.split():
        if raw.isalnum():
            words.append(raw)
        else:
            words += _parts(raw)
    while words and fold(words[0]).strip(EDGES) in BARE_PROCESSORS:
        if _says_no_more(words[1:]):
            return words[:1]
        words = words[1:]
    return words


def _says_no_more(words: list[str]) -> bool:
    """Tell whether words behind a processor's name are its own: "SumUp Limited", "SumUp payout 3344"."""
    return all(fold(word) in _OF_ITSELF or sum(map(str.isdigit, word)) >= _REFERENCE for word in words)


def _behind_processor(head: str, tail: str) -> str:
    """Return both sides of a star, or only the tail where the head is a processor and not part of a brand's name."""
    tail = tail.replace("*", " ")
    whole = f"{head} {tail}"
    first = fold(head).strip(EDGES).replace(" ", "")
    hit = find_brand([_name_of(part) for raw in whole.split()[:5] for part in _parts(raw)])
    if hit is not None and hit.start == 0 and (hit.end > len(head.split()) or first not in PROCESSORS):
        return whole
    unknown_code = hit is None and len(first) <= 3 and sum(sign.isalpha() for sign in tail.split()[0]) > 3
    return tail if first in PROCESSORS or unknown_code else whole


def _parts(raw: str) -> list[str]:
    """Return a raw word as the words it holds: “CVS/PHARM” as two, a web address as one."""
    if "." in raw and _WEB.fullmatch(raw.strip("(),;")):
        return [raw.strip("(),;")]
    if not _DIGIT.search(raw):
        parts = _LOOSE.split(raw) if len(raw) > 4 else [raw]
    elif _NUMBER.fullmatch(raw):
        parts = [raw]
    else:
        parts = _LOOSE_WITH_DIGITS.sub(" ", raw).replace("#", " #").split()
    return [part for part in parts if part]


def _name_of(word: str) -> str:
    """Return a word without the number at its end, or the name in a web address that is no brand's spelling."""
    if numbered := _NUMBERED.fullmatch(word):
        return numbered[1]
    web = _WEB.fullmatch(word) if "." in word else None
    return web["name"].rpartition(".")[2] if web and not is_brand_spelling(word) else word


def _is_noise(word: str) -> bool:
    """Tell whether a word with digits is a number, date, time, card or reference rather than part of a name."""
    if _NUMBER.fullmatch(word):
        return True
    if not _DIGIT.search(word):
        return False
    folded = fold(word.strip(EDGES))
    if _DATED.fullmatch(folded):
        return True
    if _DIGIT_WITHIN.fullmatch(folded) or (word[0].isdigit() and is_brand_spelling(word)):
        return False
    digits = sum(sign.isdigit() for sign in folded)
    return digits > 2 or (digits == 2 and len(folded) > 7) or len(folded) > _LONGEST_WITH_DIGITS


def _keep_words(raw: list[str]) -> tuple[list[str], bool]:
    """Return the words that may name the merchant, and whether a number, an address or a cut word ended them."""
    words: list[str] = []
    place = 0
    if len(raw) > 1 and raw[0].isdigit() and len(raw[0]) <= 3 and raw[1][0].isalpha():
        words, place = [raw[0]], 1
    for index in range(place, len(raw)):
        word, ends = raw[index], False
        if not word.isalpha() or "XX" in word or "xx" in word:
            word, ends = _read_mixed(word, words)
        bare = word.strip(EDGES)
        folded = fold(bare)
        if words and not ends and _ends_name(raw, index, folded):
            return words, True
        if bare and (words or folded.partition(".")[0] not in CUTS):
            words.append(bare)
        elif word == "&":
            words.append(word)
        if ends:
            return words, True
    return words, False


def _read_mixed(word: str, words: list[str]) -> tuple[str, bool]:
    """Return what a word with digits or signs adds to the name, perhaps nothing, and whether the name ends with it."""
    if "." in word and _WEB.fullmatch(word):
        name = _name_of(word)
        ends = bool(words) and find_brand([*words, name]) is None
        return "" if ends else name, ends
    if not _is_noise(word) or (len(word) <= 2 and word.isdigit() and 0 < len(words) < 3):
        return word, False
    numbered = None if words else _NUMBERED.fullmatch(word)
    return (numbered[1], True) if numbered else ("", bool(words))


def _ends_name(raw: list[str], index: int, folded: str) -> bool:
    word = raw[index]
    if folded in CUTS or word == "-" or (":" in word[1:] and word[0].isalpha()):
        return True
    following = raw[index + 1] if index + 1 < len(raw) else ""
    if len(word) <= 2 and word.isdigit() and following.lower() in _MONTH_NAMES:
        return True
    if folded in SOFT_CUTS and (not following or _DIGIT.search(following)):
        return True
    if (folded in INVOICES or _CARD.fullmatch(word)) and _DIGIT.search(following):
        return True
    return bool(following) and (folded, fold(following).strip(EDGES)) in CUT_PAIRS


def _without_purpose(words: list[str]) -> list[str]:
    """Return the words before a legal form in their midst, or before what was paid for, if that leaves a name."""
    for place in range(1, len(words)):
        folded = fold(words[place])
        following = words[place + 1 :]
        ends = folded in STRONG_LEGAL_FORMS or (folded in LONG_NAMES_FORMS and place > 1)
        if ends and following and following[0][0].isalpha() and fold(following[0]) != "co":
            return words[:place]
        if folded in PURPOSES and place > 1:
            return words[:place]
    return words


def _strip_end(words: list[str], *, was_cut: bool) -> list[str]:
    """Return the words without place, legal form and loose ends behind the name."""
    length = -1
    while len(words) != length and len(words) > 1:
        length = len(words)
        last = fold(words[-1])
        bare = last.replace(".", "")
        said_behind = bare in LEGAL_FORMS or last in LOOSE_ENDS or (was_cut and bare in BRANCH_WORDS)
        if said_behind or (last in CAME_BACK and not _says_only_trade(words[:-1])):
            words = words[:-1]
        elif words[-1].isupper() and len(words) > 2 and _is_state(bare):
            words = _strip_town(words[:-1])
        elif _is_country(words[-1], bare) and not _says_only_trade(words[:-1]):
            words = _strip_region(words[:-1])
        elif _is_district(words) or (was_cut and len(words) > 2 and _STREET.fullmatch(last)):
            words = words[:-1]
        else:
            words = _strip_city(words)
    return words


def _is_country(word: str, bare: str) -> bool:
    return bare in COUNTRIES and (word.isupper() or len(bare) > 3)


def _is_state(bare: str) -> bool:
    """Tell a state, perhaps with its country: “TX”, “TXUS”."""
    return bare in STATES or (len(bare) == 4 and bare.endswith("us") and bare[:2] in STATES)


def _is_district(words: list[str]) -> bool:
    return _POSTAL_DISTRICT.fullmatch(words[-1]) is not None and fold(words[-2]) in _CITY_ENDS


def _strip_region(words: list[str]) -> list[str]:
    """Return the words before a country without a state and its town."""
    return _strip_town(words[:-1]) if len(words) > 2 and fold(words[-1]) in REGIONS else words


def _says_only_trade(words: list[str]) -> bool:
    """Tell whether words name a kind of business and nobody: “Café”, of “Café Berlin”; “Electric”, of “Electric Ireland”."""
    return all(fold(word) in BUSINESSES or fold(word) in SMALL_WORDS for word in words)


def _strip_town(words: list[str]) -> list[str]:
    """Return the words without the town before a state, of two words where its first one says so."""
    if fold(words[-1]) in BUSINESSES or len(words) < 2:
        return words
    if words[0].isupper() and len(words[0]) > 1:  # “BLUE DOOR CAFE Cuyahoga Fal”: the town alone has small letters
        shorter = list(takewhile(lambda word: word == word.upper(), words))
        if shorter != words:
            return shorter
    shorter = words[:-1]
    if len(shorter) > 1 and fold(shorter[-1]).rstrip(".") in CITY_STARTS:
        shorter = shorter[:-1]
    return shorter


def _strip_city(words: list[str]) -> list[str]:
    if fold(words[-1]) not in _CITY_ENDS and words[-1].lower() not in _CITY_ENDS:
        return words
    for size in (3, 2, 1):  # “New York” before “York”
        rest = words[:-size]
        if len(words) < size:
            continue
        if " ".join(map(fold, words[-size:])) in CITIES or " ".join(words[-size:]).lower() in CITIES:
            # “Café Berlin” is a name, and so is “York”; “REWE BERLIN” names its town.
            kept = _says_only_trade(rest) or fold(rest[-1]) in CITY_HERALDS
            return words if kept else rest
    return words


def _in_case(words: list[str]) -> list[str]:
    """Return the words in title case, unless somebody has already taken care of their case."""
    joined = "".join(words)
    if joined != joined.upper() and joined != joined.lower():
        return words
    return [_title(word, first=index == 0) for index, word in enumerate(words)]


@lru_cache(maxsize=8192)
def _title(word: str, *, first: bool) -> str:
    lower = word.lower()
    if lower in ACRONYMS or (len(word) <= 4 and ("&" in word or "+" in word)):
        return word.upper()
    if not first and lower in SMALL_WORDS:
        return lower
    if 1 < len(word) <= 4 and word.isalpha() and not _VOWELS & set(lower):
        return word.upper()
    return "-".join(_capital(part) for part in lower.split("-"))


def _capital(part: str) -> str:
    for sign in ("'", "’"):
        head, found, tail = part.partition(sign)
        if found:
            return _capital(head) + sign + (tail if len(tail) <= 2 else _capital(tail))
    if part.startswith("mc") and len(part) > 5:
        return "Mc" + part[2:].capitalize()
    return part[:1].upper() + part[1:]


def _cap(text: str) -> str:
    """Return the text cut at a word to the longest name we show."""
    if len(text) <= LONGEST_NAME:
        return text
    shorter = text[: LONGEST_NAME + 1].rpartition(" ")[0]
    return (shorter or text[:LONGEST_NAME]).rstrip()


@lru_cache(maxsize=32768)
def normalise_phrase(description: str, payee: str = "", memo: str = "") -> str:
    """Return the lower-case search text of a transaction: its merchant and the meaningful words around it.

    Words with digits are dropped, so that visits to one shop share one phrase.
    """
    merchant = normalise_merchant(description or memo, payee).lower()
    seen = dict.fromkeys(merchant.split())
    known = fold(merchant)
    for text in filter(None, (payee, description, memo)):
        said = _clean(text[:_LONGEST_INPUT]).lower()
        for phrase in LEFT_OUT:
            if phrase in said:
                said = said.replace(phrase, " ")
        for bare in (part for word in said.translate(_DIVIDERS).split() for part in worded(word)):
            if len(bare) >= SHORTEST_SAID and bare not in seen and bare not in _FILLERS and fold(bare) not in known:
                seen[bare] = None
    return " ".join(seen)[:_LONGEST_PHRASE].rstrip()


@lru_cache(maxsize=16384)
def merchant_key(name: str) -> str:
    """Return the form in which merchants' names are compared: folded letters and digits only."""
    return "".join(filter(str.isalnum, fold(_clean(name))))
