"""What is asked of a file before it can be read: the order of its dates, which way its money went, its currency, who one is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from babel.numbers import get_currency_name

from bots.desk.replies import said
from bots.import_words import (
    CURRENCY_QUESTION,
    CURRENCY_WAY,
    DIRECTION_QUESTION,
    PERSON_QUESTION,
    PERSON_REASON,
    dated,
    on_one_line,
    unclear_row,
)
from graph.reply import Action, Actions, Text
from language.catalogue import joined, say, written
from ledger.direction import Told
from ledger.errors import AmbiguousCurrency, AmbiguousDates, AmbiguousDirection, AmbiguousPerson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.reply import Reply
    from language.catalogue import Template
    from ledger.errors import UnclearRow
    from ledger.statement_writer import FileReport, SourceFile

DAY_FIRST, MONTH_FIRST = "day first", "month first"
#: What may be typed for either.
DAY_FIRST_WORDS, MONTH_FIRST_WORDS = (DAY_FIRST, "tag zuerst"), (MONTH_FIRST, "monat zuerst")
#: The questions, by the name of the handler that takes their answers.
DATES: Final = "dates"
DIRECTION: Final = "direction"
CURRENCY: Final = "file currency"
PERSON: Final = "person"
#: So many people have a button; who is none of them types their name, or finds it in the form.
_MOST_PEOPLE = 20


def question_of(file: FileReport, mendable: Actions) -> Reply | None:
    """Return what must be asked before a file can be read, if anything; the files stay with it as its scope."""
    match file.question:
        case AmbiguousDates() as dates:
            return _ask_order(file.file, dates, mendable)
        case AmbiguousPerson() as person:
            return _ask_person(file.file, person, mendable)
        case AmbiguousDirection() as direction:
            return _ask_direction(file.file, direction, mendable)
        case AmbiguousCurrency() as currency:
            return _ask_currency(file.file, currency, mendable)
    return None


def _ask_order(name: str, error: AmbiguousDates, mendable: Actions) -> Reply:
    """Ask whether day or month comes first."""
    day_first, month_first = map(dated, error.choices)
    buttons = (
        Action(say("{day} (day first)", day=day_first), DATES, DAY_FIRST),
        Action(say("{day} (month first)", day=month_first), DATES, MONTH_FIRST),
    )
    headline = say(
        "In {file}, is {cell} {day_first} or {month_first}?",
        file=name,
        cell=on_one_line(error.cell),
        day_first=day_first,
        month_first=month_first,
    )
    nothing = "Nothing in the file says which comes first, day or month."
    return said(headline, nothing, Actions(buttons), mendable, kind="clarify")


def _ask_direction(name: str, error: AmbiguousDirection, mendable: Actions) -> Reply:
    """Ask whether money was spent or received, over some rows as they stand in the file."""
    buttons = (
        Action("I spent these", DIRECTION, Told.SPENT.value),
        Action("I received these", DIRECTION, Told.RECEIVED.value),
    )
    return said(
        _of(name, DIRECTION_QUESTION), _shown(error.rows), error.why, Actions(buttons), mendable, kind="clarify"
    )


def _ask_currency(name: str, error: AmbiguousCurrency, mendable: Actions) -> Reply:
    """Ask which currency the amounts are in, over some rows as they stand in the file."""
    buttons = tuple(
        Action(say("{currency}", currency=written(partial(_currency, code))), CURRENCY, code) for code in error.choices
    )
    question = _of(name, CURRENCY_QUESTION)
    return said(question, _shown(error.rows), error.why, Actions(buttons), CURRENCY_WAY, mendable, kind="clarify")


def _currency(code: str, language: str) -> str:
    return f"{code} · {get_currency_name(code, locale=language)}"


def _shown(rows: Sequence[UnclearRow]) -> Text:
    return Text(joined(map(unclear_row, rows), "\n"), "details")


def _ask_person(name: str, error: AmbiguousPerson, mendable: Actions) -> Reply:
    """Ask who the person is among those that a file names."""
    buttons = tuple(
        Action(say("{person}", person=on_one_line(person, 60)), PERSON, str(number))
        for number, person in enumerate(error.people, start=1)
    )
    return said(_of(name, PERSON_QUESTION), PERSON_REASON, Actions(buttons[:_MOST_PEOPLE]), mendable, kind="clarify")


def _of(name: str, question: str) -> Template:
    return say("{file}: {question}", file=name, question=say(question))


def about_question(source: SourceFile, file: FileReport, place: int) -> dict[str, Any]:
    """Return what is kept with a question, by which its answer is understood; ``place`` is that of the file among all."""
    match file.question:
        case AmbiguousPerson(people=people):
            return {"shared": place, "asks": (PERSON, people)}
        case AmbiguousDirection():
            return {"unclear": source.sha256}
        case AmbiguousCurrency():
            return {"unpriced": source.sha256, "asks": (CURRENCY, ())}
    return {}
