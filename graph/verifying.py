"""Whether a model's sentence says no more than the facts do.

Words are allowed, not forbidden: those of a short list, those of the labels of the facts that the sentence shows, and the
names that the question holds. What qualifies a figure ("average", "left over") stands beside a figure that is one, what
is compared stands in its order, and directions agree with the change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from language.lexicon import listed as said
from language.lexicon import phrases
from language.words import fold
from ledger.stemming import stem
from ledger.wordlists import words as listed
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from graph.planner.reading import Reading
    from tools.results import Fact, Scope

_FILE = "narration_words.txt"
#: Letters of English and German and the marks between words; everything else, seen or not, drops the sentence.
_SIGNS = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ .,;:'’–-]*")
_TOKEN = re.compile(r"\{(f\d{1,3})\}|[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’-][A-Za-zÀ-ÖØ-öø-ÿ]+)*")
_PLACEHOLDER = re.compile(r"\{f\d{1,3}\}")
_GLUED = re.compile(r"[^\s(]\{f\d|\{f\d{1,3}\}[^\s.,;:)]|\{f\d{1,3}\}[.,:;]\S|[-–]\s*\{f\d|\{f\d{1,3}\}\s*\{f\d")
_POSSESSIVE = re.compile(r"['’]s?$")
#: Words of labels beside which a figure must be called what it is.
_QUALIFIERS = (
    "average",
    "smallest",
    "largest",
    "refunds",
    "difference",
    "change",
    "income",
    "left",
    "share",
    "transfers",
)
_BOUND = (*_QUALIFIERS, "total", "date", "day", "week", "month", "year")
#: Words of labels in the forms that the list has them under.
_LABELS = {
    "less": "left", "transfers": "transfers", "size": "change", "days": "day", "weeks": "week", "months": "month",
    "purchase": "purchases", "refund": "refunds", "expenses": "spent", "spending": "spent",
}  # fmt: skip
#: Small words between what compares and what is compared, and those of them that compare only behind "compared".
_BEFORE_SIDE = said("before_compared")
_TO = said("compared_with")
#: What spans from one figure to another, which two ends of a range may as well; and what a date may stand behind.
_SPANS = tuple(map(frozenset, phrases("spans")))
_EXTREMES = {"smallest", "largest"}
#: The sections whose words any sentence may hold.
_OPEN_SECTIONS = ("small words", "articles", "nouns of amounts", "counted", "up", "down", "compared", "by")
_DATING = said("before_date")
#: A figure and its name belong together over so many words.
_JOINED = 3
_FALSE = "words that the facts do not say"


@dataclass(frozen=True, slots=True)
class Names:
    """The words of the names that a question holds, in small letters; ``compared`` are those of what it sets apart."""

    words: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()


def names_in(reading: Reading, facts: Sequence[Fact], scope: Scope | None = None) -> Names:
    """Return the names of a question that a sentence about its answer may hold; what it leaves unsaid, its scope says.

    Those that are left out are none. Where several of a kind are added up, or several answers stand side by side, a
    sentence could give one the figure of another, so none may be named; what is compared must each be told by a fact.
    """
    ids = [fact.id for fact in facts]
    if len(set(ids)) < len(ids):
        return Names()
    words: set[str] = set()
    compared: set[str] = set()
    sides = any(name.startswith("side_") for name in ids)
    for texts in _named(reading, scope):
        named = {word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower())}
        words |= named if len(texts) == 1 or sides else set()
        compared |= named if len(texts) > 1 else set()
    return Names(frozenset(words), frozenset(compared & words))


def _named(reading: Reading, scope: Scope | None) -> Iterator[Sequence[str]]:
    """Yield what is named of each kind: in the question, or else in what it goes on from."""
    slots = {mention.slot for mention in reading.mentions}
    for slot in slots - {"over", "under"}:
        yield [mention.text for mention in reading.of(slot)]
    for slot in {"category", "merchant", "account"} - slots:
        yield names_of(scope.arguments.get(slot)) if scope is not None else ()


def judge(sentence: str, facts: Mapping[str, Fact], names: Names) -> str | None:
    """Return why a sentence of placeholders may not be shown, or None."""
    if not _SIGNS.fullmatch(_PLACEHOLDER.sub(" ", sentence)) or _GLUED.search(sentence):
        return "signs"
    read = Sentence(tuple(_tokens(sentence, facts)), facts, names)
    checks = (
        _vocabulary, _articles, _forms, _units, _parts, _leads, _qualified, _bounded, _spenders, _sides, _directions,
    )  # fmt: skip
    return next((reason for check in checks if (reason := check(read))), None)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or the place of a fact."""

    word: str
    fact: Fact | None = None


