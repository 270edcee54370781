"""How to get the file from one's bank: where it is, and which kind to choose.

Menus change, so a bank is told by what its link is called, as an example, and by the kind of file (``docs/bank-files.md``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from language.catalogue import say
from language.words import words

if TYPE_CHECKING:
    from tools.surface import Surface


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank or app: its names, the first of which is shown, what its link is called, and the kind of file to choose."""

    names: tuple[str, ...]
    link: str
    choose: str
    app: bool = False
    """Whether the file is in the app; most have it on the website alone."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.names[0]


BANKS: Final[dict[str, tuple[Bank, ...]]] = {
    "United States": (
        Bank(("Chase", "JPMorgan Chase"), "Download account activity", "CSV"),
        Bank(("Bank of America", "BofA", "BoA"), "Download", "CSV (“Microsoft Excel format”)"),
        Bank(("Wells Fargo",), "Download Account Activity", "CSV (“Comma Delimited”)"),
        Bank(("Capital One",), "Download Transactions", "CSV"),
        Bank(("Citi", "Citibank"), "Export", "CSV"),
        Bank(("American Express", "Amex"), "Download", "CSV"),
    ),
    "United Kingdom": (
        Bank(("Barclays", "Barclaycard"), "Export", "CSV or OFX"),
        Bank(("HSBC", "First Direct"), "Download", "CSV"),
        Bank(("Lloyds", "Lloyds Bank", "Halifax", "Bank of Scotland"), "Export", "CSV"),
        Bank(("NatWest", "Royal Bank of Scotland", "RBS"), "Download or export transactions", "CSV"),
        Bank(("Nationwide",), "Download transactions", "CSV"),
        Bank(("Monzo",), "Export transactions", "CSV", app=True),
        Bank(("Starling", "Starling Bank"), "Statements", "CSV", app=True),
    ),
    "Germany": (
        Bank(("Sparkasse",), "Exportieren", "CSV-CAMT"),
        Bank(
            ("Volksbank", "Volksbanken", "VR-Bank", "VR Bank", "Raiffeisenbank", "Volksbank Raiffeisenbank"),
            "Exportieren",
            "CSV",
        ),
        Bank(("ING", "ING-DiBa", "DiBa"), "Exportieren", "CSV"),
        Bank(("DKB", "Deutsche Kreditbank"), "CSV-Export", "CSV"),
        Bank(("Commerzbank",), "Exportieren", "CSV"),
        Bank(("Deutsche Bank",), "CSV", "CSV"),
        Bank(("comdirect",), "Exportieren", "CSV"),
        Bank(("N26",), "Download", "CSV"),
    ),
    "Austria": (
        Bank(("Erste Bank", "George", "Erste"), "Exportieren", "CSV"),
        Bank(("Raiffeisen", "ELBA", "Mein ELBA"), "Exportieren", "CSV"),
    ),
    "Switzerland": (
        Bank(("PostFinance", "Post Finance"), "Export", "CSV"),
        Bank(("UBS",), "Export", "CSV"),
        Bank(("Kantonalbank", "ZKB", "Zürcher Kantonalbank"), "Export", "CSV"),
    ),
    "Everywhere": (
        Bank(("PayPal",), "Download", "CSV"),
        Bank(("Revolut",), "Statement", "CSV (“Excel”)", app=True),
        Bank(("Wise", "TransferWise"), "Statements and reports", "CSV"),
    ),
}

NO_CONNECTION: Final = "I connect to no bank; I read the file that yours gives you."
_OF_BANK = "The file from {bank}"
_OF_ANY = "The file from your bank"
_WEBSITE = (
    "Sign in on the website, open the account, and look beside the list of its transactions "
    "for a link such as “{link}”. Choose {choose}."
)
_APP = "In the app, open the account and look for something like “{link}”. Choose {choose}."
_ANY = (
    "Sign in on your bank's website, open the account, and look beside the list of its transactions for Download or Export; "
    "apps seldom have it."
)
_WHICH = (
    "OFX, QFX, CAMT and MT940 are best, for they state balances as well; CSV and Excel are as good for everything else, "
    "and a PDF statement will do where there is nothing better."
)
_HOW_MUCH = "Take as long a time as is offered: what comes twice is counted once."
_THEN = "Then {bring_it}. You see what it holds before anything is imported, and can take it back."
_KNOWN = "Name your bank, and I say what to look for: I know {banks}."


def bank_in(text: str) -> Bank | None:
    """Return the bank that a text names, by the longest of its names that is there."""
    said = f" {_spelled(text)} "
    named = [
        (name, bank) for each in BANKS.values() for bank in each for name in bank.names if f" {_spelled(name)} " in said
    ]
    return max(named, key=lambda found: len(found[0]))[1] if named else None


def guide(text: str, surface: Surface) -> tuple[str, ...]:
    """Return how the file is got from the bank that a text names, or from any, and what to do with it; a headline first."""
    bank = bank_in(text)
    then = say(_THEN, bring_it=surface.bringing)
    if bank is not None:
        way = say(_APP if bank.app else _WEBSITE, link=bank.link, choose=say(bank.choose))
        return say(_OF_BANK, bank=bank.name), way, _HOW_MUCH, then
    known = ", ".join(bank.name for each in BANKS.values() for bank in each)
    return _OF_ANY, _ANY, _WHICH, _HOW_MUCH, then, say(_KNOWN, banks=known)


def _spelled(text: str) -> str:
    return " ".join(word.key for word in words(text.replace("-", " ")))
