"""Currency codes and signs as banks write them."""

from __future__ import annotations

import re

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
}  # fmt: skip

#: Signs that several currencies share, with the one that is meant when nobody says more.
_SHARED = {
    "$": ("USD", frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "TWD", "ARS", "CLP", "COP"})),
    "¥": ("JPY", frozenset({"JPY", "CNY"})),
    "￥": ("CNY", frozenset({"JPY", "CNY"})),
}  # fmt: skip

#: Signs that name money but not which; a number may carry them.
UNSPECIFIC = frozenset({"KR", "KR.", ":-", ",-"})

_CODE_IN_TEXT = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")


def currency_of(sign: str, expected: str | None = None) -> str | None:
    """Return the code that a sign or code stands for; ``expected`` decides between those that share a sign."""
    upper = sign.strip().upper()
    if upper in CODES:
        return upper
    if upper in _SHARED:
        usual, shared = _SHARED[upper]
        return expected if expected in shared else usual
    return _SIGNS.get(upper)


def currency_in(text: str, expected: str | None = None) -> str | None:
    """Return the first currency that a text names by code in capitals or by sign: ``Betrag (EUR)``, ``Amount ($)``."""
    for code in _CODE_IN_TEXT.findall(text):
        if code in CODES:
            return str(code)
    for sign in re.findall(r"(?:\b[A-Z]{1,3})?[$€£¥₹₺₽₩₪฿₫₴₱₦]", text):
        if found := currency_of(sign, expected):
            return found
    return None
