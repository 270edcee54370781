"""Closed choices, each with the words that people use for it, in English and German."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from language.words import words
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.context import ToolContext


@dataclass(frozen=True, eq=False)
class ChoiceSlot:
    """A value out of a few; a phrase is one or several words, compared without case and accents."""

    name: str
    phrases: Mapping[str, tuple[str, ...]]
    description: str = ""

    def json_schema(self) -> dict[str, Any]:
        """The values as an enum."""
        return {"enum": list(self.phrases)} | ({"description": self.description} if self.description else {})

    @cached_property
    def _by_first_word(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        index: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for value, phrases in self.phrases.items():
            for phrase in phrases:
                keys = tuple(word.key for word in words(phrase))
                index.setdefault(keys[0], []).append((keys, value))
        for entries in index.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        return index

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return every phrase of the sentence, the longest at each place."""
        del context
        sentence = words(text)
        found: list[Mention] = []
        position = 0
        while position < len(sentence):
            step = 1
            for keys, value in self._by_first_word.get(sentence[position].key, ()):
                window = sentence[position : position + len(keys)]
                if tuple(word.key for word in window) == keys:
                    start, end = window[0].start, window[-1].end
                    found.append(Mention(self.name, start, end, value, text[start:end]))
                    step = len(keys)
                    break
            position += step
        return found

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept a value of the choice; the schema has coerced near misses before."""
        del context
        if value in self.phrases:
            return Checked(value)
        return Checked(problem=f"“{str(value)[:40]}” is no choice here.", choices=tuple(self.phrases))


MEASURE = ChoiceSlot(
    "measure",
    {
        "largest": (
            "largest", "biggest", "most expensive", "the most expensive", "highest", "priciest", "splurge", "größte", "größter", "größten",
            "größtes", "dearest", "costliest", "steepest", "heftiest", "fattest", "dickste", "dicksten", "dickster", "heftigste", "heftigsten", "teuerste", "teuerster", "teuersten", "teuerstes", "höchste", "höchster", "höchsten",
        ),
        "smallest": (
            "smallest", "cheapest", "least expensive", "the least expensive", "lowest", "tiniest", "the least", "least", "am wenigsten", "kleinste", "kleinster", "kleinsten",
            "günstigste", "günstigster", "günstigsten", "billigste", "billigster", "billigsten", "niedrigste",
        ),
        "first": (
            "first", "earliest", "first time", "oldest", "erste", "ersten", "erstes", "erster", "zum ersten mal",
            "erstmals", "älteste", "früheste", "when did i start", "seit wann",
        ),
        "last": (
            "last", "latest", "most recent", "most recently", "last time", "newest", "recently", "letzte", "letzten",
            "letztes", "letzter", "zum letzten mal", "zuletzt", "neueste",
        ),
        "count": (
            "how many", "number of", "count", "how many times", "wie viele", "wieviele", "anzahl", "wie viele male",
        ),
        "how_often": ("how often", "how frequently", "frequency", "wie oft", "wie häufig"),
        "average": (
            "average", "on average", "avg", "the mean", "typical", "typically", "usually", "durchschnitt", "durchschnittlich",
            "durchschnittliche", "durchschnittlicher", "durchschnittlichen", "im schnitt", "im durchschnitt", "im mittel",
        ),
        "top": ("top", "the most", "most", "most money", "am meisten", "meisten", "das meiste", "meiste", "das meiste geld"),
    },
    "Which extreme, count or average",
)  # fmt: skip

BY = ChoiceSlot(
    "by",
    {
        "purchase": (
            "purchase", "purchases", "transaction", "transactions", "payment", "payments", "expense", "expenses", "charge",
            "charges", "trip", "run", "bon", "bons", "kassenbon", "betrag", "posten", "einzelausgabe", "einzelausgaben", "order", "orders", "receipt", "receipts", "visit", "visits", "bestellung", "bestellungen", "buchung", "buchungen", "einkauf", "einkäufe", "ausgabe", "zahlung", "kauf", "käufe", "bill", "bills",
        ),
        "merchant": (
            "merchant", "merchants", "store", "stores", "shop", "shops", "place", "places", "company", "companies", "vendor",
            "vendors", "retailer", "händler", "händlern", "geschäft", "geschäfte", "laden", "läden", "where",
        ),
        "category": ("category", "categories", "kategorie", "kategorien", "what kind of things"),
        "month": ("which month", "what month", "month did", "month was", "months", "welcher monat", "welchem monat"),
        "day": ("which day", "what day", "day did", "day was", "welcher tag", "welchem tag"),
    },
    "What is ranked",
)  # fmt: skip

PER = ChoiceSlot(
    "per",
    {
        "day": ("per day", "a day", "each day", "every day", "daily", "by day", "pro tag", "täglich", "am tag", "je tag"),
        "week": (
            "per week", "a week", "each week", "every week", "weekly", "by week", "week by week", "pro woche",
            "wöchentlich", "in der woche", "je woche", "im wochenschnitt",
        ),
        "month": (
            "im monatsschnitt", "monatsschnitt", "im monatsdurchschnitt", "monatsdurchschnitt",
            "per month", "a month", "each month", "every month", "monthly", "by month", "month by month", "pro monat",
            "monatlich", "im monat", "je monat",
        ),
        "year": ("per year", "a year", "each year", "every year", "yearly", "annually", "pro jahr", "jährlich", "im jahr"),
    },
    "Average per day, week, month or year",
)  # fmt: skip

SHOW = ChoiceSlot(
    "show",
    {
        "income": ("income alone",),
        "left": (
            "left over", "left", "leftover", "saved", "save", "savings rate", "saving rate", "put aside", "put by", "surplus",
            "remained", "remaining", "was remaining", "übrig", "übriggeblieben", "übrig geblieben", "blieb", "bleibt", "gespart", "überschuss",
            "zurückgelegt", "sparquote",
        ),
    },
    "Which figure of the income",
)  # fmt: skip

SORT = ChoiceSlot(
    "sort",
    {
        "newest": ("newest first", "latest first", "most recent first", "by date", "neueste zuerst"),
        "oldest": ("oldest first", "earliest first", "älteste zuerst", "chronologically"),
        "largest": ("largest first", "biggest first", "by amount", "by size", "nach betrag", "größte zuerst"),
        "smallest": ("smallest first", "cheapest first", "kleinste zuerst"),
    },
    "Order of the list",
)  # fmt: skip

OPERATION = ChoiceSlot(
    "operation",
    {
        "sum": (
            "sum", "add up", "altogether", "combined", "together", "in total together", "summe", "zusammen", "insgesamt zusammen",
            "add them", "add those", "add them up", "total of both", "both together",
        ),
        "difference": (
            "difference", "how much more", "how much less", "subtract", "minus", "differenz", "unterschied",
            "wie viel mehr", "wie viel weniger",
        ),
        "share": (
            "share", "percentage", "percent", "proportion", "fraction", "what part", "how much of", "prozent", "anteil",
            "prozentsatz", "prozentual",
        ),
        "ratio": ("ratio", "times as much", "how many times more", "verhältnis", "mal so viel"),
    },
    "What to compute",
)  # fmt: skip
