"""Whether words that can be a period are one in their sentence: "in may" is, "may I" is not.

Capital letters say nothing, for people type without them; what stands before and after decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.periods.matches import Cue, Match
from ledger.periods.spans import Unit
from ledger.periods.vocabulary import Role
from ledger.periods.years import year_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.periods.spans import Context
    from ledger.periods.tokens import Sentence

_GLUE = frozenset({".", "&", "/"})
_QUOTES = frozenset("\"“„«'‘")
#: Signs that a clause ends at.
CLAUSE_ENDS = frozenset('.,;:!?)]…"”»')
_POSSESSIVES = frozenset({"'s", "’s"})
#: Prepositions of place or topic as often as of time.
_PLACES = frozenset({"on", "at", "over", "around", "across"})
_BEFORE_FIGURES = frozenset(
    {"on", "am", "vom", "von", "in", "from", "for", "of", "zum", "im", "dated", "date", "by", "since", "bis", "seit"}
)
#: Verbs of what is over, as "das Jahr" is "a year" beside those of the present.
_OVER = frozenset(
    {"war", "waren", "hab", "habe", "haben", "hat", "hatte", "hatten", "wurde", "wurden", "ging", "gingen"}
)
_BEFORE_DAY_NUMBER = frozenset({"on", "the", "by", "am", "den", "dem", "zum", "vom"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a match; ``is_listed``: only a link parts it from the mention before it."""

    words: Sentence
    start: int
    end: int
    context: Context
    is_listed: bool

    def before(self, role: Role, *, over_article: bool = False) -> bool:
        """Whether the word before plays the part."""
        index = self._before_index(over_article=over_article)
        pair = self.words.senses[index - 1].get(role)
        return role in self.words.senses[index] or (pair is not None and pair[1] == index + 1)

    def before_text(self, *, over_article: bool = False) -> str:
        """Return the word before."""
        return self.words.tokens[self._before_index(over_article=over_article)].text

    def _before_index(self, *, over_article: bool) -> int:
        index = self.start - 1
        return index - 1 if over_article and Role.ARTICLE in self.words.senses[index] else index

    def after(self, role: Role) -> bool:
        """Whether the word after plays the part."""
        return role in self.words.senses[self.end]

    @property
    def opens(self) -> bool:
        """Whether nothing stands before."""
        return self.start == 0

    @property
    def closes(self) -> bool:
        """Whether the clause ends here."""
        token = self.words.tokens[self.end]
        return token.text in CLAUSE_ENDS or not token.text

    @property
    def is_finished(self) -> bool:
        """Whether the words after can follow a finished phrase."""
        return self.closes or self.after(Role.STOP) or self.words.tokens[self.end].text in _POSSESSIVES

    @property
    def has_time_word(self) -> bool:
        """Whether a preposition before is about time alone ("during", "im")."""
        sense = self.words.senses[self._before_index(over_article=True)].get(Role.PREPOSITION)
        return sense is not None and bool(sense[0])

    @property
    def has_preposition(self) -> bool:
        """Whether a preposition before can be about time."""
        is_time = self.before(Role.PREPOSITION, over_article=True) or self.before(Role.FROM, over_article=True)
        return is_time and self.before_text(over_article=True) not in _PLACES

    def is_linked_to(self, role: Role) -> bool:
        """Whether a link follows, and after it a word with the part: "may and june"."""
        link = self.words.parts[self.end].get(Role.LINK)
        after = link[1] if link else self.end + 1
        return (link is not None or self.words.tokens[self.end].text in {",", "&", "/"}) and role in self.words.senses[
            after
        ]

    @property
    def is_to_come(self) -> bool:
        """Whether "next" makes it the future: "next March", "next week Tuesday", "Christmas next year"."""
        if self.before(Role.NEXT, over_article=True):
            return True
        if self.before(Role.UNIT) and Role.NEXT in self.words.senses[self.start - 2]:
            return True
        coming = self.words.parts[self.words.skip(self.end, Role.OF, Role.ARTICLE)].get(Role.NEXT)
        return coming is not None and Role.UNIT in self.words.senses[coming[1]]

    @property
    def is_linked_to_amount(self) -> bool:
        """Whether it is the first of two amounts: "between 2000 and 3000"."""
        words = self.words
        link = words.parts[self.end].get(Role.LINK) or words.parts[self.end].get(Role.TO)
        index = link[1] if link else self.end + 1
        is_linked = link is not None or words.tokens[self.end].text in {"-", "–"}
        return is_linked and words.tokens[index].is_number and year_number(words, index) is None


def accepts(match: Match, near: Surroundings) -> bool:
    """Whether the match is a period where it stands."""
    if near.is_to_come or _is_in_name(near):
        return False
    test = _TESTS.get(match.cue)
    return test is None or test(match, near)


