"""The names in a sentence: merchants and categories of the ledger by a part of their name, or with a slip."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from graph.planner.all_accounts import without_all_accounts
from graph.planner.reading import Reading, read, reread, respelled
from graph.planner.vocabulary import FUNCTION_WORDS, OF_BANKS
from language import cues
from language.lexicon import listed, phrases
from language.reader import reader
from language.respelling import respelled as as_written
from language.spelling import by_letter, mended
from language.words import fold, words
from ledger.brands import brand_called, is_own_name
from ledger.embeddings import english_words
from ledger.periods import is_slip_of_a_time, known_words, part_compounds
from ledger.taxonomy import CATEGORIES
from tools.slots.name_index import is_everyday, is_listed
from tools.slots.names import CategorySlot, MerchantSlot, argument_of, merchant_index, names_of
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from language.words import Word
    from tools.context import ToolContext
    from tools.slots.name_index import NameIndex
    from tools.slots.slot import Slot

#: In "what did it add up to this year" nothing goes up to this year.
_ADDED_UP = re.compile(
    r"\b(add(?:s|ed|ing)? up|comes? up|came up) to(?= (?:this|last|the|in|over|so)\b)", re.IGNORECASE
)
_SHORTEST_SLIP = 4
#: A slip of an everyday word of so many letters in a name is told all the same (“univrsity”).
_LONG_WORD = 7
_LONGEST_NAME = 3
#: A part of a name has so many letters at least, and stands for so many names at most.
_SHORTEST_PART, _MOST_NAMES = 3, 3
#: A name with a slip in it has so many letters.
_SHORTEST_SHOP = 5


def read_names(text: str, slots: Sequence[Slot], context: ToolContext, known: frozenset[str]) -> Reading:
    """Return the mentions of a text; names with a typo are found where nothing else explains a word."""
    text = _ADDED_UP.sub(r"\1 in", cues.COMPOUND.sub(lambda told: " ".join(filter(None, told.groups())), text))
    reading = respelled(read(part_compounds(text), slots, context, known), slots, context, known)
    kept = [mention for mention in reading.mentions if not (_is_verb(mention, reading) or _is_place(mention, reading))]
    kept = [_within_subject(mention, kept, context) for mention in kept]
    parts = [mention for mention in _partly_named(reading, context) if not _is_place(mention, reading)]
    reading = reread(reading, _of_most_words([*kept, *parts], reading), known)
    return reread(reading, [*reading.mentions, *_misspelt(reading, context)], known)


def written_out(text: str, context: ToolContext) -> str:
    """Return a text without dialect, slips and adverbs that change nothing."""
    return without_slips(without_particles(without_all_accounts(as_written(text), context), context), context)


def without_slips(text: str, context: ToolContext) -> str:
    """Return a text with the slips mended that leave one word of questions, or of the person's own merchants, near."""
    derived = context.vocabulary.derived
    if "spelled" not in derived:  # once per state of the ledger
        derived["spelled"] = by_letter(_words_of_names(context) | _words_of_categories(_LONG_WORD))
    return mended(text, derived["spelled"], is_word)


def without_particles(text: str, context: ToolContext) -> str:
    """Return a text without adverbs that change nothing ("natürlich"), but where it begins and where a name has them."""
    said = [word for word in words(text)[1:] if word.key in listed("particles")]
    if not said:
        return text
    names = {word.key for _, name in context.vocabulary.merchants for word in words(name)}
    for word in reversed([each for each in said if each.key not in names]):
        text = f"{text[: word.start].rstrip()}{text[word.end :]}"
    return text


def _words_of_names(context: ToolContext) -> frozenset[str]:
    """Return the words of the merchants' names by which they are told."""
    keys = {word.key for _, name in context.vocabulary.merchants for word in words(name)}
    telling = (key for key in keys if len(key) >= _LONG_WORD or not is_everyday(key))
    return frozenset(filter(str.isalpha, telling))


@cache
def _words_of_categories(shortest: int = 1) -> frozenset[str]:
    """Return the words for kinds of things ("groceries", "Haftpflicht") of so many letters at least."""
    said = (text for each in CATEGORIES.values() for text in (each.name, each.german, *each.words))
    return frozenset(
        word.key for text in said for word in words(text) if len(word.key) >= shortest and word.key.isalpha()
    )


def is_word(key: str) -> bool:
    """Whether a folded word means something by itself, and so is no slip of another."""
    named = brand_called(key) or key in _words_of_categories() or is_listed(key)
    return bool(named) or key in known_words() or key in english_words() or is_slip_of_a_time(key)


def _is_verb(mention: Mention, reading: Reading) -> bool:
    """Whether what may be a shop is the first word of a verb that says what the sentence asks ("shell out")."""
    if mention.slot != "merchant":
        return False
    written = mention.text[:1].isupper() or (brand_called(mention.text) and mention.text == fold(mention.text))
    named = written and fold(mention.text) in map(fold, names_of(mention.value))  # “uber” is the firm, “über” is not
    small = all(word.key in FUNCTION_WORDS | OF_BANKS for word in words(mention.text))  # "did I" is no "DiDi"
    if (small or reader().is_common(fold(mention.text))) and not named:
        return True  # "monthly" is no word for the shop "Monthly Service Fee", nor "payments" for "Payments"
    keys = tuple(word.key for word in reading.words if word.start >= mention.start)[:2]
    return keys in phrases("verbs")


