"""Names that a person uses for their own categories, merchants and accounts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from language.catalogue import say
from language.lexicon import listed as said
from language.lexicon import phrases as alike
from language.words import fold, words
from ledger.category_words import AMBIGUITY_GAP, How, find_category_words, match_categories
from ledger.periods import find_periods
from ledger.placement import place_name
from ledger.taxonomy import CATEGORIES
from tools.schema.wording import shorten
from tools.slots.accounts import account_index, cue_before, find_accounts, has_type, resolve_accounts, typed
from tools.slots.concepts import everywhere, trades
from tools.slots.name_index import NameIndex, Part, is_everyday, is_meant_as_shop, letters
from tools.slots.slot import Checked, LeftOut, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ledger.category_words import CategoryMatch, CategoryMention
    from tools.context import ToolContext
    from tools.slots.name_index import Meant
    from tools.slots.slot import Copied

_FILE = "name_words.txt"
_CLOSE = 85
#: From when on all words of a name were read as a category, when some were, and what is nearly one.
_WHOLE_CATEGORY, _SURE_CATEGORY, _NEARLY_CATEGORY = 0.9, 0.75, 0.71
_SCORES = {Part.WHOLE: 1.0, Part.CALLED: 0.95, Part.FIRST_WORDS: 0.9, Part.WITHIN: 0.85}
#: The categories that we give; a finer word may be part of their names (“Internet & Phone”).
_OURS = frozenset(category.name for category in CATEGORIES.values() if not category.finer)
#: Words behind which a shop's name stands.
_AT = said("at")
_AWAY = said("money_from")
_WAYS = _AWAY | said("money_to", "money_in")
_SIDE_BY_SIDE = re.compile(rf"^\W*(?:[,+&/]|(?:{'|'.join(said('and', 'or', 'versus'))})\b)")

_RESTATING = tuple(map(" ".join, alike("restating")))


def names_of(value: Any) -> tuple[str, ...]:
    """Return one or several names as a tuple, blank ones dropped."""
    items = value if isinstance(value, list | tuple) else [value]
    return tuple(text for item in items if item is not None and (text := str(item).strip()))


def argument_of(names: Sequence[str]) -> str | list[str]:
    """Return names as a tool's argument: one as a text, several as a list."""
    return names[0] if len(names) == 1 else list(names)