def _is_in_name(near: Surroundings) -> bool:
    """Whether the words are glued into something else: "monday.com", "@june", "march&co"."""
    before, after, beyond = (near.words.tokens[index] for index in (near.start - 1, near.end, near.end + 1))
    is_tail = near.words.tokens[near.start].glued and (
        before.text in {"@", "#"} or (before.text in _GLUE and before.glued)
    )
    return is_tail or (after.glued and after.text in {".", "&", "@"} and beyond.glued and beyond.is_word)


def _month(_match: Match, near: Surroundings) -> bool:
    if near.words.tokens[near.end].text in _POSSESSIVES or near.before_text() in _QUOTES:
        return False
    if near.is_listed or near.has_preposition or near.is_linked_to(Role.MONTH):
        return True
    is_verb = near.after(Role.PRONOUN)
    if near.closes:
        return near.opens or not near.before(Role.PRONOUN)
    if near.opens or near.before(Role.SHOW):
        return not is_verb
    return near.before(Role.LINK) and near.is_finished and not is_verb


def _year(match: Match, near: Surroundings) -> bool:
    span = match.node.whole(near.context)
    if span is None or span[0].year < 1990 or span[1].year > near.context.today.year + 1:
        return False
    if near.before(Role.AMOUNT) or near.words.tokens[near.start - 1].is_number or near.is_linked_to_amount:
        return False
    if Role.BETWEEN in near.words.senses[near.start] or Role.FROM in near.words.senses[near.start]:
        return True
    if near.opens or near.is_listed or near.has_preposition or near.before(Role.SHOW) or near.before(Role.ARTICLE):
        return True
    after = near.words.tokens[near.end]
    goes_on = after.is_word and not (near.after(Role.MONEY) or near.after(Role.UNIT) or after.glued)
    return (near.is_finished or goes_on) and near.words.tokens[near.start - 1].is_word and not near.before(Role.TOP)


def _weekday(_match: Match, near: Surroundings) -> bool:
    return near.is_listed or near.has_time_word or near.is_finished or near.opens or near.before(Role.SHOW)


def _short_weekday(_match: Match, near: Surroundings) -> bool:
    return near.is_finished and (near.is_listed or near.before_text() in {"on", "am"})


def _season(_match: Match, near: Surroundings) -> bool:
    if near.is_listed or near.has_time_word:
        return True
    return near.is_finished and (near.has_preposition or near.opens)


def _named_day(_match: Match, near: Surroundings) -> bool:
    return near.is_listed or near.has_time_word or near.is_finished


def _day_number(_match: Match, near: Surroundings) -> bool:
    of = near.words.parts[near.end].get(Role.OF)
    if of and Role.EVERY in near.words.senses[of[1]]:
        return False  # "the 15th of each month" is many days
    return near.is_finished and (near.is_listed or near.before_text() in _BEFORE_DAY_NUMBER)


def _plain_day(_match: Match, near: Surroundings) -> bool:
    return not (near.before(Role.TOP) or near.before(Role.AMOUNT))


def _figures(_match: Match, near: Surroundings) -> bool:
    return near.is_listed or near.before_text() in _BEFORE_FIGURES


def _decimal(_match: Match, near: Surroundings) -> bool:
    return near.before_text() in {"am", "vom", "zum", "dem"}


def _followed(_match: Match, near: Surroundings) -> bool:
    return near.is_finished and not near.after(Role.PRONOUN)


def _the_unit(match: Match, near: Surroundings) -> bool:
    if near.closes and near.before_text(over_article=True) in {"for", "für"}:
        return True
    # "wie oft war ich das Jahr bei Lidl": with a verb before it, and no number that comes to "zweimal das Jahr".
    before = near.before_text(over_article=True)
    said = near.before_text() == "das" and match.unit is Unit.YEAR and near.words.tokens[near.start - 2].is_word
    said = said and any(token.text in _OVER for token in near.words.tokens)
    others = (Role.MONEY, Role.NUMBER, Role.PREPOSITION)
    return said and not before.endswith("mal") and not any(near.before(role, over_article=True) for role in others)


_TESTS: dict[Cue, Callable[[Match, Surroundings], bool]] = {
    Cue.MONTH: _month,
    Cue.YEAR: _year,
    Cue.WEEKDAY: _weekday,
    Cue.SHORT_WEEKDAY: _short_weekday,
    Cue.SEASON: _season,
    Cue.NAMED_DAY: _named_day,
    Cue.DAY_NUMBER: _day_number,
    Cue.PLAIN_DAY: _plain_day,
    Cue.FIGURES: _figures,
    Cue.DECIMAL: _decimal,
    Cue.FOLLOW: _followed,
    Cue.THE_UNIT: _the_unit,
    Cue.ENTIRE: lambda _match, _near: False,
}
