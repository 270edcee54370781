"""What a follow-up changes of the meaning that stands: what it is about, which money, and when."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from graph.planner.constraints import population_named
from graph.planner.filling import union
from graph.planner.meaning import SUBJECTS
from graph.planner.pointing import points_back
from graph.planner.vocabulary import ADDERS, INSTEAD, NARROWERS, WIDENERS
from language import cues
from language.lexicon import listed, phrases
from language.words import fold, fold_in_place, words
from ledger.periods import Period, granularity, year_before
from tools.slots.names import names_of
from tools.slots.period import periods_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from graph.planner.reading import Reading
    from tools.slots.slot import Mention

_SMALL = listed("articles", "small")
_THE = listed("articles")
_AND = listed("and", "or", "with")
#: First words of "with rent again", which lets in what was left out.
_WITH = listed("letting_in")
#: Nouns that mean purchases of any kind, though one of a category can be meant by them too.
_GENERIC = listed("any_purchases")
_TOTAL = listed("total")
_FIRST = 3
_WEEKEND = (5, 6)
_MOST_PERIODS, _MOST_YEARS = 4, 10


def without_nouns(reading: Reading, base: Meaning) -> Reading:
    """Return a reading in which "Einkäufe" or "fill-ups" is no category: after a question they only mean its purchases."""
    standing = set(names_of(base.about.get("category"))) if base.about.get("merchant") else set()
    mentions = tuple(
        mention
        for mention in reading.mentions
        if mention.slot != "category"
        or mention.excluded
        or not ({word.key for word in words(mention.text)} <= _GENERIC or set(names_of(mention.value)) <= standing)
    )
    return reading if len(mentions) == len(reading.mentions) else replace(reading, mentions=mentions)


def without_its_noun(reading: Reading, base: Meaning) -> Reading:
    """Return a reading without a noun for what stands: the subscription, or the account that savings came back to."""
    back = base.of in ("savings", "savings_back") and cues.SAVED_BACK.search(fold_in_place(reading.text))
    of_it = [*(reading.of("account") if back else ())]
    if base.act == "current" and base.about.get("merchant"):
        of_it += [m for m in reading.of("category") if cues.REGULAR_THINGS.fullmatch(fold(m.text)) and _the(reading, m)]
    kept = tuple(mention for mention in reading.mentions if mention not in of_it)
    return replace(reading, mentions=kept) if of_it else reading


def _the(reading: Reading, mention: Mention) -> bool:
    """Whether a mention stands right behind an article."""
    return any(word.key in _THE and mention.start - word.end in (0, 1) for word in reading.words)


def put_right(reading: Reading, base: Meaning) -> Reading:
    """Return a reading in which a swap of names is one: what is taken back is left out, and what replaces it is named.

    "Costco instead of Target" and, where Target was asked about, "not Target, Costco".
    """
    mentions = [replace(m, excluded=True) if _takes_back(reading, m) else m for m in reading.mentions]
    standing = {*names_of(base.about.get("category")), *names_of(base.about.get("merchant"))}
    gone = next((m for m in mentions if _is_name(m) and m.excluded and set(names_of(m.value)) <= standing), None)
    if gone is not None:
        mentions = [
            replace(m, excluded=False) if m.excluded and _is_name(m) and _follows(reading, gone, m) else m
            for m in mentions
        ]
    return replace(reading, mentions=tuple(mentions))


def _is_name(mention: Mention) -> bool:
    return mention.slot in SUBJECTS


def _takes_back(reading: Reading, mention: Mention) -> bool:
    """Whether a word right before a name says that another one replaces it."""
    told = [word.key for word in reading.words if word.end <= mention.start and word.key not in _SMALL][-1:]
    return _is_name(mention) and bool(told) and told[0] in INSTEAD


def _follows(reading: Reading, gone: Mention, mention: Mention) -> bool:
    """Whether a name stands behind the one taken back without being joined to it."""
    between = {word.key for word in reading.words if gone.end <= word.start < mention.start}
    return mention.start >= gone.end and not _AND & between


def about_after(asking: Asking, base: Meaning, *, part: bool = False) -> dict[str, Any]:
    """Replace, add, narrow, exclude or drop what the question was about; ``part``: what is named is a part of it."""
    reading = asking.reading
    about = dict(base.about)
    names = [m for m in reading.mentions if _is_name(m) and not m.excluded]
    let_in = [m for m in names if is_let_in(reading, m, base)]
    for mention in let_in:
        _no_longer_out(about, mention.value)
    _let_go(about, asking, base, replaced=len(names) > len(let_in) and not part)
    for slot in (*SUBJECTS, "account"):
        _name(about, slot, [m for m in reading.of(slot) if m not in let_in], added=adds(reading))
    about |= {slot: reading.of(slot)[0].value for slot in ("over", "under") if reading.of(slot)}
    about |= {"text": asking.sought} if asking.sought else {}  # words by which the bank tells the merchant's rows apart
    return _take_out(about, reading, base)


def _let_go(about: dict[str, Any], asking: Asking, base: Meaning, *, replaced: bool) -> None:
    """Drop the names that stand, where others replace them or none is meant any more."""
    reading, widens = asking.reading, _widens(asking, base)
    replaced = replaced and not adds(reading) and not narrows(reading)
    if widens or replaced or _other_kind(reading):
        for name in (*SUBJECTS, "text", *(("account",) if widens else ())):
            about.pop(name, None)


def adds(reading: Reading) -> bool:
    """Whether it names something beside what was asked about."""
    return says_to_add(reading) and any(not m.excluded and _is_name(m) for m in reading.mentions)


def says_to_add(reading: Reading) -> bool:
    """Whether words of it add something ("plus", "together with")."""
    outside = {word.key for word in reading.words}
    return bool(ADDERS & outside) or any(outside.issuperset(phrase) for phrase in phrases("added_together"))


def narrows(reading: Reading) -> bool:
    """Whether it begins with "only" or "just"."""
    return bool(NARROWERS & {word.key for word in reading.words[:_FIRST]})


def _other_kind(reading: Reading) -> bool:
    return any(mention.value not in ("purchase", "refund") for mention in reading.of("kind"))


def _widens(asking: Asking, base: Meaning) -> bool:
    """Whether a few words take every name away ("everything", "overall"); "in total" sums up a list and widens nothing."""
    keys = tuple(word.key for word in asking.reading.words)
    said = any(keys[i : i + len(phrase)] == phrase for phrase in WIDENERS for i in range(len(keys)))
    sums = bool(_TOTAL & set(keys)) and (bool(asking.reading.of("period")) or base.act not in ("total", "average"))
    return said and not sums and not points_back(asking.reading)


def _name(about: dict[str, Any], slot: str, mentions: Sequence[Mention], *, added: bool) -> None:
    """Put names into the question, beside those that it has or in their place."""
    if mentions:
        old = [about[slot]] if added and slot in about else []
        about[slot] = union([*old, *(mention.value for mention in mentions)])
        _no_longer_out(about, about[slot])


def is_let_in(reading: Reading, mention: Mention, base: Meaning) -> bool:
    """Whether a name is let in again that was left out ("include rent again")."""
    letting = adds(reading) or bool(_WITH & {word.key for word in reading.words[:2]})
    return letting and bool(set(names_of(mention.value)) & set(names_of(base.about.get("exclude"))))


def _no_longer_out(about: dict[str, Any], names: Any) -> None:
    """Let names in that were left out, once they are what is asked about."""
    left = [name for name in names_of(about.get("exclude")) if name not in set(names_of(names))]
    about.pop("exclude", None)
    if left:
        about["exclude"] = left


def _take_out(about: dict[str, Any], reading: Reading, base: Meaning) -> dict[str, Any]:
    """Remove excluded names from the question where it has them, else leave them out of its rows."""
    named = any(_is_name(m) and not m.excluded for m in reading.mentions)
    for slot in SUBJECTS:
        for mention in reading.of(slot, excluded=True):
            taken_back = named and set(names_of(mention.value)) <= set(names_of(base.about.get(slot)))
            if not _taken_out(about, mention) and not taken_back:  # "not Spotify, Netflix" takes one back
                about["exclude"] = list(names_of(union([about.get("exclude"), mention.value])))
    if any(mention.value == "largest" for mention in reading.of("measure", excluded=True)):
        counts = [*reading.of("limit"), *reading.of("limit", excluded=True)]
        about["exclude_largest"] = int(about.get("exclude_largest", 0)) + (counts[0].value if counts else 1)
    return about


def _taken_out(about: dict[str, Any], mention: Mention) -> bool:
    """Remove a name from those that are asked about; whether it was one of them."""
    current, gone = names_of(about.get(mention.slot)), set(names_of(mention.value))
    left = [name for name in current if name not in gone]
    if len(left) == len(current):
        return False
    if left:
        about[mention.slot] = union(left)
    else:
        about.pop(mention.slot)
    return True


def of_after(asking: Asking, base: Meaning, about: Mapping[str, Any]) -> str:
    """Return which money is asked about once a follow-up has changed its names."""
    named = population_named(asking.reading.of("category"))
    if asking.ruled_of is not None and (named or asking.reading.of("kind")):
        return asking.of
    if asking.reading.of("category") and base.of in ("income", "salary", "left"):
        return "spending"
    if asking.says(cues.COMES_IN) and (
        asking.told["of"].best == "income" or not any(slot in about for slot in SUBJECTS)
    ):
        return "income"
    if base.of in ("savings", "savings_back") and asking.says(cues.SAVED_BACK):
        return "savings_back"
    if asking.says(cues.TO_ME):
        return "income"
    return "spending" if asking.says(cues.SPENT) or asking.says(cues.I_PAID) else base.of


def periods_after(asking: Asking, base: Meaning) -> tuple[Period, ...]:
    """Return the periods that the follow-up names, read with the old one as their anchor, else the old ones."""
    mentions = asking.reading.of("period")
    if not mentions:
        return base.periods
    if any(mention.value.is_all_time and not mention.value.weekdays for mention in mentions):
        return ()
    standing = base.period
    found = _times_named(asking, standing)
    if not found:
        return base.periods
    if standing is not None and len(found) == 1 and _is_said_of_before(mentions[0].text):
        same = (found[0].start, found[0].end) == (standing.start, standing.end)
        found = [year_before(found[0])] if same else found
    if len(found) > 1 and len(found) == len(mentions) and asking.adjoining:
        found = [Period(found[0].start, found[-1].end)]
    return tuple(_on_its_days(_from_before(period, standing), standing) for period in found[:_MOST_PERIODS])


def _times_named(asking: Asking, standing: Period | None) -> list[Period]:
    """Return the periods that are named and not left out, read from the one that stands."""
    if standing is None:
        return [mention.value for mention in asking.reading.of("period")]
    read = periods_in(asking.reading.text, asking.context, standing)
    out = {(mention.start, mention.end) for mention in asking.reading.of("period", excluded=True)}
    return [each.period for each in read if (each.start, each.end) not in out]


def _is_said_of_before(text: str) -> bool:
    """Whether a time is said to be the last one of its name ("last August", asked of August)."""
    return bool({word.key for word in words(text)} & listed("said_last"))


def _from_before(period: Period, standing: Period | None) -> Period:
    """Return a period that only ends ("until October") from where the one that stands begins."""
    if standing is None or period.start != date.min or period.end == date.max or standing.start > period.end:
        return period
    return replace(period, start=standing.start, phrase="")


def _on_its_days(period: Period, standing: Period | None) -> Period:
    """Return a period with the days of the week that stand, or days of the week within the period that stands."""
    if standing is None:
        return period
    if period.start > standing.end and _is_some_weekend(period):
        return replace(standing, phrase="", weekdays=_WEEKEND)  # "and at the weekend?", asked of July
    if period.weekdays and period.is_all_time:
        return replace(standing, phrase="", weekdays=period.weekdays)
    if standing.weekdays and not period.weekdays:
        return replace(period, phrase="", weekdays=standing.weekdays)
    return period


def _is_some_weekend(period: Period) -> bool:
    """Whether a weekend is named without saying which ("am Wochenende")."""
    keys = {word.key for word in words(period.phrase)}
    return bool(keys & listed("weekends")) and not keys & listed("which_weekend")


def as_long(other: Period, current: Period) -> Period:
    """Return the period to compare with: of another year that is named to a month or week, only that part.

    "last October", asked about October itself, means the one a year before.
    """
    if (other.start, other.end) == (current.start, current.end):
        return year_before(other)
    starts_year = (current.start.month, current.start.day) == (1, 1)
    years = current.start.year - other.start.year
    whole_year = granularity(other) == "year" and not starts_year and current.start.year == current.end.year
    if not whole_year or not 0 < years <= _MOST_YEARS:
        return other
    for _ in range(years):
        current = year_before(current)
    return current


def as_far(other: Period, current: Period, today: date) -> Period:
    """Return as many days of an earlier period as of the present one, where that is not over yet and is as large."""
    end = other.start + (current.end - current.start)
    earlier = other.start < current.start and end < other.end
    return replace(other, end=end, phrase="") if earlier and current.end >= today else other


def is_whole(changed: Meaning, asking: Asking) -> bool:
    """Whether a changed meaning holds every kind of movement that the message names."""
    kinds = [mention.value for mention in asking.reading.of("kind") if mention.value != "purchase"]
    return not kinds or changed.of != "spending" or changed.act not in ("current", "recurring", "upcoming")


def may_repeat(asking: Asking) -> bool:
    """Whether a message that changes nothing may ask the same again: it names what stands, or points at it."""
    return bool(asking.reading.mentions or asking.reading.crossed) or points_back(asking.reading)
