"""Bounds on amounts and numbers of things, in figures or in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from language.words import fold, fold_in_place
from tools.slots.slot import Checked, LeftOut, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

_NUMBER = r"(?:\d{1,3}(?:[,.' ]\d{3})+|\d+)(?:[.,]\d{1,2})?"
_SIGN = (
    r"[$€£¥]|(?:usd|eur|gbp|chf|cad|aud|nzd|dollars?|euros?|bucks?|pounds?|quid|pfund|franken|francs?|stutz|rappen)\b"
)
#: No amount is what goes on in letters or further digits, as 1e309 and 5k do.
_END = r"(?![\w]|[.,']\d|\s*(?:%|percent|prozent))"
_AMOUNT = rf"(?:{_SIGN}\s?)?({_NUMBER}|a hundred|hundred|hundert|fifty|twenty)(?:\s?(?:{_SIGN}))?{_END}"

_OVER = re.compile(
    rf"\b(?:over|above|more than|greater than|larger than|bigger than|higher than|exceeding|at least|from|"
    rf"costing more than|more expensive than|pricier than|dearer than|teurer als|mehr als|uber|gross?er als|hoher als|mindestens|ab)\s+{_AMOUNT}"
)
_UNDER = re.compile(
    rf"\b(?:under|below|less than|smaller than|lower than|cheaper than|billiger als|gunstiger als|at most|up to|no more than|"
    rf"weniger als|unter|kleiner als|hochstens|bis zu)\s+{_AMOUNT}"
)
_BETWEEN = re.compile(rf"\b(?:between|zwischen|zw\.?|betw\.?)\s+{_AMOUNT}\s+(?:and|und|n|to|bis|&|-)\s+{_AMOUNT}")
#: An amount by itself is one of just that size: one that is said to be exact, or has a currency or cents.
_EXACT = re.compile(
    rf"\b(?:of |for |von |uber )?(?:exactly|precisely|genau|exakt)\s+{_AMOUNT}|(?<![\w.,'-])(?:(?:{_SIGN})\s?{_NUMBER}|"
    rf"{_NUMBER}\s?(?:{_SIGN})|\d[\d.,']*[.,]\d\d(?!\d)){_END}"
)
_ROUGHLY = re.compile(
    r"\b(?:about|around|roughly|approximately|some|like|ca|circa|etwa|ungefahr|rund|so um die|um die)\.?\s*$"
)
_MONEY_CUE = re.compile(rf"{_SIGN}")
_INCLUSIVE = ("at least", "at most", "up to", "no more than", "mindestens", "hochstens", "bis zu", "from", "ab")
_WORDS = {"a hundred": "100", "hundred": "100", "hundert": "100", "fifty": "50", "twenty": "20"}

#: An amount whose minor units fit into 64 bits whatever the currency; no exponent, no name of a number.
_WRITTEN = re.compile(r"[+-]?\d{1,14}(?:\.\d{1,2})?")
_SMALL_NUMBERS = {
    **dict(zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)),
    **dict(zip("ein zwei drei vier funf sechs sieben acht neun zehn".split(), range(1, 11), strict=True)),
    "twelve": 12, "zwolf": 12, "twenty": 20, "zwanzig": 20, "couple of": 2, "few": 3,
}  # fmt: skip
_COMPARES = re.compile(
    r"\b(?:over|above|exceed\w*|under|below|than|more|less|bigger|larger|higher|smaller|lower|cheaper|"
    r"als|uber|unter|mehr|weniger|grosser|hoher|kleiner|niedriger)\b"
)
_COUNT = "|".join(["\\d{1,4}", *map(re.escape, _SMALL_NUMBERS)])
_THINGS = (
    "transactions?|purchases?|payments?|expenses?|charges?|merchants?|stores?|shops?|categories|days|months|times|places|"
    "buchungen|ausgaben|einkaufe|kaufe|zahlungen|transaktionen|handler|kategorien|laden|geschafte"
)
_RANKS = "largest|biggest|highest|smallest|cheapest|lowest|most expensive|priciest|latest|newest|most recent|recent|gross?te[nr]?|teuerste[nr]?|hochste[nr]?|kleinste[nr]?|gunstigste[nr]?|letzte[nr]?|neueste[nr]?"
_LIMIT = re.compile(
    rf"\b(?:top|first|last|latest|die|ersten|letzten|my|the|show|list|zeig)\s+({_COUNT})(?=\s+(?:{_THINGS}|{_RANKS}))"
    rf"|\b(?:top)\s?[- ]?({_COUNT})\b"
    rf"|\b({_COUNT})\s+(?={_RANKS})"
    rf"|\b(?:{_RANKS})\s+(?!one\b|eine?\b)({_COUNT})\b"
    rf"|\b(?:last|latest|first|letzten|ersten)\s+(?!one\b|eine?\b)({_COUNT})\s*[?.!]*$"
)


@dataclass(frozen=True, slots=True)
class AmountSlot:
    """A bound on the size of an amount: ``over`` and ``under`` exclude it, in the currency most used in the ledger."""

    side: Literal["over", "under"]

    @property
    def name(self) -> str:
        """``over`` or ``under``."""
        return self.side

    def json_schema(self) -> dict[str, Any]:
        """A plain number of major units."""
        word = "more" if self.side == "over" else "less"
        return {"type": "string", "description": f"Only amounts of {word} than this, as a plain number"}

    def may_refer(self, text: str) -> bool:
        """Whether a sentence sets something against a figure, so that the bound may be one of those found before."""
        return bool(_COMPARES.search(fold_in_place(text)))

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the bounds that a sentence states for this side."""
        folded = fold_in_place(text)
        found: list[Mention] = []
        for match in _BETWEEN.finditer(folded):
            if _MONEY_CUE.search(match.group()) or not _looks_like_years(match):
                amount = read_amount(match.group(1 if self.side == "over" else 2))
                if amount is not None:
                    step = context.smallest_amount
                    bound = amount - step if self.side == "over" else amount + step
                    found.append(self._mention(match, bound, text))
        if found:
            return found
        for match in (_OVER if self.side == "over" else _UNDER).finditer(folded):
            amount = read_amount(match.group(1))
            if amount is None or (
                match.group().startswith(("from", "ab ", "over")) and not self._is_money(match, folded)
            ):
                continue
            if match.group().startswith(_INCLUSIVE):
                amount += -context.smallest_amount if self.side == "over" else context.smallest_amount
            found.append(self._mention(match, amount, text))
        return found or self._just(folded, text, context)

    def _just(self, folded: str, text: str, context: ToolContext) -> list[Mention]:
        """Return the bound on this side of an amount that stands by itself ("the 9.99 charge", "exactly 40 euros")."""
        if any(form.search(folded) for form in (_BETWEEN, _OVER, _UNDER)):
            return []
        found = []
        for match in _EXACT.finditer(folded):
            amount = read_amount(re.sub(rf"{_SIGN}|[a-z]", "", match.group()).strip())
            if amount is None or _ROUGHLY.search(folded[: match.start()]):
                continue
            step = -context.smallest_amount if self.side == "over" else context.smallest_amount
            found.append(self._mention(match, amount + step, text))
        return found[:1]

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept a number of major units, with or without a currency sign."""
        del context
        amount = read_amount(re.sub(_SIGN, "", fold(str(value))).strip())
        if amount is None or amount < 0:
            return Checked(problem=f"I can't read the amount “{str(value)[:40]}”.")
        return Checked(format(amount, "f"))

    def _mention(self, match: re.Match[str], amount: Decimal, text: str) -> Mention:
        return Mention(self.side, match.start(), match.end(), format(amount, "f"), text[match.start() : match.end()])

    def _is_money(self, match: re.Match[str], folded: str) -> bool:
        """Whether a number after a word that also opens periods ("from", "over") is an amount."""
        if _MONEY_CUE.search(match.group()):
            return True
        after = folded[match.end() :].lstrip()
        return match.group().startswith("over") and not re.match(r"(?:days|weeks|months|years|times)\b", after)


@dataclass(frozen=True, slots=True)
class LimitSlot:
    """How many things to list."""

    most: int = 100
    name: str = "limit"

    def json_schema(self) -> dict[str, Any]:
        """An integer from 1."""
        return {"type": "integer", "minimum": 1, "maximum": self.most, "description": "How many to list"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the number in phrases such as "top 5" and "three largest"."""
        del context
        found = []
        for match in _LIMIT.finditer(fold_in_place(text)):
            group = next(index for index in (1, 2, 3, 4, 5) if match.group(index))
            word = match.group(group)
            value = _SMALL_NUMBERS.get(word) or (int(word) if word.isdigit() else 0)
            if 1 <= value <= self.most:
                found.append(Mention("limit", match.start(group), match.end(group), value, word))
        return found

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Cut a limit that is too large to the most that is listed."""
        del context
        return Checked(min(int(value), self.most))


@dataclass(frozen=True, slots=True)
class ExcludedLargestSlot(LeftOut):
    """How many of the largest amounts are left out."""

    name: str = "exclude_largest"

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept a number."""
        del context
        return Checked(value)


def read_amount(text: str) -> Decimal | None:
    """Read a written amount: the last separator before one or two digits is the decimal mark."""
    text = _WORDS.get(text, text).strip().replace("'", "").replace(" ", "")
    if match := re.fullmatch(r"(.*)[.,](\d{1,2})", text):
        text = re.sub(r"[.,]", "", match.group(1)) + "." + match.group(2)
    else:
        text = re.sub(r"[.,]", "", text)
    return Decimal(text) if _WRITTEN.fullmatch(text) else None


def _looks_like_years(match: re.Match[str]) -> bool:
    return all(re.fullmatch(r"(?:19|20)\d\d|[12]?\d|3[01]", match.group(i) or "") for i in (1, 2))