@dataclass(frozen=True)
class Sentence:
    """What a sentence is made of, the facts that it may show, and the question's names."""

    tokens: Sequence[Token]
    facts: Mapping[str, Fact]
    names: Names

    @cached_property
    def shown(self) -> Sequence[Fact]:
        """The facts that it shows, in order."""
        return [fact for _, fact in self.figures()]

    def figures(self) -> Iterator[tuple[int, Fact]]:
        """Yield the facts that it shows, each with its place."""
        yield from ((place, token.fact) for place, token in enumerate(self.tokens) if token.fact is not None)

    def beside(self, place: int) -> Iterator[Fact]:
        """Yield the facts shown last before a place and first behind it."""
        before = (token.fact for token in reversed(self.tokens[:place]) if token.fact is not None)
        behind = (token.fact for token in self.tokens[place + 1 :] if token.fact is not None)
        yield from (fact for fact in (next(before, None), next(behind, None)) if fact is not None)

    def word(self, place: int) -> str:
        """Return the word at a place; nothing beyond the ends and for a fact."""
        return self.tokens[place].word if 0 <= place < len(self.tokens) else ""

    def words(self, section: str) -> Iterator[int]:
        """Yield the places of words of a section."""
        yield from (place for place, token in enumerate(self.tokens) if token.word in _section(section))


@cache
def _section(name: str) -> frozenset[str]:
    return frozenset(listed(_FILE, name))


def _tokens(sentence: str, facts: Mapping[str, Fact]) -> Iterator[Token]:
    for match in _TOKEN.finditer(sentence):
        name = match.group(1)
        yield Token("", facts[name]) if name else Token(_POSSESSIVE.sub("", match.group().lower()))


def _keys(fact: Fact) -> frozenset[str]:
    """Return what a fact's label says, by the names of the list's sections."""
    words = re.findall(r"[a-z]+", fact.label.lower())
    return frozenset(_LABELS.get(word, word) for word in words) | ({"date"} if fact.unit == "date" else set())


def _needs(fact: Fact) -> frozenset[str]:
    """Return the qualifiers of which a sentence must name one where it shows the fact."""
    keys = _keys(fact)
    if {"income", "left"} <= keys and "share" not in keys:  # "income less spending" is no income
        return frozenset({"left"})
    return keys & frozenset(_QUALIFIERS)


def _vocabulary(read: Sentence) -> str | None:
    """Every word is on the list, in a shown fact's label, or a name of the question; numbers and orders never pass."""
    never = (_section("numbers") | (_section("orders") - _section("small words"))) - _section("counted")
    words = {token.word for token in read.tokens if token.fact is None}
    return None if words <= (_open() | _asked_names(read) | _labels(read)) - never else _FALSE


@cache
def _open() -> frozenset[str]:
    """Return the words that any sentence may hold."""
    return frozenset().union(*map(_section, _OPEN_SECTIONS))


def _asked_names(read: Sentence) -> frozenset[str]:
    """Return the names of the question, in whatever case or number the sentence has them."""
    names = {stem(word) for word in read.names.words}
    return read.names.words | {token.word for token in read.tokens if token.word and stem(token.word) in names}


