"""What can go wrong in the ledger.

    LedgerError
    ├── UnreadableFile      a file that holds no bank data we can read
    │   └── OpenQuestion     a file that can be read once the person says what it doesn't
    │       ├── AmbiguousDates  nothing in the file decides between day-month and month-day; carries both readings
    │       ├── AmbiguousDirection  nothing decides whether its money went out or came in; carries some rows
    │       ├── AmbiguousCurrency  nothing decides which currency its amounts are in; carries the likely ones and some rows
    │       └── AmbiguousPerson  a file of several people that doesn't say which of them it is of; carries their names
    ├── UnknownPeriod       a phrase that names no period; carries the nearest ones that do
    ├── IndexUnavailable    the search index is locked by another process, broken or absent
    ├── EmbeddingUnavailable  no vectors can be had: the model's file is wrong or missing, or its server fails
    ├── NothingToUndo       no import is left to take back
    ├── LedgerBusy          something that has a ledger to itself is under way in it
    ├── LedgerGone          the ledger was deleted while work on it was under way
    ├── ChangeImpossible    a row that is no longer as it was, or a change that others were made on top of
    ├── PreferenceRefused   a setting that does not exist or can't have this value; carries the nearest ones
    ├── LinkRefused         a code that is not right, or a link that can't be
    ├── NoteRefused         a note that is empty, too long or one too many
    ├── LayoutRefused       what is said of a file's columns can't be, or its file is no layout
    ├── MoveRefused         a ledger that can't be moved to that database, or not as it is
    ├── BackupRefused       a file that can't be restored, or a ledger that can't be backed up or replaced
    └── StoreUnavailable    the database can't be opened or is from a newer version

``message`` is one clear sentence, safe to show to a person. Everything else (paths, rows, causes) is for the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.importers.table.stated import SeenTable


class LedgerError(Exception):
    """Base of all errors that the ledger raises on purpose."""

    def __init__(self, message: str) -> None:
        """Keep the sentence that may be shown to a person."""
        super().__init__(message)
        self.message = message


class UnreadableFile(LedgerError):
    """The file is empty, of no known format, or too damaged to trust; ``table`` is what is seen of it all the same."""

    table: SeenTable | None = None


class OpenQuestion(UnreadableFile):
    """Only a word of the person is missing to read the file, of which up to three ``rows`` may be shown with the question."""

    rows: tuple[UnclearRow, ...] = ()


class AmbiguousDates(OpenQuestion):
    """Nothing decides whether day or month comes first; ``choices`` are ``cell`` read the one and the other way."""

    def __init__(self, cell: str, day_first: date, month_first: date) -> None:
        """Keep the cell and its two readings."""
        super().__init__(
            f"The dates in this file can be read in two ways: is {cell} {day_first.day} {day_first:%B %Y} (day first) "
            f"or {month_first.day} {month_first:%B %Y} (month first)?"
        )
        self.cell = cell
        self.choices = (day_first, month_first)


class UnclearRow(NamedTuple):
    """A row as it stands in the file, for a person to say what it was."""

    booked_on: date
    description: str
    amount: str


class AmbiguousDirection(OpenQuestion):
    """Nothing proves whether money was spent or received; ``rows`` are up to three of the ``count`` in question.

    ``why`` says what the file shows instead, in one sentence.
    """

    def __init__(self, rows: Sequence[UnclearRow], count: int, why: str) -> None:
        """Keep the rows that are shown with the question."""
        super().__init__(f"{why} Did you spend or receive these? Say --direction spent, received or as-written.")
        self.rows = tuple(rows)
        self.count = count
        self.why = why


class AmbiguousCurrency(OpenQuestion):
    """Nothing proves the currency of the amounts; ``choices`` are the likely ones in order, ``rows`` up to three of the file.

    ``sign`` is what stands at the amounts, if that is one which several currencies share, and ``why`` what the file shows.
    """

    def __init__(self, choices: Sequence[str], rows: Sequence[UnclearRow], sign: str = "") -> None:
        """Keep the choices and the rows that are shown with the question."""
        self.choices = tuple(choices)
        self.rows = tuple(rows)
        self.sign = sign
        self.why = say("“{sign}” stands for several.", sign=sign) if sign else say("The file names none.")
        form = "I can't tell which currency its amounts are in. {why} Say it: --currency {code}, or another one."
        super().__init__(say(form, why=self.why, code=self.choices[0]))


class AmbiguousPerson(OpenQuestion):
    """A file lists what several ``people`` share, and nothing says which of them the person is."""

    def __init__(self, people: Sequence[str], program: str) -> None:
        """Keep the names in the file's order; ``program`` is whose export it is."""
        shown = [f"“{name}”" for name in people]
        listed = f"{', '.join(shown[:-1])} and {shown[-1]}"
        super().__init__(
            f"This is a {program} export, and it doesn't say which of {listed} you are, so I can't tell your share. "
            f"Say it: --person {shown[0]}."
        )
        self.people = tuple(people)


class UnknownPeriod(LedgerError):
    """The phrase names no period; ``choices`` are the nearest phrases that do."""

    def __init__(self, phrase: str, choices: Sequence[str]) -> None:
        """Keep the phrase and the nearest known ones."""
        super().__init__(say("I don't know the period “{phrase}”.", phrase=phrase))
        self.phrase = phrase
        self.choices = tuple(choices)


class IndexUnavailable(LedgerError):
    """The search index can't be used now; callers fall back to lexical search."""


class EmbeddingUnavailable(LedgerError):
    """Texts can't be embedded now; callers go on without vectors."""


class NothingToUndo(LedgerError):
    """There is no import left that could be taken back."""


class LedgerBusy(LedgerError):
    """An import into the ledger, or taking one back, is under way."""


class LedgerGone(LedgerError):
    """The ledger was deleted, by the person or another process, while something was being written into it."""


class ChangeImpossible(LedgerError):
    """A change of a row that can't be made or taken back as things are now."""


class PreferenceRefused(LedgerError):
    """What was to be set does not exist or can't have this value; ``choices`` are the nearest that work."""

    def __init__(self, message: str, choices: Sequence[str]) -> None:
        """Keep the sentence and the nearest known names or values."""
        super().__init__(message)
        self.choices = tuple(choices)


class LinkRefused(LedgerError):
    """The code links nothing; the sentence says why."""


class NoteRefused(LedgerError):
    """What was to be remembered is no note, too long, or one more than are kept."""


class LayoutRefused(LedgerError):
    """A layout's file that is none, or a word on a file's columns that they can't have."""


class MoveRefused(LedgerError):
    """A ledger that can't be moved to that database, or not as it is; nothing was."""


class BackupRefused(LedgerError):
    """Nothing was backed up or restored; the sentence says why."""


class StoreUnavailable(LedgerError):
    """The database can't be opened."""
