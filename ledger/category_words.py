"""A person's words for a category, resolved against the categories that their ledger really has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import OSA

from language.lexicon import listed
from language.reader import reader
from ledger import wordlists
from ledger.brands import brand_called, is_own_name
from ledger.placement import (
    CONNECTORS,
    JOINING_STEMS,
    Placement,
    Readings,
    content_stems,
    in_one_phrase,
    known_stems,
    longest_phrase,
    parts_of,
    phrases,
    place_name,
    read_phrase,
)
from ledger.stemming import fold, stem, words_with_spans
from ledger.taxonomy import CATEGORIES, Category, lineage, members_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from collections.abc import Set as AbstractSet

#: Two readings whose scores are closer than this are both likely.
AMBIGUITY_GAP = 0.15

_FILE = "category_words.txt"
_FILLERS = frozenset(map(stem, wordlists.words(_FILE, "fillers")))
EVERYDAY = frozenset(map(stem, wordlists.words(_FILE, "everyday")))
_CUES_BEFORE = frozenset(wordlists.words(_FILE, "cues before"))
_PLACES = frozenset(map(stem, wordlists.words(_FILE, "places")))
_ARTICLES = frozenset(wordlists.words(_FILE, "articles"))
_CUES_AFTER_FIRST = frozenset(wordlists.words(_FILE, "cues after the first"))
_CUES_AFTER = frozenset(wordlists.words(_FILE, "cues after"))
_FUNCTION_WORDS = listed("function_words")
_NEVER_TYPOS = frozenset(map(stem, wordlists.words(_FILE, "never typos")))
#: Words behind which a shop stands, and the commonest words, which are no part of its name by themselves.
_SHOP_CUES = frozenset(wordlists.words("name_words.txt", "strong cues"))
_SMALL_WORDS = frozenset(
    fold(word) for part in ("small words", "cues") for word in wordlists.words("name_words.txt", part)
)
#: How many words a brand's name may have before or after the one that means a category.
_BRAND_REACH = 3
#: A wrong letter makes another word of one that is shorter than this; of a longer one it leaves enough.
_LONG_WORD = 8
_VOWELS = frozenset("aeiouy")
_FUZZY_SCALE = 0.8


class How(StrEnum):
    """How a person's words led to a category."""

    EXACT = "exact"
    SYNONYM = "synonym"
    GROUP = "group"
    FUZZY = "fuzzy"
    BROADER = "broader"