def _labels(read: Sentence) -> frozenset[str]:
    """Return the words for what the shown facts are, and for what the question names and no fact carries."""
    keys = {"spent", "total", *_unheld(read)} | {key for fact in read.shown for key in _keys(fact)}
    return frozenset().union(*map(_labelled, keys))


def _unheld(read: Sentence) -> list[str]:
    """Return the qualifiers that the question names and no fact carries: the whole answer is the largest, or the first."""
    carried = {key for fact in read.facts.values() for key in _keys(fact)}
    return [key for key in _BOUND if key not in carried and _labelled(key) & read.names.words]


@cache
def _labelled(key: str) -> frozenset[str]:
    """Return the words that a word of a label stands for."""
    try:
        return _section(key) | {key}
    except KeyError:
        return frozenset({key})


def _articles(read: Sentence) -> str | None:
    """An article may be a number where a thing follows: "a purchase" is one."""
    for place in read.words("articles"):
        following = [read.word(place + 1), read.word(place + 2)]
        if not any(word in _section("nouns of amounts") for word in following):
            return "an article that may be a number"
    return None


def _forms(read: Sentence) -> str | None:
    """A base form that nobody does is an order, and what somebody has to do is one as well."""
    for place, token in enumerate(read.tokens):
        if token.word in ("spend", "make") and read.word(place - 1) != "you":
            return "an order"
        if token.word in ("run", "cost") and place == 0:
            return "an order"
        if token.word == "have" and not {read.word(place + 1), read.word(place + 2)} & _section("done"):
            return "an order"
    return None


def _units(read: Sentence) -> str | None:
    """What is counted stands behind a count, and money behind none of it."""
    numbered = any(True for _ in read.words("number"))
    slips = (_miscounted(read, place, fact, numbered) for place, fact in read.figures())
    return next(filter(None, slips), None)


def _miscounted(read: Sentence, place: int, fact: Fact, numbered: bool) -> str | None:
    """Return how a figure's unit does not fit what stands behind it."""
    counted, following = _section("counted"), [read.word(place + 1), read.word(place + 2)]
    things = following[0] in counted or (following[0] in _keys(fact) and following[1] in counted)
    days = following[0] in _labelled("day") | _labelled("week") | _section("full")
    if fact.unit == "count":
        return None if things or days or numbered else "a count of nothing"
    if fact.unit == "days" and not days:
        return "a count of nothing"
    counts = things or (days and fact.unit != "days")
    return "money that is counted" if counts and fact.unit != "number" else None


def _parts(read: Sentence) -> str | None:
    """A figure of a part stands beside that part's name: without it, it would be taken for the whole."""
    whole = next((fact.subject for fact in read.facts.values()), "")
    for fact in read.shown:
        if not fact.subject or fact.subject == whole or fact.id.startswith("side_"):
            continue
        called = set(re.findall(r"[^\W\d_]+", fact.subject.lower()))
        places = (place for place, token in enumerate(read.tokens) if token.word in called)
        if not any(fact in read.beside(place) for place in places):
            return "a part without its name"
    return None


def _leads(read: Sentence) -> str | None:
    """What stands before a figure fits it: no change over time is made up, and nobody spends a day or a share."""
    return next(filter(None, (_misled(read, place, fact) for place, fact in read.figures())), None)


def _misled(read: Sentence, place: int, fact: Fact) -> str | None:
    """Return how a figure does not fit the word before it."""
    before, dated = read.word(place - 1), fact.unit == "date"
    if before in _span(read) and not (dated or fact.id.startswith("side_") or _needs(fact) & _EXTREMES):
        return "a change that no fact tells"
    if before == "of" and (of := read.tokens[place - 2].fact) is not None and of.unit != "percent":
        return "a share that no fact tells"
    spent = before in _section("spent") | _section("active") | _labelled("income")
    directed = read.word(place + 1) in _section("up") | _section("down")
    misfit = (dated and before not in _DATING) or (spent and fact.unit != "money" and not directed)
    return "a figure of another unit" if misfit else None


