"""Currency codes and signs as banks write them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING

from ledger.importers.table.vocabulary import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_ACTIVE = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
    HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
    PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY
    TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG
"""

#: Active codes of ISO 4217 table A.1 (2026-01), without the funds and the precious metals.
CODES = frozenset(_ACTIVE.split())

#: Signs that stand for one currency.
_SIGNS = {
    "€": "EUR", "EURO": "EUR", "EUROS": "EUR", "£": "GBP", "ZŁ": "PLN", "ZL": "PLN", "₹": "INR", "R$": "BRL",
    "FR": "CHF", "FR.": "CHF", "SFR": "CHF", "SFR.": "CHF", "KČ": "CZK", "KC": "CZK", "FT": "HUF", "₺": "TRY",
    "TL": "TRY", "₽": "RUB", "₩": "KRW", "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH", "₱": "PHP", "₦": "NGN",
    "ЛВ": "BGN", "ЛВ.": "BGN", "US$": "USD", "C$": "CAD", "CA$": "CAD", "CDN$": "CAD", "A$": "AUD", "AU$": "AUD",
    "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "SG$": "SGD", "MX$": "MXN", "NT$": "TWD", "CN¥": "CNY", "JP¥": "JPY",
    "원": "KRW", "₸": "KZT", "₾": "GEL", "֏": "AMD", "৳": "BDT", "GH₵": "GHS", "KSH": "KES", "KSHS": "KES", "USH": "UGX",
    "TSH": "TZS", "RM": "MYR", "RP": "IDR", "RP.": "IDR", "ГРН": "UAH", "ГРН.": "UAH", "РУБ": "RUB", "РУБ.": "RUB",
    "円": "JPY", "NIS": "ILS", 'ש"ח': "ILS", "ש״ח": "ILS", "שח": "ILS", "שקל": "ILS", "שקלים": "ILS",
}  # fmt: skip

#: Signs that several currencies share, and which these are, those of the most people who bank in English first.
SHARED = {
    "$": tuple(
        """USD CAD AUD NZD SGD HKD MXN TWD ARS CLP COP UYU DOP JMD TTD BBD BSD BMD BND BZD FJD GYD KYD LRD NAD SBD SRD
        XCD NIO CUP""".split()
    ),
    "KR": ("SEK", "NOK", "DKK", "ISK"),
    "¥": ("JPY", "CNY"),
    "元": ("CNY", "TWD", "HKD"),
    "RS": ("INR", "PKR", "LKR", "NPR", "MUR", "SCR"),
    "LEI": ("RON", "MDL"),
}
#: Other forms of them.
_FORMS = {"KR.": "KR", "￥": "¥", "RS.": "RS"}
#: What stands at numbers and names no currency.
UNSPECIFIC = frozenset({":-", ",-"})

#: The countries of account numbers (ISO 13616), and what one pays with there.
_IBAN_COUNTRIES = {
    "AE": "AED", "BG": "EUR", "BR": "BRL", "CH": "CHF", "CZ": "CZK", "DK": "DKK", "GB": "GBP", "GE": "GEL", "HU": "HUF",
    "IL": "ILS", "IS": "ISK", "LI": "CHF", "NO": "NOK", "PL": "PLN", "QA": "QAR", "RO": "RON", "RS": "RSD", "SA": "SAR",
    "SE": "SEK", "TR": "TRY", "UA": "UAH",
    **dict.fromkeys("AD AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM".split(), "EUR"),
}  # fmt: skip
_IBAN = re.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
#: What an amount is in, in brackets behind its name: ``출금액(원)``.
_UNIT = re.compile(r"[(\[（]\s*([^()\[\]（）]{1,4}?)\s*[)\]）]")
#: In which languages names of currencies are known, and which words alone are the name of one.
_LANGUAGES = "en de fr es it pt nl sv da nb fi pl cs sk hu ro bg tr et lv lt sl uk ru id".split()
_WORDS = {
    **dict.fromkeys(("euro", "euros", "евро", "євро"), "EUR"), **dict.fromkeys(("naira", "nairas"), "NGN"),
    **dict.fromkeys(("franken", "schweizerfranken"), "CHF"), **dict.fromkeys(("zloty", "zlotys", "zlotych"), "PLN"),
    **dict.fromkeys(("sterling", "pound sterling", "pounds sterling"), "GBP"), **dict.fromkeys(("rand", "rands"), "ZAR"),
    **dict.fromkeys(("cedi", "cedis"), "GHS"), **dict.fromkeys(("forint", "forints"), "HUF"), "rupiah": "IDR",
    **dict.fromkeys(("shekel", "shekels"), "ILS"), **dict.fromkeys(("yuan", "renminbi"), "CNY"), "ringgit": "MYR",
    "baht": "THB", "hryvnia": "UAH", "tenge": "KZT", "taka": "BDT", "yen": "JPY",
}  # fmt: skip
_CODE_IN_TEXT = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")


