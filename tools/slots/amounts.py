"""Bounds on amounts and numbers of things, in figures or in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from language.catalogue import say
from language.lexicon import choices, counts, of_each, patterns
from language.words import fold, fold_in_place
from ledger.importers.currencies import SHARED, currency_of
from tools.schema.wording import shorten
from tools.slots.slot import Checked, LeftOut, Mention

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.context import ToolContext

NUMBER = r"(?:\d{1,3}(?:[,.' ]\d{3})+|\d+)(?:[.,]\d{1,2})?"


def _said(name: str) -> str:
    return f"(?:{'|'.join(patterns('amounts', name))})"


_WORDS: Mapping[str, str] = {word: amount for words in of_each("amount_words") for word, amount in words.items()}
#: Signs before or behind a figure; the rand's stands right before it.
_SIGN = rf"(?:\b(?:us|ca|au|nz|hk|[acs]))?[$]|[€£¥₹]|\br(?=\d)|{_said('unit')}\b"
#: No amount is what goes on in letters or further digits, as 1e309 and 5k do.
_END = rf"(?![\w]|[.,']\d|\s*(?:%|{_said('percent')}))"
_AMOUNT = rf"(?:{_SIGN}\s?)?({NUMBER}|{'|'.join(_WORDS)})(?:\s?(?:{_SIGN}))?{_END}"

_OVER = re.compile(rf"\b{_said('over')}\s+{_AMOUNT}")
_UNDER = re.compile(rf"\b{_said('under')}\s+{_AMOUNT}")
_BETWEEN = re.compile(rf"\b{_said('between')}\s+{_AMOUNT}\s+(?:{_said('and')}|&|-)\s+{_AMOUNT}")
#: An amount by itself is one of just that size: one that is said to be exact, or has a currency or cents.
_EXACT = re.compile(
    rf"\b{_said('exactly')}\s+{_AMOUNT}|(?<![\w.,'-])(?:(?:{_SIGN})\s?{NUMBER}|"
    rf"{NUMBER}\s?(?:{_SIGN})|\d[\d.,']*[.,]\d\d(?!\d)){_END}"
)
_TO_THE_CENT = re.compile(rf"\b{_said('exactly')}\b|[.,]\d\d(?!\d)")
_ROUGHLY = re.compile(rf"\b{_said('roughly')}\.?\s*$")
_MONEY_CUE = re.compile(rf"{_SIGN}")
_INCLUSIVE = re.compile(rf"{_said('inclusive')}\s")
#: Words that open periods as well as bounds.
_OF_TIMES_TOO = re.compile(rf"{_said('of_times_too')}\s")

#: An amount whose minor units fit into 64 bits whatever the currency; no exponent, no name of a number.
_MOST_YEARS = 10
_WRITTEN = re.compile(r"[+-]?\d{1,14}(?:\.\d{1,2})?")
_COMPARES = re.compile(rf"\b{_said('compares')}\b")
_COUNT = "|".join(["\\d{1,4}", *map(re.escape, counts())])
_THINGS, _RANKS = _said("thing"), _said("rank")
_LIMIT = re.compile(
    rf"\b{_said('leading')}\s+({_COUNT})(?=\s+(?:{_THINGS}|{_RANKS}))"
    rf"|\b{_said('which_so_many')}\s+({_COUNT})(?=\s+[^\W\d_]{{3,}})"
    rf"|\b(?:top)\s?[- ]?({_COUNT})\b"
    rf"|\b({_COUNT})\s+(?={_RANKS})"
    rf"|\b{_RANKS}\s+(?!{_said('no_count')}\b)({_COUNT})\b(?!\s+(?:\w+\s+)?{_said('stretch')}\b)"
    rf"|\b{_said('end_of_list')}\s+(?!{_said('no_count')}\b)({_COUNT})\s*[?.!]*$"
    rf"|\b{_said('either_end')}\s+({_COUNT})(?=\s+(?!(?:\w+\s+)?{_said('stretch')}\b)[^\W\d_]{{3,}})"
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
        """Return the bounds that a sentence states for this side, but those in another currency, which none can be in (D12)."""
        return [found for found in self._find(text, context) if not _is_in_another(found.text, context)]

    def _find(self, text: str, context: ToolContext) -> list[Mention]:
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
            if amount is None or (_OF_TIMES_TOO.match(match.group()) and not self._is_money(match, folded)):
                continue
            if not _MONEY_CUE.search(match.group()) and _is_recent_year(match.group(1), context):
                continue
            if _INCLUSIVE.match(match.group()):
                amount += -context.smallest_amount if self.side == "over" else context.smallest_amount
            found.append(self._mention(match, amount, text))
        return found or self._just(folded, text, context)

    def _just(self, folded: str, text: str, context: ToolContext) -> list[Mention]:
        """Return the bound on this side of an amount that stands by itself ("the 9.99 charge", "exactly 40 euros").

        Who says no cents leaves them out: “that 418 euros” may be 418.60.
        """
        if any(form.search(folded) for form in (_BETWEEN, _OVER, _UNDER)):
            return []
        found = []
        for match in _EXACT.finditer(folded):
            amount = read_amount(re.sub(rf"{_SIGN}|[a-z]", "", match.group()).strip())
            if amount is None or _ROUGHLY.search(folded[: match.start()]):
                continue
            above = context.smallest_amount if _TO_THE_CENT.search(match.group()) else Decimal(1)
            bound = amount + above if self.side == "under" else amount - context.smallest_amount
            found.append(self._mention(match, bound, text))
        return found[:1]

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept a number of major units, with or without a currency sign."""
        del context
        amount = read_amount(re.sub(_SIGN, "", fold(str(value))).strip())
        if amount is None or amount < 0:
            return Checked(problem=say("I can't read the amount “{amount}”.", amount=shorten(value, quoted=False)))
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
            group = next(index for index in range(1, _LIMIT.groups + 1) if match.group(index))
            word = match.group(group)
            value = counts().get(word) or (int(word) if word.isdigit() else 0)
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


def _is_in_another(said: str, context: ToolContext) -> bool:
    """Whether an amount is said to be in another of the ledger's currencies than the one that is used most."""
    sign = _MONEY_CUE.search(fold_in_place(said))
    if sign is None:
        return False
    named = [code for code in context.vocabulary.currencies if sign.group() in choices("currencies").get(code, ())]
    written = currency_of(sign.group(), context.currency) or ""
    meant = named or [code for code in context.vocabulary.currencies if code in SHARED.get(written, (written,))]
    return bool(meant) and context.currency not in meant


def _is_recent_year(written: str, context: ToolContext) -> bool:
    """Whether a bare number is a year that people speak of ("dearer than 2025"), rather than an amount."""
    return len(written) == 4 and written.isdigit() and 0 <= context.today.year - int(written) <= _MOST_YEARS


def _looks_like_years(match: re.Match[str]) -> bool:
    return all(re.fullmatch(r"(?:19|20)\d\d|[12]?\d|3[01]", match.group(i) or "") for i in (1, 2))
