"""What a person says of a file's columns, in words: ``Betrag=amount``, ``3=date``, ``dates=day-first``, ``sign=reversed``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ledger.errors import LayoutRefused
from ledger.importers.currencies import CODES
from ledger.importers.table.layout_file import LONGEST_WORD, TYPES, read_layout, write_layout
from ledger.importers.table.signs import quote
from ledger.importers.table.stated import ORDERS, ROLES, SHARED, WORDS, StatedLayout
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ledger.importers.table.stated import SeenTable

#: What is said of a file as a whole; other names are columns.
_LEAVE_OUT = "leave-out:"
_SPOKEN = {Role.DEBIT: "money out", Role.CREDIT: "money in", Role.MEMO: "a memo", Role.IGNORED: "ignored"}
_NOT_SAID = frozenset(("", "auto", "default"))


def say(table: SeenTable, words: Iterable[str]) -> StatedLayout:
    """Return what was said of a table before, with these words put over it; raises LayoutRefused.

    The last equals sign divides, so that a column may have one in its name.
    """
    layout = table.base
    for word in words:
        name, equals, value = word.rpartition("=")
        if not equals or not name.strip():
            raise LayoutRefused(f"“{quote(word)}” is no NAME=VALUE, such as Betrag=amount or dates=day-first.")
        layout = _say(table, layout, name.strip(), value.strip())
    return read_layout(write_layout(layout))  # what can't be kept is refused here, whatever way it came


def _say(table: SeenTable, layout: StatedLayout, name: str, value: str) -> StatedLayout:
    column, setting = column_named(table, name), SETTINGS.get(name.casefold().replace(" ", "-"))
    if column is None and setting is None:
        raise LayoutRefused(f"There is no column “{quote(name)}” in this file; it has {_listed(table)}.")
    if column is None and setting is not None:
        return setting(layout, value)
    assert column is not None
    if value.casefold().startswith(_LEAVE_OUT):
        words = tuple(filter(None, map(str.strip, value[len(_LEAVE_OUT) :].split(","))))
        others = tuple(each for each in layout.left_out if each[0] != column)
        return replace(layout, left_out=(*others, *([(column, words)] if words else [])))
    return layout.with_column(column, role_named(value))


def column_named(table: SeenTable, name: str) -> int | None:
    """Return the column of a name or number, from 1 on; None where there is none, or several of that name."""
    header, width = table.layout.header, table.layout.width
    found = [place for place, cell in enumerate(header) if fold(cell) == fold(name) and fold(name)]
    if len(found) == 1:
        return found[0]
    return int(name) - 1 if name.isascii() and name.isdigit() and len(name) < 4 and 0 < int(name) <= width else None


def role_named(word: str) -> Role:
    """Return the role that a word names; raises LayoutRefused."""
    role = ROLES.get("-".join(word.casefold().split()))
    if role is None:
        raise LayoutRefused(f"A column can't be “{quote(word)}”; it may be {', '.join(sorted(ROLES))}.")
    return role


def _listed(table: SeenTable) -> str:
    names = [quote(name) or str(number) for number, name in enumerate(table.layout.header, start=1)]
    return ", ".join(names[:12]) if names else f"{table.layout.width} columns without names, 1 to {table.layout.width}"


def _one_of(field: str, known: Mapping[str, Any], none: Any = None) -> Callable[[StatedLayout, str], StatedLayout]:
    """Return what sets a field to one of the known values, by its word; nothing takes it back."""

    def put(layout: StatedLayout, value: str) -> StatedLayout:
        word = value.casefold()
        found = next((each for name, each in known.items() if name.casefold() == word), None)
        if found is None and word not in _NOT_SAID:
            raise LayoutRefused(f"“{quote(value)}” can't be said here; it may be {', '.join(list(known)[:8])}.")
        return replace(layout, **{field: none if found is None else found})

    return put


def _text(field: str) -> Callable[[StatedLayout, str], StatedLayout]:
    return lambda layout, value: replace(layout, **{field: value[:LONGEST_WORD]})  # type: ignore[arg-type]


def _words(field: str) -> Callable[[StatedLayout, str], StatedLayout]:
    def put(layout: StatedLayout, value: str) -> StatedLayout:
        return replace(layout, **{field: tuple(filter(None, map(str.strip, value.split(","))))})  # type: ignore[arg-type]

    return put


SETTINGS: Mapping[str, Callable[[StatedLayout, str], StatedLayout]] = {
    "dates": _one_of("order", ORDERS),
    "decimal": _one_of("decimal", {".": ".", ",": ",", "point": ".", "comma": ","}),
    "sign": _one_of("sign", {"as-is": "as-is", "reversed": "reversed"}),
    "signs": _one_of("sign", {"as-is": "as-is", "reversed": "reversed"}),
    "currency": _one_of("currency", {code: code for code in sorted(CODES)}, ""),
    "out": _words("out"),
    "in": _words("into"),
    "account": _text("account"),
    "account-type": _one_of("account_type", TYPES),
    "bank": _text("bank"),
    "person": _text("person"),
}


def described(layout: StatedLayout) -> str:
    """Return what is said of a layout in one line: ``“Betrag” is amount, day first, signs reversed``."""
    parts = [
        f"{named(layout, column)} is {_SPOKEN.get(role) or f'the {WORDS[role]}'}" for column, role in layout.columns
    ]
    parts += [f"dates {word.replace('-', ' ')}" for word, order in ORDERS.items() if order is layout.order]
    parts += [f"decimal {'comma' if layout.decimal == ',' else 'point'}"] if layout.decimal else []
    parts += (
        [{"as-is": "a minus is money out", "reversed": "amounts are money out"}[layout.sign]] if layout.sign else []
    )
    for side, words in (("out", layout.out), ("in", layout.into)):
        parts += (
            [f"{', '.join(f'“{quote(word)}”' for word in words)} {'is' if len(words) == 1 else 'are'} money {side}"]
            if words
            else []
        )
    parts += [f"rows with {' or '.join(f'“{quote(word)}”' for word in words)} left out" for _, words in layout.left_out]
    parts += [f"amounts in {layout.currency}"] if layout.currency else []
    parts += [f"account {quote(layout.account)}"] if layout.account else []
    parts += [f"you are {quote(layout.person)}"] if layout.person else []
    return ", ".join(parts)


def named(layout: StatedLayout, column: int) -> str:
    """Return how a column is called: its name in quotes, or its number."""
    name = quote(layout.header[column]) if layout.header else ""
    return f"“{name}”" if name else f"column {column + 1}"


def complete(table: SeenTable) -> StatedLayout:
    """Return a layout to hand on: what was said, and for all other columns what they were taken for.

    The order of dates, the decimal mark and the signs stand in it only if they were said: another file may show others.
    """
    stated = table.stated or table.layout.blank
    known = dict(stated.columns)
    single = {role for _, role in stated.columns}
    more = [
        (column, role)
        for column, role in table.layout.columns
        if column not in known and (role not in single or role in SHARED)
    ]
    return replace(stated, columns=(*stated.columns, *more))