def currency_of(sign: str, expected: str | None = None) -> str | None:
    """Return the code that a sign or code stands for; of those that share a sign, the ``expected`` one.

    Where nothing tells which of them it is, the sign itself is returned, as it stands in ``SHARED``.
    """
    upper = sign.strip().upper()
    if upper in CODES:
        return upper
    shared = _FORMS.get(upper, upper)
    if shared in SHARED:
        return settle_currency(shared, expected)
    return _SIGNS.get(upper)


@lru_cache(maxsize=1024)
def settle_currency(*stated: str | None) -> str | None:
    """Return the first code of what is stated, the strongest first, that every sign before it may stand for.

    Without such a code that is the first sign, and None where nothing is stated.
    """
    signs: list[str] = []
    for each in filter(None, stated):
        if each in SHARED:
            signs.append(each)
        elif all(each in SHARED[sign] for sign in signs):
            return each
    return signs[0] if signs else None


def unsettled(pairs: Iterable[tuple[str | None, str | None]]) -> frozenset[tuple[str | None, str | None]]:
    """Return those accounts and currencies of rows where the currency is not stated, or by a shared sign only."""
    return frozenset(pair for pair in pairs if not is_settled(pair[1]))


def is_settled(currency: str | None) -> bool:
    """Whether what is stated is one currency, and no sign that several share."""
    return bool(currency) and currency not in SHARED


def currency_of_iban(number: str) -> str | None:
    """Return what one pays with in the country of an account number, if it is an IBAN."""
    return _IBAN_COUNTRIES.get(number[:2]) if is_iban(number) else None


def is_iban(number: str) -> bool:
    """Whether a number has the form of an IBAN (ISO 13616), written with or without spaces."""
    return _IBAN.fullmatch(number.replace(" ", "")) is not None


def currency_in(text: str, expected: str | None = None) -> str | None:
    """Return the first currency that a text names by code in capitals or by sign, be it shared: ``Betrag (EUR)``."""
    for code in _CODE_IN_TEXT.findall(text):
        if code in CODES:
            return str(code)
    for sign in re.findall(r"(?:\b[A-Z]{1,3})?[$€£¥￥₹₺₽₩₪฿₫₴₱₦]|(?<![日美欧港])元", text):
        if found := currency_of(sign, expected):
            return found
    units = (currency_of(unit, expected) for unit in _UNIT.findall(text))
    return next(filter(None, units), None)


def currency_called(name: str) -> str | None:
    """Return the currency that has a name in any of several languages: “Nigerian Naira”, “NAIRA”, “Schweizer Franken”."""
    words = fold(name)
    return _WORDS.get(words) or (_names().get(words) if " " in words else None)


@cache
def _names() -> dict[str, str]:
    from babel.numbers import get_currency_name  # only for a file that names its currency so

    found: dict[str, set[str]] = {}
    for language, code, count in product(_LANGUAGES, CODES, (None, 2)):
        found.setdefault(fold(get_currency_name(code, count=count, locale=language)), set()).add(code)
    return {name: codes.pop() for name, codes in found.items() if len(codes) == 1}
