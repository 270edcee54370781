"""Names that a person uses for their own categories, merchants and accounts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz, process

from ledger.category_words import find_category_words, match_categories
from tools.slots.slot import Checked, Mention
from tools.slots.words import word_before, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tools.context import ToolContext

#: Names of shops that are everyday words: they count only where a shop would stand, or written with a capital.
_EVERYDAY = frozenset(
    "target next gap shell subway apple amazon boots orange express five guys best chase discover total save cash "
    "market home office pay bank square time wish lush nice first one all mine may art fresh open real edge".split()
)
_SHOP_CUES = frozenset(
    "at from to on for in by with and or vs versus than bei beim von vom im mit und oder fur an".split()
)
_LONGEST_NAME = 6
_CLOSE = 86


def names_of(value: Any) -> tuple[str, ...]:
    """Return one or several names as a tuple, blank ones dropped."""
    items = value if isinstance(value, list | tuple) else [value]
    return tuple(text for item in items if item is not None and (text := str(item).strip()))


def argument_of(names: Sequence[str]) -> str | list[str]:
    """Return names as a tool's argument: one as a text, several as a list."""
    return names[0] if len(names) == 1 else list(names)


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Names by their letters and digits alone, whole and by leading words."""

    whole: dict[str, tuple[str, ...]]
    leading: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, names: Iterable[str]) -> NameIndex:
        """Index names; the order given is the order in which several are returned."""
        whole: dict[str, list[str]] = defaultdict(list)
        leading: dict[str, list[str]] = defaultdict(list)
        for name in names:
            parts = [word.key for word in words(name)]
            whole[_letters(parts)].append(name)
            for length in range(1, len(parts)):
                leading[_letters(parts[:length])].append(name)
        return cls({k: tuple(v) for k, v in whole.items()}, {k: tuple(v) for k, v in leading.items()})

    def exact(self, key: str) -> tuple[str, ...]:
        """Return the names that consist of these letters, with or without a plural s."""
        return self.whole.get(key) or self.whole.get(key.removesuffix("s")) or self.whole.get(key + "s", ())

    def beginning(self, key: str) -> tuple[str, ...]:
        """Return the names that begin with these words."""
        return self.leading.get(key) or self.leading.get(key.removesuffix("s")) or self.leading.get(key + "s", ())

    def nearest(self, text: str, limit: int = 3, close: int = 60) -> list[tuple[str, float]]:
        """Return the names most like a text, with a likeness of up to 100."""
        key = _letters([word.key for word in words(text)])
        found = process.extract(key, self.whole.keys(), scorer=fuzz.ratio, limit=limit, score_cutoff=close)
        return [(self.whole[match][0], score) for match, score, _ in found]


def _letters(parts: Sequence[str]) -> str:
    return "".join(c for part in parts for c in part if c.isalnum())


@dataclass(frozen=True, slots=True)
class MerchantSlot:
    """One or several merchants of the person's own ledger."""

    name: str = "merchant"

    def json_schema(self) -> dict[str, Any]:
        """Words as the person wrote them; code finds the merchant."""
        return {"description": "Name of a shop or company, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the known merchants that a sentence names, the longest reading first at each place."""
        index = merchant_index(context)
        found: list[Mention] = []
        sentence = words(text)
        position = 0
        while position < len(sentence):
            mention = _name_at(self.name, text, position, index)
            if mention is None:
                position += 1
                continue
            found.append(mention)
            position = next((i for i, word in enumerate(sentence) if word.start >= mention.end), len(sentence))
        return found

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to the ledger's spelling: whole, by its first words, then by likeness."""
        return _check_names(value, "merchant", lambda name: _resolve(name, merchant_index(context)))


@dataclass(frozen=True, slots=True)
class AccountSlot:
    """One or several of the person's own accounts."""

    name: str = "account"

    def json_schema(self) -> dict[str, Any]:
        """Words as the person wrote them."""
        return {"description": "Name of an account, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the accounts that a sentence names, by name or by kind ("my credit card")."""
        index = account_index(context)
        found: list[Mention] = []
        for position in range(len(words(text))):
            mention = _name_at(self.name, text, position, index)
            if mention is not None and not any(mention.start < other.end for other in found):
                found.append(mention)
        return found

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to an account."""
        return _check_names(value, "account", lambda name: _resolve(name, account_index(context)))


@dataclass(frozen=True, slots=True)
class CategorySlot:
    """One or several categories as the person's ledger has them."""

    name: str = "category"

    def json_schema(self) -> dict[str, Any]:
        """Words as the person wrote them; code finds the categories."""
        return {"description": "Spending category, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the category words of a sentence with the known categories they mean."""
        return [
            Mention(
                self.name,
                found.start,
                found.end,
                argument_of(found.matches[0].names),
                text[found.start : found.end],
                found.matches[0].score,
                tuple(argument_of(other.names) for other in found.matches[1:]),
            )
            for found in find_category_words(text, context.vocabulary.categories)
            if found.matches
        ]

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to known categories; a group word means all categories in it."""

        def resolve(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
            matches = match_categories(name, context.vocabulary.categories)
            if matches and matches[0].score >= _SURE_CATEGORY:
                return tuple(matches[0].names), ()
            return (), tuple(match.names[0] for match in matches[:3])

        return _check_names(value, "category", resolve)


_SURE_CATEGORY = 0.75


def merchant_index(context: ToolContext) -> NameIndex:
    """Return the index of the ledger's merchants, made once per state of the ledger."""
    derived = context.vocabulary.derived
    if "merchants" not in derived:
        derived["merchants"] = NameIndex.of(name for _, name in context.vocabulary.merchants)
    return derived["merchants"]  # type: ignore[no-any-return]


def account_index(context: ToolContext) -> NameIndex:
    """Return the index of the ledger's accounts by name and, where it is one of a kind, by type."""
    derived = context.vocabulary.derived
    if "accounts" not in derived:
        derived["accounts"] = NameIndex.of(account.name for account in context.vocabulary.accounts)
    return derived["accounts"]  # type: ignore[no-any-return]


def merchant_keys(names: Sequence[str], context: ToolContext) -> tuple[str, ...]:
    """Return the keys of merchants given by their display names."""
    wanted = set(names)
    return tuple(key for key, name in context.vocabulary.merchants if name in wanted)


def _name_at(slot: str, text: str, position: int, index: NameIndex) -> Mention | None:
    sentence = words(text)
    for length in range(min(_LONGEST_NAME, len(sentence) - position), 0, -1):
        window = sentence[position : position + length]
        key = _letters([word.key for word in window])
        names = index.exact(key)
        score = 1.0
        if not names and len(key) >= 4:
            names = index.beginning(key)
            score = 0.9
        if not names or (length == 1 and not _stands_as_name(text, window[0].start, key, score)):
            continue
        start, end = window[0].start, window[-1].end
        if text[end : end + 2].casefold() in {"'s", "’s"}:
            end += 2
        return Mention(slot, start, end, argument_of(names), text[start:end], score)
    return None


def _stands_as_name(text: str, start: int, key: str, score: float) -> bool:
    """Whether a single word that names a shop is meant as one here."""
    if len(key) < 2:
        return False
    if key not in _EVERYDAY and (score == 1.0 or len(key) >= 5):
        return True
    capital = text[start].isupper() and start > 0
    before = word_before(text, start)
    return capital or before in _SHOP_CUES or text.strip(" ?!.").casefold() == key


def _resolve(name: str, index: NameIndex) -> tuple[tuple[str, ...], tuple[str, ...]]:
    key = _letters([word.key for word in words(name)])
    found = index.exact(key) or (index.beginning(key) if len(key) >= 3 else ())
    if found:
        return found, ()
    near = index.nearest(name)
    if near and near[0][1] >= _CLOSE and (len(near) == 1 or near[0][1] - near[1][1] >= 4):
        return (near[0][0],), ()
    return (), tuple(choice for choice, _ in near)


def _check_names(value: Any, noun: str, resolve: Callable[[str], tuple[tuple[str, ...], tuple[str, ...]]]) -> Checked:
    resolved: list[str] = []
    for name in names_of(value):
        found, near = resolve(name)
        if not found:
            return Checked(problem=f"I find no {noun} “{name[:60]}” in your ledger.", choices=near)
        resolved += [item for item in found if item not in resolved]
    return Checked(argument_of(resolved) if resolved else None)