def _is_place(mention: Mention, reading: Reading) -> bool:
    """Whether a word behind "in" is only where a shop's name says that it is ("in Portugal" is no “TAP Air Portugal”)."""
    if mention.slot != "merchant" or len(words(mention.text)) > 1:
        return False
    before = [word.key for word in reading.words if word.end <= mention.start][-1:]
    behind_first = all(fold(mention.text) in fold(name).split()[1:] for name in names_of(mention.value))
    return bool(before) and before[0] in listed("in_place") and behind_first


def _within_subject(mention: Mention, others: Sequence[Mention], context: ToolContext) -> Mention:
    """Return the shop that is left out of its own category: "books, without the bookshop"."""
    out = set(names_of(mention.value))
    same = any(o.slot == "category" and not o.excluded and set(names_of(o.value)) <= out for o in others)
    if mention.slot != "category" or not mention.excluded or not same:
        return mention
    shops = merchant_index(context).resolve(mention.text)
    return replace(mention, slot="merchant", value=argument_of(shops)) if shops else mention


def _names_no_shop(word: Word, reading: Reading, index: NameIndex) -> bool:
    """Whether a word is no part of a shop's name: too short, one of questions, kin, or of a brand that is none of the names."""
    if len(word.key) < _SHORTEST_PART or reader().is_read(word.key) or word.key in listed("kin"):
        return True
    return any(start <= word.start < end for start, end in index.brands_elsewhere(reading.text))


def _of_most_words(mentions: list[Mention], reading: Reading) -> list[Mention]:
    """Return the mentions with those names that hold what several of them say, where these are no list.

    “The AIB machine in Ballincollig” is “Aib Ballincollig”, and none of what has one of the two words alone.
    """
    shops = [m for m in mentions if m.slot == "merchant" and not m.excluded and m.score < 1]
    fitting = _fitting(shops) if len(shops) > 1 else ()
    if not fitting or _are_listed(shops, reading):
        return mentions
    return [replace(m, value=argument_of(fitting)) if m in shops else m for m in mentions]


def _fitting(shops: Sequence[Mention]) -> tuple[str, ...]:
    """Return the names that hold all words of several mentions."""
    names = dict.fromkeys(name for m in shops for name in names_of(m.value))
    said = [word.key for m in shops for word in words(m.text) if word.key not in FUNCTION_WORDS]
    return tuple(name for name in names if all(_holds(fold(name).split(), key) for key in said))


def _holds(name: Sequence[str], key: str) -> bool:
    """Whether a name has a word, or one that it begins."""
    return any(part == key or (len(key) >= _LONG_WORD and part.startswith(key)) for part in name)


def _are_listed(mentions: Sequence[Mention], reading: Reading) -> bool:
    """Whether a comma or a word such as "and" stands between two of the mentions."""
    ordered = sorted(mentions, key=lambda mention: mention.start)
    between = [reading.text[one.end : other.start] for one, other in pairwise(ordered)]
    parting = listed("and", "or", "versus")
    return any("," in each or "&" in each or any(word.key in parting for word in words(each)) for each in between)


def _partly_named(reading: Reading, context: ToolContext) -> Iterator[Mention]:
    """Yield a mention for each word that nothing explains and that is part of a name in the ledger ("zego", "dogs")."""
    if reading.outright:
        return
    for word in reading.residue:
        written = reading.text[word.start : word.end]
        index = merchant_index(context)
        if _names_no_shop(word, reading, index):
            continue
        if is_everyday(word.key) and not (index.beginning(word.key) and is_own_name(written)):
            continue  # but “caritas” is one
        merchants = index.resolve(written) or index.resolve(f"{written}s")
        if len(merchants) > 1 and not index.beginning(word.key):
            continue  # a place that several shops are in
        categories = tuple(name for name in context.vocabulary.categories if word.key in map(fold, name.split()))
        if 0 < len(merchants) <= _MOST_NAMES:
            yield Mention("merchant", word.start, word.end, argument_of(merchants), written, 0.8)
        elif len(categories) == 1:
            yield Mention("category", word.start, word.end, categories[0], written, 0.8)


def _misspelt(reading: Reading, context: ToolContext) -> tuple[Mention, ...]:
    """Return a mention for unexplained words that are nearly the name of a merchant or category, where a name would stand."""
    if not reading.residue or reading.of("merchant") or reading.of("category"):
        return ()
    for phrase, start, end in _unexplained(reading):
        if brand_called(phrase) or is_everyday(fold(phrase)) or end - start < _SHORTEST_SHOP:
            continue  # a shop that is not in the ledger is no slip of another word
        for slot in (MerchantSlot(), CategorySlot()):
            checked = slot.misspelt(phrase, context)
            if not checked.problem and checked.value:
                return (Mention(slot.name, start, end, argument_of(names_of(checked.value)), phrase, 0.8),)
    return ()


def _unexplained(reading: Reading) -> Iterator[tuple[str, int, int]]:
    """Yield what may be a misspelt name: neighbouring unexplained words together, then each of them."""
    words_, text = reading.residue, reading.text
    for first in range(len(words_)):
        for last in range(len(words_) - 1, first - 1, -1):
            start, end = words_[first].start, words_[last].end
            inside = [word for word in reading.words if start <= word.start < end]
            if end - start >= _SHORTEST_SLIP and len(inside) == last - first + 1 <= _LONGEST_NAME:
                yield text[start:end], start, end
