"""Currency codes and signs as banks write them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

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

#: Signs that stand for one currency. ``kr`` is left out: it is Swedish, Norwegian, Danish and Icelandic.
_SIGNS = {
    "€": "EUR", "EURO": "EUR", "EUROS": "EUR", "£": "GBP", "ZŁ": "PLN", "ZL": "PLN", "₹": "INR", "RS": "INR",
    "RS.": "INR", "R$": "BRL", "FR": "CHF", "FR.": "CHF", "SFR": "CHF", "SFR.": "CHF", "KČ": "CZK", "KC": "CZK",
    "FT": "HUF", "₺": "TRY", "TL": "TRY", "₽": "RUB", "₩": "KRW", "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH",
    "₱": "PHP", "₦": "NGN", "LEI": "RON", "ЛВ": "BGN", "ЛВ.": "BGN", "US$": "USD", "C$": "CAD", "CA$": "CAD",
    "CDN$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "SG$": "SGD", "MX$": "MXN",
    "NT$": "TWD", "CN¥": "CNY", "JP¥": "JPY", "元": "CNY", "円": "JPY",
    "NIS": "ILS", 'ש"ח': "ILS", "ש״ח": "ILS", "שח": "ILS", "שקל": "ILS", "שקלים": "ILS",
}  # fmt: skip

#: Signs that several currencies share, with the one that is meant when nobody says more.
_SHARED = {
    "$": ("USD", frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "TWD", "ARS", "CLP", "COP"})),
    "¥": ("JPY", frozenset({"JPY", "CNY"})),
    "￥": ("CNY", frozenset({"JPY", "CNY"})),
}  # fmt: skip

#: Signs that name money but not which; a number may carry them.
UNSPECIFIC = frozenset({"KR", "KR.", ":-", ",-", *_SHARED})
#: A sign that more currencies share than this says little by itself.
_FEW = 2

#: Where a card was used, at the end of a descriptor, and what one pays with there. Left out: what is a state of the US
#: as well (CA, DE, IN …) or more often a word.
_PLACES = {
    **dict.fromkeys(("GB", "GBR", "UK"), "GBP"), **dict.fromkeys(("US", "USA"), "USD"),
    **dict.fromkeys(("DEU", "AUT", "FRA", "FR", "IE", "IRL", "NLD", "ESP", "ITA", "BEL", "PRT", "FIN"), "EUR"),
    **dict.fromkeys(("CHE",), "CHF"), **dict.fromkeys(("AUS", "AU"), "AUD"), **dict.fromkeys(("CAN",), "CAD"),
    **dict.fromkeys(("NZ", "NZL"), "NZD"), **dict.fromkeys(("SWE",), "SEK"), **dict.fromkeys(("POL",), "PLN"),
}  # fmt: skip
#: Ways of paying and offices that one country alone has, and what one pays with there.
_SYSTEMS = {
    **dict.fromkeys(("upi", "imps", "neft"), "INR"), **dict.fromkeys(("osko", "bpay", "payid"), "AUD"),
    **dict.fromkeys(("hmrc", "bacs"), "GBP"), **dict.fromkeys(("bizum", "tikkie"), "EUR"), "pix": "BRL", "spei": "MXN",
    "interac": "CAD", "paynow": "SGD", "blik": "PLN", "twint": "CHF", "payshap": "ZAR", "vipps": "NOK", "zelle": "USD",
    "promptpay": "THB", "duitnow": "MYR", "gcash": "PHP",
}  # fmt: skip
_SYSTEM = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(_SYSTEMS)})(?![^\W\d_])", re.IGNORECASE)
#: The countries of account numbers (ISO 13616), and what one pays with there.
_IBAN_COUNTRIES = {
    "AE": "AED", "BG": "EUR", "BR": "BRL", "CH": "CHF", "CZ": "CZK", "DK": "DKK", "GB": "GBP", "GE": "GEL", "HU": "HUF",
    "IL": "ILS", "IS": "ISK", "LI": "CHF", "NO": "NOK", "PL": "PLN", "QA": "QAR", "RO": "RON", "RS": "RSD", "SA": "SAR",
    "SE": "SEK", "TR": "TRY", "UA": "UAH",
    **dict.fromkeys("AD AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM".split(), "EUR"),
}  # fmt: skip
#: From how many descriptors on, and which share of those with a place, the commonest place tells where somebody lives.
_TELLING, _SHARE = 5, 0.6

_IBAN = re.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_CODE_IN_TEXT = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")


def currency_of(sign: str, expected: str | None = None) -> str | None:
    """Return the code that a sign or code stands for; ``expected`` decides between those that share a sign.

    An ``expected`` that is empty says that nobody expects dollars: they may be anybody's pesos.
    """
    upper = sign.strip().upper()
    if upper in CODES:
        return upper
    if upper in _SHARED:
        usual, shared = _SHARED[upper]
        if expected == "" and len(shared) > _FEW:
            return None
        return expected if expected in shared else usual
    return _SIGNS.get(upper)


def currency_of_systems(texts: Iterable[str]) -> str | None:
    """Return the currency of the one country whose ways of paying are named in texts: “UPI-SWIGGY”, “INTERAC E-TRANSFER”."""
    named = {_SYSTEMS[found[0].casefold()] for text in texts if (found := _SYSTEM.search(text))}
    return named.pop() if len(named) == 1 else None


def currency_of_places(descriptions: Iterable[str]) -> str | None:
    """Return the currency of the country where most card payments were made, or nothing where descriptors don't say."""
    ends = (text.rpartition(" ")[2] for text in descriptions)
    seen = Counter(_PLACES[end] for end in ends if end in _PLACES)
    for currency, count in seen.most_common(1):
        if count >= max(_TELLING, _SHARE * seen.total()):
            return currency
    return None


def currency_of_iban(number: str) -> str | None:
    """Return what one pays with in the country of an account number, if it is an IBAN."""
    return _IBAN_COUNTRIES.get(number[:2]) if is_iban(number) else None


def is_iban(number: str) -> bool:
    """Whether a number has the form of an IBAN (ISO 13616), written with or without spaces."""
    return _IBAN.fullmatch(number.replace(" ", "")) is not None


def currency_in(text: str, expected: str | None = None) -> str | None:
    """Return the first currency that a text names by code in capitals or by sign: ``Betrag (EUR)``, ``Amount ($)``."""
    for code in _CODE_IN_TEXT.findall(text):
        if code in CODES:
            return str(code)
    for sign in re.findall(r"(?:\b[A-Z]{1,3})?[$€£¥₹₺₽₩₪฿₫₴₱₦]|(?<![日美欧港])元", text):
        if found := currency_of(sign, expected):
            return found
    return None