def _span(read: Sentence) -> frozenset[str]:
    """Return the words between which a sentence says that something went, if it says so."""
    there = {token.word for token in read.tokens}
    return next((span for span in _SPANS if span <= there), frozenset())


def _qualified(read: Sentence) -> str | None:
    """What qualifies a figure stands beside one, and a figure that needs it beside what it is called."""
    named: dict[int, set[str]] = {}
    for key in _BOUND:
        if key in _unheld(read):
            continue
        for place in (place for place, token in enumerate(read.tokens) if token.word in _labelled(key)):
            fitting = [fact for fact in read.beside(place) if _is_called(key, fact)]
            if not fitting and not _is_shared(read.tokens[place].word, key, read, place):
                return f"a figure that is no {key}"
            for fact in fitting:
                named.setdefault(id(fact), set()).add(key)
    return _unqualified(read, named)


def _unqualified(read: Sentence, named: Mapping[int, set[str]]) -> str | None:
    """Return why a figure is not called what it is; a change is also called by its direction."""
    if not all(_is_told(read, place, fact, named.get(id(fact), set())) for place, fact in read.figures()):
        return "a figure without what it is"
    spent = [place for place in read.words("spent") if read.tokens[place].word not in _section("small words")]
    unspent = [place for place in spent if read.shown and not any(_is_spending(fact) for fact in read.beside(place))]
    return "a figure that is not spending" if unspent else None


def _is_told(read: Sentence, place: int, fact: Fact, called: set[str]) -> bool:
    """Whether a figure is called one of the things that it must be called, a change by its direction."""
    needs = _needs(fact)
    if not needs or needs & called or ("share" in needs and read.word(place + 1) in _section("of")):
        return True
    directed = any(True for section in ("up", "down") for _ in read.words(section))
    return directed and bool(needs & {"difference", "change"})


def _is_called(key: str, fact: Fact) -> bool:
    if key == "total":
        return not _needs(fact) or "share" in _keys(fact) or "total" in _keys(fact)
    return key in _keys(fact)


def _is_shared(word: str, key: str, read: Sentence, place: int) -> bool:
    """Whether a word stands for another qualifier as well that is at home there ("per" day, "over" weeks)."""
    others = (other for other in _BOUND if other != key and word in _labelled(other))
    if any(_is_called(other, fact) for other in others for fact in read.beside(place)):
        return True
    return (
        word in _section("small words")
        and key in ("average", "left", "share", "total")
        and word not in said("only_rate")
    )


def _is_spending(fact: Fact) -> bool:
    keys = _keys(fact)
    return not keys & {"income", "refunds", "transfers", "date"} and fact.unit in ("money", "percent", "count")


def _bounded(read: Sentence) -> str | None:
    """A figure is itself, not a bound ("over $5"), no difference unless it is one ("by $5"), and nobody's pay ("made $5")."""
    for place, fact in read.figures():
        before, behind = read.word(place - 1), read.word(place + 1)
        if fold(before) in said("bounding") and fact.unit != "count":
            return "a bound"
        directed = behind in (_section("up") | _section("down")) - {"up", "down"}
        if (before in _section("by") or directed) and not _needs(fact) & {"difference", "change"}:
            return "a figure that is no difference"
        if before in _section("had") and fact.unit == "money" and "left" not in _needs(fact):
            return "money that is had"
    return None


def _spenders(read: Sentence) -> str | None:
    """It is the person who spent: no shop paid, and nobody was paid."""
    for place in read.words("active"):
        if read.word(place - 1) not in _section("spender") or read.word(place + 1) in ("you", "your"):
            return "somebody else who paid"
    at_the_end = any(True for _ in read.words("participles"))
    if at_the_end and not any(True for _ in read.words("german spender")):
        return "somebody else who paid"
    return None