@dataclass(frozen=True, slots=True)
class MerchantSlot:
    """One or several merchants of the person's own ledger."""

    name: str = "merchant"
    copied: ClassVar[Copied] = "left over"

    def json_schema(self) -> dict[str, Any]:
        """Words as the person wrote them; code finds the merchant."""
        return {"description": "Name of a shop or company, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the known merchants that a sentence names, the longest reading first at each place.

        What names an account is left to it. A kind of shop that is finer than the ledger's categories ("the dentist")
        means the shops of that kind.
        """
        accounts = AccountSlot().find(text, context)
        found = [
            mention
            for mention in _names_in(self.name, text, merchant_index(context), is_meant_as_shop)
            if not any(other.start <= mention.start and mention.end <= other.end for other in accounts)
        ]
        for kind in _category_words(text, context):
            shops = _shops_of(kind, context)
            within = {name for each in found for name in names_of(each.value)} & set(shops)
            shops = tuple(name for name in shops if name in within) or shops  # “Mercury for power” is Mercury
            apart = [each for each in found if not within and not _is_joined(text, each, kind)]
            if shops and not apart and not any(each.start < kind.end and kind.start < each.end for each in found):
                score = _SCORES[Part.FIRST_WORDS]
                found.append(Mention(self.name, kind.start, kind.end, argument_of(shops), kind.text, score))
        return found + _transfers_in(text, context)

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to the ledger's spelling: whole, as it is called, by some of its words, then by likeness."""
        own = {name for _, name in context.vocabulary.merchants}
        return _check_names(value, "merchant", lambda name: _resolve(name, merchant_index(context)), own)

    def misspelt(self, text: str, context: ToolContext) -> Checked:
        """Resolve words that no name was found in to the one that they are nearly, letter by letter."""
        if merchant_index(context).exact(letters(text)):
            return Checked(problem="The word is meant as a word here, not as a name.")
        return _check_names(text, "merchant", lambda name: _nearest(name, merchant_index(context)))


@dataclass(frozen=True, slots=True)
class AccountSlot:
    """One or several of the person's own accounts."""

    name: str = "account"
    copied: ClassVar[Copied] = "left over"

    def json_schema(self) -> dict[str, Any]:
        """Words as the person wrote them."""
        return {"description": "Name of an account, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the accounts that a sentence names, by name or by type ("from my savings")."""
        return find_accounts(text, context)

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to an account, or to those of a type."""

        def resolve(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
            found = resolve_accounts(name, context)
            return (found, ()) if found else _nearest(name, account_index(context))

        return _check_names(value, "account", resolve, {account.name for account in context.vocabulary.accounts})


@dataclass(frozen=True, slots=True)
class CategorySlot:
    """One or several categories as the person's ledger has them."""

    name: str = "category"
    copied: ClassVar[Copied] = "left over"

    def json_schema(self) -> dict[str, Any]:
        """Words as the person wrote them; code finds the categories."""
        return {"description": "Spending category, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the category words of a sentence with the known categories they mean, rivals only if nearly as likely."""
        mentions = [
            found
            for found in _category_words(text, context)
            if found.matches and not _is_too_broad(found.matches[0]) and not _shops_of(found, context)
        ]
        return [
            Mention(
                self.name,
                found.start,
                found.end,
                argument_of(everywhere(found.matches[0].names, found.matches[0].how, context)),
                text[found.start : found.end],
                found.matches[0].score,
                tuple(
                    argument_of(other.names)
                    for other in found.matches[1:]
                    if found.matches[0].score - other.score < AMBIGUITY_GAP
                ),
                without=_shops_beside(found.matches[0], context),
            )
            for found in mentions
            if not _is_restated(found, mentions, text)
        ]

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to known categories; a group word means all categories in it.

        A merchant of the ledger is no category, though some of its words may mean one: “Whole Foods” is not all food.
        """

        def resolve(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
            matches = match_categories(name, context.vocabulary.categories)
            if matches and matches[0].score >= _SURE_CATEGORY:
                return everywhere(matches[0].names, matches[0].how, context), ()
            return (), tuple(match.names[0] for match in matches[:3])

        for name in names_of(value):
            if name not in context.vocabulary.categories and _is_merchant(name, context):
                told = say("“{name}” is a merchant in your ledger, not a category.", name=shorten(name, quoted=False))
                return Checked(problem=told)
        return _check_names(value, "category", resolve, context.vocabulary.categories)

    def misspelt(self, text: str, context: ToolContext) -> Checked:
        """Resolve words that no category was found in to the one that they are nearly, letter by letter."""
        for match in match_categories(text, context.vocabulary.categories)[:1]:
            spoken = match.category is None or match.category.spoken
            if match.score >= _NEARLY_CATEGORY and match.how is How.FUZZY and spoken:
                return Checked(argument_of(match.names))
        return Checked(problem="There is no such category.")


@dataclass(frozen=True, slots=True)
class SidesSlot(CategorySlot):
    """Categories that are set against each other: a word for several of the ledger's ("food") is one side."""

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to a category, or leave it where it means several."""
        sides: list[str] = []
        for name in names_of(value):
            checked = CategorySlot.check(self, name, context)
            if checked.problem:
                return checked
            found = names_of(checked.value)
            sides.append(found[0] if len(found) == 1 else name)
        return Checked(argument_of(tuple(dict.fromkeys(sides))) if sides else None)


def sides_of(value: str | Sequence[str] | None, context: ToolContext) -> dict[str, list[str]]:
    """Return the sides of a comparison by their names, each with the ledger's categories that it stands for.

    Names of several banks for the same thing are one side, unless nothing else is compared.
    """
    own = context.vocabulary.categories
    meant = {side: list(names_of(CategorySlot().check(side, context).value)) for side in names_of(value)}
    apart: dict[str, list[str]] = {}
    for side, members in meant.items():
        same = (other for other in apart if other in own and side in everywhere((other,), How.EXACT, context))
        apart.setdefault(next(same, side), []).extend(members)
    return apart if len(apart) > 1 else meant


@dataclass(frozen=True, slots=True)
class ExcludedSlot(LeftOut):
    """Merchants and categories that are left out."""

    name: str = "exclude"

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Resolve each name to the ledger's spelling of a category or merchant; one that is nowhere leaves nothing out."""
        resolved: list[str] = []
        for name in names_of(value):
            categories, merchants = left_out(name, context)
            if not categories and not merchants:
                near = MerchantSlot().check(name, context).choices
                told = say("Nothing is called “{name}” in your ledger.", name=shorten(name, quoted=False))
                return Checked(problem=told, choices=near)
            resolved += [each for each in (*categories, *merchants) if each not in resolved]
        return Checked(resolved or None)


def left_out(name: str, context: ToolContext) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the categories or the merchants that a name to leave out means, as the ledger spells them."""
    own = next((each for each in context.vocabulary.categories if each.casefold() == name.casefold()), None)
    if own is not None:
        return everywhere((own,), How.EXACT, context), ()
    merchants = names_of(MerchantSlot().check(name, context).value)
    return ((), merchants) if merchants else (names_of(CategorySlot().check(name, context).value), ())


def merchant_index(context: ToolContext) -> NameIndex:
    """Return the index of the ledger's merchants, made once per state of the ledger."""
    derived = context.vocabulary.derived
    if "merchants" not in derived:
        derived["merchants"] = NameIndex.of(name for _, name in context.vocabulary.merchants)
    return derived["merchants"]  # type: ignore[no-any-return]


def _is_merchant(name: str, context: ToolContext) -> bool:
    """Tell whether a name is that of a merchant, and not as a whole a word for a category."""
    matches = match_categories(name, context.vocabulary.categories)
    if matches and matches[0].score >= _WHOLE_CATEGORY:
        return False
    index = merchant_index(context)
    return bool(index.exact(letters(name)) or index.called(name))


def merchant_keys(names: Sequence[str], context: ToolContext) -> tuple[str, ...]:
    """Return the keys of merchants given by their display names."""
    wanted = set(names)
    return tuple(key for key, name in context.vocabulary.merchants if name in wanted)


def account_ids(names: Sequence[str], context: ToolContext) -> tuple[int, ...]:
    """Return the ids of accounts given by their names."""
    wanted = set(names)
    return tuple(account.id for account in context.vocabulary.accounts if account.name in wanted)


def _names_in(slot: str, text: str, index: NameIndex, meant: Meant) -> list[Mention]:
    """Return the names in a sentence."""
    return [
        Mention(slot, hit.start, hit.end, argument_of(hit.names), text[hit.start : hit.end], _SCORES[hit.part])
        for hit in index.find(text, meant)
    ]


def _category_words(text: str, context: ToolContext) -> list[CategoryMention]:
    """Return the category words of a sentence, without those in names that nobody knows: “at Golden Dragon Restaurant”."""
    found = find_category_words(text, context.vocabulary.categories)
    return [mention for mention in found if text.isupper() or not _is_in_a_name(mention, text, context)]


def _is_in_a_name(mention: CategoryMention, text: str, context: ToolContext) -> bool:
    """Tell whether a category word stands among capitalised words behind “at”, one of which nothing else explains."""
    sentence = words(text)
    first = next((place for place, word in enumerate(sentence) if word.end > mention.start), 0)
    last = first
    while last < len(sentence) and text[sentence[last].start].isupper():
        last += 1
    while first and text[sentence[first - 1].start].isupper() and sentence[first - 1].key not in _AT:
        first -= 1
    if not first or sentence[first - 1].key not in _AT or last <= first or sentence[last - 1].end < mention.end:
        return False
    others = [word for word in sentence[first:last] if word.end <= mention.start or mention.end <= word.start]
    unbroken = not any(sign in text[sentence[first].start : sentence[last - 1].end] for sign in ",;:?!")
    return unbroken and any(_is_unknown(text[word.start : word.end], context) for word in others)


def _is_unknown(written: str, context: ToolContext) -> bool:
    """Tell whether a word is no everyday word, no town, no part of a merchant's name and no period."""
    known = is_everyday(fold(written)) or merchant_index(context).resolve(written)
    return not known and not find_periods(written, context.today)


def _is_joined(text: str, named: Mention, kind: CategoryMention) -> bool:
    """Whether a name and a kind of shop stand side by side ("Tesco and bakeries"), and the kind says nothing of the name."""
    first, second = sorted((named.end, kind.end)), sorted((named.start, kind.start))
    return bool(_SIDE_BY_SIDE.search(fold(text[first[0] : second[1]])))


def _shops_of(mention: CategoryMention, context: ToolContext) -> tuple[str, ...]:
    """Return the shops of a kind that the ledger's categories don't tell apart, or nothing where they do."""
    best = mention.matches[0] if mention.matches else None
    if best is None:  # files with categories of their own may have put it into wider ones
        placed = place_name(mention.text)
        return tuple(trades(context).get(placed.primary.key, ())) if placed and not placed.touched else ()
    if best.category is None:
        return ()
    if best.category.nearly_whole and best.score >= _SURE_CATEGORY:
        return ()  # nearly all of the category is what was asked for
    if best.how is not How.BROADER and not (best.category.finer and _OURS.issuperset(best.names)):
        return ()  # a file's own category of that name
    return tuple(dict.fromkeys(name for key in best.keys for name in trades(context).get(key, ())))


def _shops_beside(match: CategoryMatch, context: ToolContext) -> tuple[str, ...]:
    """Return the shops of the other kinds within a category where these are not meant: bakeries are no supermarkets."""
    asked = match.category
    if asked is None or not asked.but_others or not _OURS.issuperset(match.names):
        return ()
    others = {key for key, each in CATEGORIES.items() if each.parent == asked.parent} - {asked.key}
    shops = {name for key in others for name in trades(context).get(key, ())}
    return tuple(sorted(shops.difference(trades(context).get(asked.key, ()))))


def _is_too_broad(match: CategoryMatch) -> bool:
    """Tell whether a category covers so much more than was asked that its total would answer another question."""
    if match.how is not How.BROADER:
        return False
    return match.category is None or not match.category.nearly_whole or match.score < _SURE_CATEGORY


def _is_restated(mention: CategoryMention, others: Sequence[CategoryMention], text: str) -> bool:
    """Tell whether a category is said again and more narrowly: “a meal out, at a restaurant I mean”."""
    if not any(phrase in fold(text) for phrase in _RESTATING):
        return False
    names = set(mention.matches[0].names)
    return any(other.start > mention.end and set(other.matches[0].names) < names for other in others)


def _transfers_in(text: str, context: ToolContext) -> list[Mention]:
    """Return what transfers to accounts elsewhere are called: “into savings” is “Transfer to Savings”, not “from”."""
    found: list[Mention] = []
    index = merchant_index(context)
    for account_type, start, end in typed(text):
        key = letters(text[start:end])
        moved = cue_before(text, start) in _WAYS
        names = () if not moved or has_type(account_type, context) else index.holding(key) or index.beginning(key)
        way = "from" if cue_before(text, start) in _AWAY else "to"
        names = tuple(name for name in names if way in name.casefold().split()) or names
        if names:
            found.append(Mention("merchant", start, end, argument_of(names), text[start:end], _SCORES[Part.WITHIN]))
    return found


def _resolve(name: str, index: NameIndex) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = index.resolve(name)
    return (found, ()) if found else _nearest(name, index)


def _nearest(name: str, index: NameIndex) -> tuple[tuple[str, ...], tuple[str, ...]]:
    near = index.nearest(name)
    if near and near[0][1] >= _CLOSE and (len(near) == 1 or near[0][1] - near[1][1] >= 4):
        return (near[0][0],), ()
    return (), tuple(choice for choice, _ in near)


_NOT_FOUND = {
    "merchant": "I find no merchant “{name}” in your ledger.",
    "category": "I find no category “{name}” in your ledger.",
    "account": "I find no account “{name}” in your ledger.",
}


def _check_names(
    value: Any,
    slot: str,
    resolve: Callable[[str], tuple[tuple[str, ...], tuple[str, ...]]],
    own: Collection[str] = (),
) -> Checked:
    """Resolve each name; one that is written as one of the person's ``own`` is that one alone."""
    resolved: list[str] = []
    for name in names_of(value):
        found, near = ((name,), ()) if name in own else resolve(name)
        if not found:
            return Checked(problem=say(_NOT_FOUND[slot], name=shorten(name, quoted=False)), choices=near)
        resolved += [item for item in found if item not in resolved]
    return Checked(argument_of(resolved) if resolved else None)
