"""What is asked of a balance: on a day or through a time, of an account or of all, owed, overdrawn, lowest or highest."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from graph.planner.filling import union
from graph.planner.meaning import SUBJECTS
from language import cues
from language.lexicon import interval
from tools.slots.accounts import account_words, accounts_by_type

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from ledger.periods import Period

#: What is told of a balance, the first whose form the sentence has.
_TOLD = (
    ("lowest", cues.LOWEST),
    ("highest", cues.HIGHEST),
    ("owed", cues.OWED),
    ("net_worth", cues.NET_WORTH),
)
#: Forms whose words say what of a balance is asked for.
_FORMS = (
    cues.BALANCE, cues.OVERDRAWN, cues.AT_PRESENT, cues.AT_THE_START, cues.HISTORY, cues.ONE_BY_ONE,
    *(form for _, form in _TOLD),
)  # fmt: skip
#: Acts that are asked for in words for balances too, and have no answer.
_OTHERWISE = frozenset({"forecast", "advice", "others"})
_GRAINS = frozenset({"day", "week", "month", "quarter", "year"})


def asks_balance(asking: Asking) -> bool:
    """Whether it is asked in so many words what is in an account; not so where something else is named beside it."""
    asked = None if asking.says(cues.ACCOUNT_GREW) else cues.BALANCE.search(asking.text)
    if asking.told["act"].best in _OTHERWISE or (
        asking.context.vocabulary.balanced and asking.as_act("balance").unknown
    ):
        return False
    named = (m for slot in SUBJECTS for m in asking.reading.of(slot))
    return asked is not None and not any(m.end <= asked.start() or asked.end() <= m.start for m in named)


def explained_by_forms(text: str) -> list[tuple[int, int]]:
    """Return where a question about balances has words of theirs, so that these name nothing else."""
    return [*(found.span() for form in _FORMS for found in form.finditer(text)), *account_words(text)]


def is_beyond_balances(asking: Asking) -> bool:
    """Whether a question about a balance is of what no file tells: a limit, what may be withdrawn, what is owed elsewhere."""
    elsewhere = any(map(asking.has, SUBJECTS)) and not any(accounts_by_type(asking.reading.text, asking.context))
    return asking.says(cues.LIMIT) or elsewhere


def balance_meaning(asking: Asking) -> Meaning | None:
    """Return what is told of a balance; None where an account is meant that the ledger has not."""
    typed = accounts_by_type(asking.reading.text, asking.context)
    if not all(typed) or asking.reading.crossed:  # an account that is not there, or one to leave out
        return None
    told, grain = _told(asking), _grain(asking)
    asked = asking.meaning("balance", of="all", detail=told, grain=grain if told == "balance" else None)
    if typed:
        named = [mention.value for mention in asking.reading.of("account")]
        asked = asked.without(*SUBJECTS).on(account=union([*named, *map(list, typed)]))
    return asked.but(periods=_times(asking))


def balance_after(asking: Asking, base: Meaning) -> Meaning | None:
    """Return the balance of what stands, as a message changes it: another time, account or end; None where it is no balance."""
    if base.act != "balance" or any(map(asking.has, SUBJECTS)) or asking.says(cues.SPENT):
        return None
    changed = balance_meaning(asking)
    if changed is None:
        return None
    told = changed.detail if changed.detail != "balance" else base.detail
    grain = changed.grain or (base.grain if changed.detail == "balance" else None)
    return changed.but(detail=told, grain=grain)


def _told(asking: Asking) -> str:
    if asking.says(cues.OVERDRAWN) and not asking.says(cues.LOWEST):
        alone = not asking.periods or (asking.periods[0].start == asking.periods[0].end and len(asking.periods) == 1)
        return "overdrawn" if alone and asking.says(cues.AT_PRESENT) else "below_zero"
    return next((told for told, form in _TOLD if asking.says(form)), "balance")


def _grain(asking: Asking) -> str | None:
    """Return the interval of which each has a figure, where more than one is asked for."""
    said = asking.said("per")
    if said in _GRAINS:
        return str(said)
    found = cues.ONE_BY_ONE.search(asking.text)
    if found:
        return interval(next(filter(None, found.groups()), "")) or "month"
    return "month" if len(asking.periods) > 1 or asking.says(cues.HISTORY) else None


def _times(asking: Asking) -> tuple[Period, ...]:
    """Return the time that is asked about; the beginning of one is the end of the day before."""
    periods = asking.periods
    if len(periods) == 1 and asking.says(cues.AT_THE_START) and periods[0].start > date.min:
        before = periods[0].start - timedelta(1)
        return (replace(periods[0], start=before, end=before, phrase=""),)
    return periods