def _sides(read: Sentence) -> str | None:
    """What is set against each other and its names stand in the same order: no month has the other's figure."""
    marks = _marks(read)
    if any(token.word in read.names.compared and token.word not in marks for token in read.tokens):
        return "a name that no figure has"
    if not marks:
        return None
    shown = [side for token, side in _placed(read, marks) if token.fact is not None]
    names = [side for token, side in _placed(read, marks) if token.fact is None]
    shown, names = _runs(shown), _runs(names)
    if shown and names and shown != names and not (len(shown) == 1 and len(names) > 1 and shown[0] == names[0]):
        return "a name with another's figure"
    return None


def _runs(sides: Sequence[int]) -> list[int]:
    return [side for place, side in enumerate(sides) if place == 0 or sides[place - 1] != side]


def _marks(read: Sentence) -> dict[str, int]:
    """Return the words by which the two sides of a comparison are told apart."""
    subjects = [fact.subject.lower() for fact in _totals(read)]
    if len(subjects) < 2:
        return {}
    first, second = (set(re.findall(r"[^\W\d_]+", subject)) for subject in subjects[:2])
    return dict.fromkeys(first - second, 1) | dict.fromkeys(second - first, 2)


def _totals(read: Sentence) -> list[Fact]:
    return [fact for fact in read.facts.values() if re.fullmatch(r"side_[12]_total", fact.id)]


def _side_of(token: Token, marks: Mapping[str, int]) -> int:
    """Return which side a word or figure belongs to, 0 for neither."""
    match = re.match(r"side_([12])_", token.fact.id) if token.fact is not None else None
    return int(match.group(1)) if match else marks.get(token.word, 0)


def _placed(read: Sentence, marks: Mapping[str, int]) -> list[tuple[Token, int]]:
    """Return the words and figures of either side, in order."""
    sides = ((token, _side_of(token, marks)) for token in read.tokens)
    return [(token, side) for token, side in sides if side]


def _directions(read: Sentence) -> str | None:
    """Words of direction go one way, which is that of the first side against the second, as they are named."""
    made_up = {place for place in read.words("up") if read.word(place - 1) in ("makes", "make", "made")}
    ways = {way for way in ("up", "down") if set(read.words(way)) - made_up}
    if not ways:
        return None
    rising = _rising(read)
    if len(ways) > 1 or rising is None:
        return "a direction without a change"
    turned = _is_turned(read)
    return None if turned is not None and (rising != turned) == (ways == {"up"}) else "a wrong direction"


def _rising(read: Sentence) -> bool | None:
    """Whether the first side is the larger; None where nothing is compared or both are the same."""
    change = next((fact for fact in read.facts.values() if fact.id == "change"), None)
    if change is not None:
        return not str(change.value).lstrip().startswith("-") if change.value else None
    totals = _totals(read)
    if len(totals) != 2 or totals[0].value == totals[1].value:
        return None
    return bool(float(str(totals[0].value)) > float(str(totals[1].value)))


def _is_turned(read: Sentence) -> bool | None:
    """Whether a sentence says how the second side is against the first; None where it says both."""
    marks, turned = _marks(read), set()
    before = (0, -9, False)
    for place, token in enumerate(read.tokens):
        side = _side_of(token, marks)
        if side:
            side_before, place_before, as_before = before
            joined = side == side_before and place - place_before <= _JOINED
            reference = as_before if joined else _is_reference(read, place)
            turned.add((side == 1) == reference)
            before = (side, place, reference)
    return turned == {True} if len(turned) < 2 else None


def _is_reference(read: Sentence, place: int) -> bool:
    """Whether a side is what the other is compared with: "than in September", "compared to September", "from $5"."""
    before = [read.word(at) for at in range(max(0, place - 4), place)]
    while before and before[-1] in _BEFORE_SIDE:
        if before.pop() in _TO and before and before[-1] in _section("comparing"):
            return True
    if not before:
        return False
    said_then = {token.word for token in read.tokens}
    from_to = any(before[-1] == start and end in said_then for start, end in phrases("turned_spans"))
    return from_to or before[-1] in _section("reference")
