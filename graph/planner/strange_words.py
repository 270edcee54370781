"""Words of a question that nobody knows: which of them may be a name, and how they stand together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.asking import categories_named, is_shop, names_something
from graph.planner.vocabulary import OF_BANKS
from language.lexicon import listed
from language.words import fold
from ledger.brands import is_own_name
from ledger.categories import trades_of
from ledger.category_words import find_category_words
from ledger.descriptors import CITIES
from tools.slots.name_index import is_everyday
from tools.slots.names import merchant_index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from language.words import Word
    from ledger.category_words import CategoryMention

#: Money that only a bank takes or gives.
_OF_THE_BANK = frozenset({"fees", "interest", "interest_charged"})
_LONGEST_NAME = 3
UNKNOWN = "Nothing in your ledger is called “{words}”. What do you mean?"
_SHORTEST_WORD = 3


def is_a_bank(key: str) -> bool:
    """Whether a folded word is one for a bank or an account."""
    return key in listed("account_words") or any(part in key for part in listed("bank_parts"))


def neighbours(words: Sequence[Word], text: str) -> list[list[Word]]:
    """Return the words in groups of neighbours."""
    found: list[list[Word]] = []
    for word in words:
        if found and not text[found[-1][-1].end : word.start].strip(" -"):
            found[-1].append(word)
        else:
            found.append([word])
    return found


def is_brand(words: Sequence[Word], asking: Asking) -> bool:
    """Whether several words are together the name of a well-known shop ("Media Markt")."""
    return len(words) > 1 and is_own_name(text_of(asking, words))


def is_of_a_kind(word: Word, asking: Asking) -> bool:
    """Whether a word is only a part of what several say of a kind of thing: “car insurance” is about no cars."""
    kinds = find_category_words(asking.reading.text, asking.context.vocabulary.categories)
    return any(kind.start <= word.start and word.end <= kind.end and kind.text.split()[1:] for kind in kinds)


def kinds_named(asking: Asking) -> list[CategoryMention]:
    """Return the words for a kind of thing that the ledger's categories don't tell apart from others.

    Beside what is left out ("leaving out the cruise from Seaview Cruises") a single word may be left out with it.
    """
    kinds = find_category_words(asking.reading.text, asking.context.vocabulary.categories)
    told = [(m.start, m.end) for m in asking.reading.mentions]
    told += [(unclear.start, unclear.end) for unclear in asking.reading.unclear]
    free = [kind for kind in kinds if not any(start < kind.end and kind.start < end for start, end in told)]
    return [kind for kind in free if not asking.reading.crossed or kind.text.split()[1:]]


def is_telling(word: Word, asking: Asking) -> bool:
    """Whether a word by itself can tell what is meant: one of what is bought or got, or none that stands in most sentences."""
    written = asking.reading.text[word.start : word.end]
    if asking.of in _OF_THE_BANK and is_a_bank(word.key):
        return False
    if word.key in OF_BANKS or (asking.has("merchant") and word.key in listed("kin")):
        return False
    long_enough = len(word.key) >= _SHORTEST_WORD or (written.isupper() and len(written) > 1)
    return long_enough and (asking.of == "income" or not is_everyday(word.key) or _is_a_name(word.key, written, asking))


def _is_a_name(key: str, written: str, asking: Asking) -> bool:
    """Whether an everyday word is one for something bought, a town, a shop of the ledger, or written as a brand is."""
    if names_something(key) or key in CITIES:
        return True
    if any(fold(name) == key for name in merchant_index(asking.context).whole.get(key, ())):
        return True
    return asking.of != "fees" and written[0].isupper() and is_own_name(written)


def is_of_another_trade(merchant: str, written: str) -> bool:
    """Whether a word is in the name of a merchant that is known for something else: who hires out cars is not paid "rent"."""
    trades, said = trades_of(merchant), categories_named(fold(written))
    return bool(trades and said) and not trades & said and fold(written) in fold(merchant)


def unknown_name(asking: Asking) -> str:
    """Return the words that nobody knows as they are written: those behind "at" or with a capital before any other."""
    strange = asking.unknown
    if not strange:
        return ""
    text = asking.reading.text
    likely = [word for word in strange if is_name(asking, word) or text[word.start].isupper()] or strange
    last = likely[-1]
    first = next(
        word for word in strange if text[word.end : last.start].count(" ") < _LONGEST_NAME and word.start <= last.start
    )
    return text[first.start : last.end] if first in likely else text[last.start : last.end]


def text_of(asking: Asking, words: Sequence[Word]) -> str:
    """Return words as they are written, one by one where others stand between."""
    text = asking.reading.text
    together = text[words[0].start : words[-1].end]
    return together if len(together.split()) == len(words) else " ".join(text[word.start : word.end] for word in words)


def is_name(asking: Asking, word: Word) -> bool:
    """Whether a word is a known brand, or stands right behind one that shops stand behind."""
    if is_shop(asking, word):
        return True
    place = asking.reading.words.index(word)
    return place > 0 and asking.reading.words[place - 1].key in listed("at_name")
