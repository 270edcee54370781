"""The form in which a person says which column of a file is what: its fields as data, the same on every platform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bots.import_words import on_one_line
from graph.reply import Action
from ledger.errors import LayoutRefused
from ledger.importers.table.layout_file import read_layout, write_layout
from ledger.importers.table.saying import SETTINGS
from ledger.importers.table.stated import ORDERS, SeenTable, StatedLayout
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.statement_writer import FileReport

COLUMNS: Final = "columns"
NONE: Final = "none"
_AS_IT_SHOWS: Final = "auto"
OUT_OF_DATE = "This form is out of date. Please close it and open it again."
_TWICE = "Another field has this column already."

#: The columns that are asked for, with the role and the words for people.
_ROLES: Mapping[str, tuple[Role, str]] = {
    "date": (Role.DATE, "Date"),
    "amount": (Role.AMOUNT, "Amount"),
    "money-out": (Role.DEBIT, "Money out"),
    "money-in": (Role.CREDIT, "Money in"),
    "description": (Role.DESCRIPTION, "Description"),
    "direction": (Role.SIGN, "Out or in, by a word"),
    "payee": (Role.PAYEE, "Payee"),
    "kind": (Role.TYPE, "Kind of transaction"),
    "category": (Role.CATEGORY, "Category"),
    "currency": (Role.CURRENCY, "Currency"),
    "balance": (Role.BALANCE, "Balance"),
    "account": (Role.ACCOUNT, "Account"),
    "id": (Role.ID, "Transaction ID"),
    "status": (Role.STATUS, "Status"),
}
_CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "dates": ("Order of dates", {word: word.replace("-", " ").capitalize() for word in ORDERS}),
    "decimal": ("Decimal mark", {".": "Point: 12.50", ",": "Comma: 12,50"}),
    "sign": ("Signs", {"as-is": "A minus is money out", "reversed": "Amounts are money out"}),
}
_KEEP, _FORGET = "keep", "forget"
_TEXTS = {"out": ("Words for money out", "S, debit"), "in": ("Words for money in", "H, credit")}
#: The fields in parts, for a platform whose forms are short.
PAGES: tuple[tuple[str, ...], ...] = (
    ("date", "amount", "money-out", "money-in", "description"),
    ("direction", "payee", "kind", "category", "currency"),
    ("balance", "account", "id", "status", "said"),
    ("dates", "decimal", "sign", "out", "in"),
)
PAGE_LABELS = ("Main columns…", "More columns…", "Other columns…", "Dates and signs…")


@dataclass(frozen=True, slots=True)
class Field:
    """One question of the form: what can be chosen and what is, or a line of text where there is nothing to choose from."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    chosen: str = ""
    example: str = ""


def fields(table: SeenTable, page: int, most: int) -> list[Field]:
    """Return the fields of a page, counted from 1, or of all pages for 0, each with so many options at most."""
    wanted = PAGES[page - 1] if 1 <= page <= len(PAGES) else tuple(name for names in PAGES for name in names)
    columns = ((NONE, "– none –"), *((str(place + 1), _option(table, place)) for place in range(table.layout.width)))
    said = table.base != table.base.blank
    return [_field(table, name, columns[:most]) for name in wanted if name != "said" or said]


def _field(table: SeenTable, name: str, columns: tuple[tuple[str, str], ...]) -> Field:
    base = table.base
    if name in _ROLES:
        role, label = _ROLES[name]
        return Field(name, label, columns, _chosen(table, role, columns))
    if name in _CHOICES:
        label, options = _CHOICES[name]
        order = next((word for word, order in ORDERS.items() if order is base.order), "")
        said = {"dates": order, "decimal": base.decimal or "", "sign": base.sign or ""}[name]
        return Field(name, label, ((_AS_IT_SHOWS, "As the file shows"), *options.items()), said or _AS_IT_SHOWS)
    if name == "said":
        return Field(name, "What you said before", ((_KEEP, "Keep it"), (_FORGET, "Forget it")), _KEEP)
    label, example = _TEXTS[name]
    return Field(name, label, chosen=", ".join(base.out if name == "out" else base.into), example=example)