@dataclass(frozen=True, slots=True)
class CategoryMatch:
    """One reading of a person's words: the ledger's categories that it stands for, and how sure it is (0 to 1).

    ``category`` is ours, if the reading came through our tree and that tells all of it; ``others`` are ours that the same
    words mean as well. A ``BROADER`` match covers more than was asked.
    """

    names: tuple[str, ...]
    score: float
    how: How
    category: Category | None = None
    others: tuple[Category, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all of ours that it is of."""
        return tuple(each.key for each in (self.category, *self.others) if each is not None)


@dataclass(frozen=True, slots=True)
class CategoryMention:
    """A category named in a sentence: where, and what it may stand for; no matches when the ledger has none of it."""

    start: int
    end: int
    text: str
    matches: tuple[CategoryMatch, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    name: str
    words: tuple[str, ...]
    placement: Placement | None


@lru_cache(maxsize=512)
def _known_names(names: tuple[str, ...]) -> tuple[_Known, ...]:
    return tuple(_Known(name, content_stems(name), place_name(name)) for name in dict.fromkeys(names) if name.strip())


def is_ambiguous(matches: Sequence[CategoryMatch]) -> bool:
    """Tell whether the two best readings are so close that a person should choose."""
    return len(matches) > 1 and matches[0].score - matches[1].score < AMBIGUITY_GAP


def match_categories(words: str, known: Sequence[str]) -> list[CategoryMatch]:
    """Return the readings of a person's words for a category among the ledger's own category names, best first."""
    return list(_match(words, tuple(known)))


@lru_cache(maxsize=4096)
def _match(words: str, known: tuple[str, ...]) -> tuple[CategoryMatch, ...]:
    names = _known_names(known)
    words = in_one_phrase(words)
    query = content_stems(words)
    if not query:
        return ()
    bare = tuple(word for word in query if word not in _FILLERS) or query
    found = _exact(words, query, names)
    if not found and bare != query:
        found = _exact(" ".join(bare), bare, names)
    found = [*found, *_read(query, bare, names, certain=bool(found))]
    if not found and not brand_called(words):
        repaired = _repair(bare, names)
        if repaired is not None:
            found = [
                replace(match, score=round(match.score * _FUZZY_SCALE, 3), how=How.FUZZY)
                for match in (*_exact(" ".join(repaired), repaired, names), *_read(repaired, repaired, names))
            ]
    return _ranked(found)


def _ranked(found: Sequence[CategoryMatch]) -> tuple[CategoryMatch, ...]:
    best: dict[frozenset[str], CategoryMatch] = {}
    for match in sorted(found, key=lambda match: -match.score):
        best.setdefault(frozenset(match.names), match)
    return tuple(best.values())


def _exact(words: str, query: tuple[str, ...], names: Sequence[_Known]) -> list[CategoryMatch]:
    same = [name for name in names if fold(name.name) == fold(words.strip())]
    same = same or [name for name in names if name.words == query]
    if not same:
        return []
    category = same[0].placement.primary if same[0].placement else None
    return [CategoryMatch(tuple(name.name for name in same), 1.0, How.EXACT, category)]


def _read(
    query: tuple[str, ...], bare: tuple[str, ...], names: Sequence[_Known], *, certain: bool = False
) -> list[CategoryMatch]:
    """Return readings through our tree and through shared words; ``certain`` when an exact name was found already."""
    readings = read_phrase(query) or read_phrase(bare)
    placed = place_name(" ".join(bare))
    touched: frozenset[str] = frozenset()
    if placed is not None:
        readings = readings or (((placed.primary.key,), 0.95),)
        if len(readings) == 1 and placed.primary.key in readings[0][0]:
            touched = placed.keys - {placed.primary.key}
    found = [match for reading in readings if (match := _through_tree(reading, touched, bare, names, certain=certain))]
    containing = tuple(name.name for name in names if set(bare) <= set(name.words))
    if len(found) > 1 and set(containing) & set(found[0].names):
        # The ledger itself uses the word for the first reading.
        found = [found[0], *(replace(match, score=match.score * 0.7) for match in found[1:])]
    if containing and not any(set(containing) <= set(match.names) for match in found):
        whole = any(content_stems(part) == bare for name in containing for part in parts_of(name))
        found.append(CategoryMatch(containing, 0.6 if found or certain else 0.85 if whole else 0.7, How.SYNONYM))
    return found


def _through_tree(
    reading: tuple[tuple[str, ...], float],
    touched: frozenset[str],
    bare: tuple[str, ...],
    names: Sequence[_Known],
    *,
    certain: bool,
) -> CategoryMatch | None:
    keys, likelihood = reading
    category, *others = (CATEGORIES[key] for key in keys)
    own, *above = lineage(keys[0])
    placed = [(name, name.placement) for name in names if name.placement is not None]
    among = _covered(keys, placed)
    both = tuple(name for name, placement in among if placement.keys & touched)
    if both:
        return CategoryMatch(both, 0.92 * likelihood, How.SYNONYM, category)
    if touched and not category.finer and {placement.primary.key for _, placement in among} <= {own, *above}:
        wider = tuple(name for name, _ in among)
        return CategoryMatch(wider, 0.8 * likelihood, How.BROADER) if wider else None
    wanted = {name for name, _ in among} | _called(bare, above, placed)
    chosen = tuple(name.name for name, _ in placed if name.name in wanted)
    if chosen:
        how = How.GROUP if category.parent is None or len(keys) > 1 else How.SYNONYM
        return CategoryMatch(chosen, (0.8 if certain else 0.9) * likelihood, how, category, tuple(others))
    broader = None if certain else _broader(above, placed)
    return broader and replace(broader, score=broader.score * likelihood, category=category, others=tuple(others))


def _covered(keys: Sequence[str], placed: Sequence[tuple[_Known, Placement]]) -> list[tuple[str, Placement]]:
    """Return the ledger's names for what lies within categories of ours."""
    covered = frozenset(member for key in keys for member in members_of(key))
    return [(name.name, placement) for name, placement in placed if placement.keys & covered]


def _called(bare: Sequence[str], above: Sequence[str], placed: Sequence[tuple[_Known, Placement]]) -> set[str]:
    """Return the ledger's names for wider categories that have the words in them."""
    return {name.name for name, placement in placed if placement.primary.key in above and set(bare) <= set(name.words)}


def _broader(above: Sequence[str], placed: Sequence[tuple[_Known, Placement]]) -> CategoryMatch | None:
    """Return the ledger's names for the nearest of wider categories that it has any of."""
    for key in above:
        names = tuple(name.name for name, placement in placed if placement.primary.key == key)
        if names:
            return CategoryMatch(names, 0.8 if CATEGORIES[key].parent else 0.5, How.BROADER)
    return None


def _repair(words: tuple[str, ...], names: Sequence[_Known]) -> tuple[str, ...] | None:
    """Return the words with typos mended towards words we know; nothing when there was nothing to mend."""
    vocabulary = known_stems().union(*(name.words for name in names))
    mended = tuple(word if word in vocabulary else _nearest(word, vocabulary) or word for word in words)
    return mended if mended != words else None


def _nearest(word: str, vocabulary: Collection[str]) -> str | None:
    if len(word) < 5 or word in _NEVER_TYPOS:
        return None
    best = process.extractOne(
        word,
        sorted(other for other in vocabulary if other[0] == word[0] and len(other) >= 5),
        scorer=OSA.distance,
        score_cutoff=1 if len(word) < 8 else 2,
    )
    return best[0] if best and not _is_another_word(word, best[0]) else None


def _is_another_word(word: str, nearest: str) -> bool:
    """Tell whether a short word with another consonant in it is a word of its own: “hearing” is no slip of “heating”."""
    if not _has_another_letter(word, nearest):
        return False
    return any(a != b and not {a, b} <= _VOWELS for a, b in zip(word, nearest, strict=True))


def _has_another_letter(word: str, nearest: str) -> bool:
    return len(word) == len(nearest) < _LONG_WORD and sorted(word) != sorted(nearest)


def find_category_words(text: str, known: Sequence[str]) -> list[CategoryMention]:
    """Return all categories that a sentence names, in order, with their places in the text.

    Words for a kind of movement (income, fees, cash …) count only where the sentence calls them a category, finer ones
    (late fees, bonus) where the ledger has a category of exactly that name;
    everyday words (home, book, work) only where the sentence treats them as something to spend on.
    """
    return list(_find(text, tuple(known)))


@lru_cache(maxsize=256)
def _find(text: str, known: tuple[str, ...]) -> tuple[CategoryMention, ...]:
    named = frozenset(name.words for name in _known_names(known))
    reach = max((longest_phrase(), *map(len, named)))
    tokens = words_with_spans(text)
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(tokens):
        end = _longest_mention(tokens, start, named, reach)
        if end == start:
            start += 1
            continue
        first, last = tokens[start][1], tokens[end - 1][2]
        # “car insurance” is one category, not two: neighbours without anything between them belong together.
        if spans and not text[spans[-1][1] : first].strip(" -"):
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
        start = end
    spans = [(a, b) for a, b in spans if not _is_within_a_brand(text, tokens, a, b)]
    return tuple(CategoryMention(a, b, text[a:b], _match(text[a:b], known)) for a, b in spans)


def _is_within_a_brand(text: str, tokens: Sequence[tuple[str, int, int]], first: int, last: int) -> bool:
    """Tell whether words are only a part of a brand's name that stands there (“Whole Foods”)."""
    inside = [place for place, (_, start, end) in enumerate(tokens) if first <= start and end <= last]
    starts = range(max(0, inside[0] - _BRAND_REACH), inside[0] + 1)
    ends = range(inside[-1] + 1, min(len(tokens), inside[-1] + 1 + _BRAND_REACH) + 1)
    longer = ((start, end) for start in starts for end in ends if end - start > len(inside))
    return any(_is_brand(text, tokens, start, end) for start, end in longer)


def _is_brand(text: str, tokens: Sequence[tuple[str, int, int]], start: int, end: int) -> bool:
    """Tell whether words are meant as a brand's whole name: by its capitals, what stands before it, or its own words."""
    run = [word for word, _, _ in tokens[start:end]]
    small = [fold(word) in _SMALL_WORDS for word in run]
    capitals = all(word[0].isupper() or common for word, common in zip(run, small, strict=True))
    is_meant = capitals or not any(small) or (start > 0 and tokens[start - 1][0].casefold() in _SHOP_CUES)
    return is_meant and run[0].casefold() not in _ARTICLES and is_own_name(text[tokens[start][1] : tokens[end - 1][2]])


def _longest_mention(
    tokens: Sequence[tuple[str, int, int]], start: int, named: AbstractSet[tuple[str, ...]], reach: int
) -> int:
    """Return the token after the longest category named from ``start`` on, or ``start`` when there is none."""
    if stem(tokens[start][0]) in CONNECTORS:
        return start
    for end in range(min(len(tokens), start + reach + 1), start, -1):
        if stem(tokens[end - 1][0]) in CONNECTORS:
            continue
        words = tuple(word for token in tokens[start:end] if (word := stem(token[0])) not in CONNECTORS)
        if not words or (words[0] in EVERYDAY and len(words) == 1 and not _cued(tokens, start, end)):
            continue
        if _asks_for_kind(words) and not _named_category(tokens, start, end):
            continue
        if words in named and not _only_asks(tokens, start, end):
            return end
        if _spoken(_phrase_or_typo(words, tokens[start][0], start)):
            return end
        if _may_join(words) and not _goes_on(tokens, end) and _spoken(_read_joined(tokens[start:end])):
            return end
    return start


def _only_asks(tokens: Sequence[tuple[str, int, int]], start: int, end: int) -> bool:
    """Tell whether the name of a category is made of words that stand in any question, and meant as these.

    "My spending" is not the category "Spending" of a bank's file; with a capital within the sentence it is, and so are
    "tips" as something to spend on.
    """
    run = [word for word, _, _ in tokens[start:end]]
    if (start and run[0][0].isupper()) or _named_category(tokens, start, end):
        return False
    cued = _cued(tokens, start, end)
    return all((key := fold(word)) in _FUNCTION_WORDS or (not cued and reader().is_common(key)) for word in run)


def _asks_for_kind(words: tuple[str, ...]) -> bool:
    """Tell whether words ask for a kind of movement (income, fees) even where the ledger has a category of that name."""
    readings = _read_run(words)
    category = CATEGORIES[readings[0][0][0]] if readings else None
    return category is not None and not category.spoken and category.parent is None and category.key != "other"


def _read_run(words: tuple[str, ...]) -> Readings:
    """Return what words mean as one phrase; a single one may be a compound."""
    return read_phrase(words) if len(words) == 1 else phrases().get(words, ())


def _goes_on(tokens: Sequence[tuple[str, int, int]], end: int) -> bool:
    """Tell whether more of the same follows: “the bill for power and gas” is not only for power."""
    return end < len(tokens) and stem(tokens[end][0]) in CONNECTORS


def _read_joined(tokens: Sequence[tuple[str, int, int]]) -> Readings:
    """Return what words mean as one phrase with a small word in their midst (“insurance for the car”)."""
    text = " ".join(word for word, _, _ in tokens)
    phrase = in_one_phrase(text)
    return phrases().get(content_stems(phrase), ()) if phrase != text else ()


def _may_join(words: tuple[str, ...]) -> bool:
    """Whether stems may be a thing and what it is for: a small word is behind the first, or behind a thing that is known."""
    joined = not JOINING_STEMS.isdisjoint(words[1:-1])
    return joined and (words[1] in JOINING_STEMS or words[0] in known_stems())


def _named_category(tokens: Sequence[tuple[str, int, int]], start: int, end: int) -> bool:
    around = (*tokens[max(0, start - 1) : start], *tokens[end : end + 1])
    return any(word.casefold() in {"category", "kategorie"} for word, _, _ in around)


def _spoken(readings: Readings) -> bool:
    return bool(readings) and CATEGORIES[readings[0][0][0]].spoken


def _phrase_or_typo(words: tuple[str, ...], written: str, place: int) -> Readings:
    readings = _read_run(words)
    if readings or len(words) > 1 or len(words[0]) < 6 or brand_called(written):
        return readings
    nearest = _nearest(words[0], _single_words().get(words[0][0], ()))
    if nearest is None or OSA.distance(nearest, words[0]) > 1 or (place and _is_name(written, words[0], nearest)):
        return ()
    return read_phrase((nearest,))


@cache
def _single_words() -> dict[str, tuple[str, ...]]:
    """Return what is a phrase by itself, by its first letter."""
    found: dict[str, list[str]] = {}
    for phrase in phrases():
        if len(phrase) == 1:
            found.setdefault(phrase[0][0], []).append(phrase[0])
    return {letter: tuple(words) for letter, words in found.items()}


def _is_name(written: str, word: str, nearest: str) -> bool:
    """Tell whether a short word with a capital and another letter in it is a name: “Danner” is no slip of “dinner”."""
    return written[0].isupper() and _has_another_letter(word, nearest)


def _cued(tokens: Sequence[tuple[str, int, int]], start: int, end: int) -> bool:
    before = tokens[start - 1][0].casefold() if start else ""
    after = tokens[end][0].casefold() if end < len(tokens) else ""
    if before in _ARTICLES and start > 1 and stem(tokens[start][0]) in _PLACES:
        return tokens[start - 2][0].casefold() in {"at", "to", "mit", "bei", "zu"}
    first = start == 0 and (not after or after in _CUES_AFTER_FIRST or after.isdigit())
    return first or before in _CUES_BEFORE or after in _CUES_AFTER
