"""What is asked of a file before it can be read: the order of its dates, which way its money went, who one is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bots.desk.replies import said
from bots.import_words import DIRECTION_QUESTION, PERSON_QUESTION, PERSON_REASON, dated, on_one_line, unclear_row
from graph.reply import Action, Actions, Text
from language.catalogue import joined, say
from ledger.direction import Told

if TYPE_CHECKING:
    from graph.reply import Reply
    from language.catalogue import Template
    from ledger.errors import AmbiguousDates, AmbiguousDirection, AmbiguousPerson
    from ledger.statement_writer import FileReport, SourceFile

DAY_FIRST, MONTH_FIRST = "day first", "month first"
#: What may be typed for either.
DAY_FIRST_WORDS, MONTH_FIRST_WORDS = (DAY_FIRST, "tag zuerst"), (MONTH_FIRST, "monat zuerst")
#: The questions, by the name of the handler that takes their answers.
DATES: Final = "dates"
DIRECTION: Final = "direction"
PERSON: Final = "person"
#: So many people have a button; who is none of them types their name, or finds it in the form.
_MOST_PEOPLE = 20


def question_of(file: FileReport, mendable: Actions) -> Reply | None:
    """Return what must be asked before a file can be read, if anything; the files stay with it as its scope."""
    if file.ambiguous is not None:
        return _ask_order(file.file, file.ambiguous, mendable)
    if file.shared is not None:
        return _ask_person(file.file, file.shared, mendable)
    return _ask_direction(file.file, file.unclear, mendable) if file.unclear is not None else None


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
    rows = Text(joined(map(unclear_row, error.rows), "\n"), "details")
    buttons = (
        Action("I spent these", DIRECTION, Told.SPENT.value),
        Action("I received these", DIRECTION, Told.RECEIVED.value),
    )
    return said(_of(name, DIRECTION_QUESTION), rows, error.why, Actions(buttons), mendable, kind="clarify")


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
    if file.shared is not None:
        return {"shared": place, "asks": (PERSON, file.shared.people)}
    return {"unclear": source.sha256} if file.unclear is not None else {}