def _chosen(table: SeenTable, role: Role, columns: tuple[tuple[str, str], ...]) -> str:
    """Return what stands in a field: the column that has the role; NONE also for one that the form can't show."""
    column = table.layout.column_of(role)
    value = NONE if column is None else str(column + 1)
    return value if any(value == each for each, _ in columns) else NONE


def _option(table: SeenTable, column: int) -> str:
    """Name a column by its header and by what it holds."""
    name = on_one_line(table.layout.header[column], 40) if table.layout.header else ""
    example = on_one_line(table.example(column), 30)
    return f"{column + 1}  {name}" + (f" ({example})" if example else "") if name else f"{column + 1}  {example or '–'}"


def read_fields(table: SeenTable, values: Mapping[str, str], most: int) -> StatedLayout | dict[str, str] | None:
    """Return what is said of a table after the form, None where that says nothing new; or what is wrong, by field."""
    shown = {field.name: field for field in fields(table, 0, most)}
    changed = {
        name: text.strip() for name, text in values.items() if name in shown and text.strip() != shown[name].chosen
    }
    if not values or set(values) - set(shown):
        return {next(iter(values), "date"): OUT_OF_DATE}
    wrong = _wrong(changed, shown)
    if wrong:
        return wrong
    if changed.pop("said", "") == _FORGET:
        return table.base.blank
    layout = _with_roles(table.base, {name: text for name, text in changed.items() if name in _ROLES and text}, shown)
    for name in changed.keys() - _ROLES.keys():
        try:
            layout = read_layout(write_layout(SETTINGS[name](layout, changed[name])))
        except LayoutRefused as refused:
            return {name: refused.message}
    return None if layout == table.base else layout


def _wrong(changed: Mapping[str, str], shown: Mapping[str, Field]) -> dict[str, str]:
    """Return what can't be meant: what was not to be chosen, and one column for two fields."""
    taken = [text for name, text in changed.items() if name in _ROLES and text not in ("", NONE)]
    wrong = {name: _TWICE for name, text in changed.items() if name in _ROLES and taken.count(text) > 1}
    offered = {name: {"", *dict(shown[name].options)} for name in changed if shown[name].options}
    return wrong | {name: OUT_OF_DATE for name, texts in offered.items() if changed[name] not in texts}


def _with_roles(layout: StatedLayout, roles: Mapping[str, str], shown: Mapping[str, Field]) -> StatedLayout:
    """Return a layout with the columns that were chosen; one that lost its field, and found no other, says nothing."""
    for name, text in roles.items():
        old = shown[name].chosen
        if text != NONE:
            layout = layout.with_column(int(text) - 1, _ROLES[name][0])
        elif old not in roles.values():
            layout = layout.with_column(int(old) - 1, Role.IGNORED)
    return layout


# -- what is kept of a file with a question or a proposal, so that a form can be drawn without fetching the file again


def kept(file: FileReport) -> tuple[Any, ...] | None:
    """Return what a form needs of a file: its name, how it was understood, its first rows, and what was said of it."""
    if file.table is None:
        return None
    return file.file, write_layout(file.table.layout), file.table.rows, write_layout(file.table.base)


def table_of(kept: Sequence[Any]) -> SeenTable:
    """Return a table as it was kept; raises LayoutRefused where it is of another version."""
    _, layout, rows, base = kept
    return SeenTable(read_layout(layout), tuple(map(tuple, rows)), read_layout(base), said=True)


def buttons(tables: Sequence[Sequence[Any] | None]) -> tuple[Action, ...]:
    """Return a button for each file whose columns can be mended, for the first few of many."""
    found = [(place, each[0]) for place, each in enumerate(tables) if each is not None][:3]
    alone = len(tables) == 1
    return tuple(
        Action("Columns…" if alone else f"Columns: {on_one_line(name, 30)}", COLUMNS, f":{place}:0")
        for place, name in found
    )


def paged(value: str) -> tuple[Action, ...]:
    """Return the buttons for the pages of a form; ``value`` is that of the button which asked for them."""
    which = value.rpartition(":")[0]
    return tuple(Action(label, COLUMNS, f"{which}:{page}") for page, label in enumerate(PAGE_LABELS, start=1))
