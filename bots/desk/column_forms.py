"""The form in which a person says which column of a file is what: its fields as data, the same on every platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bots.desk.fields import OUT_OF_DATE, Field
from bots.import_words import PERSON_QUESTION, on_one_line
from graph.reply import Action
from language.catalogue import say
from ledger.errors import LayoutRefused
from ledger.importers.programs.shares import people_in
from ledger.importers.table.by_currency import currency_named
from ledger.importers.table.layout_file import read_layout, write_layout
from ledger.importers.table.saying import SETTINGS
from ledger.importers.table.stated import BY_CURRENCY, ORDERS, SHARED, SeenTable, StatedLayout, may_share
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.statement_writer import FileReport

COLUMNS: Final = "columns"
NONE: Final = "none"
_AS_IT_SHOWS: Final = "auto"
_TWICE = "Another field has this column already."
_ALIKE = "Several columns of amounts must each name a currency of its own."

#: The columns that are asked for, with the role and the words for people.
_ROLES: Mapping[str, tuple[Role, str]] = {
    "date": (Role.DATE, "Date"),
    "amount": (Role.AMOUNT, "Amount"),
    "money-out": (Role.DEBIT, "Money out"),
    "money-in": (Role.CREDIT, "Money in"),
    "description": (Role.DESCRIPTION, "Description"),
    "memo": (Role.MEMO, "Memo"),
    "direction": (Role.SIGN, "Out or in, by a word"),
    "payee": (Role.PAYEE, "Payee"),
    "kind": (Role.TYPE, "Kind of transaction"),
    "category": (Role.CATEGORY, "Category"),
    "currency": (Role.CURRENCY, "Currency"),
    "balance": (Role.BALANCE, "Balance"),
    "account": (Role.ACCOUNT, "Account"),
    "id": (Role.ID, "Transaction ID"),
    "status": (Role.STATUS, "Status"),
    "ignore": (Role.IGNORED, "Not read at all"),
}
_CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "dates": ("Order of dates", {word: word.replace("-", " ").capitalize() for word in ORDERS}),
    "decimal": ("Decimal mark", {".": "Point: 12.50", ",": "Comma: 12,50"}),
    "sign": ("Signs", {"as-is": "A minus is money out", "reversed": "Amounts are money out"}),
}
_KEEP, _FORGET = "keep", "forget"
_TEXTS = {"out": ("Words for money out", "S, debit"), "in": ("Words for money in", "H, credit")}
_PERSON, _SAID = "person", "said"
#: The fields in parts, for a platform whose forms are short.
PAGES: tuple[tuple[str, ...], ...] = (
    ("date", "amount", "money-out", "money-in", "description"),
    ("memo", "payee", "kind", "category", "direction"),
    ("currency", "balance", "account", "id", "status"),
    ("dates", "decimal", "sign", "out", "in"),
    ("ignore", _SAID),
)
PAGE_LABELS = ("Main columns…", "More columns…", "Other columns…", "Dates and signs…", "What is not read…")
#: The only part of the form of a file whose people are asked for, and nothing else.
_PEOPLE_PAGE, _PEOPLE_LABEL = (_PERSON, _SAID), "Who you are…"


def fields(table: SeenTable, page: int, most: int) -> list[Field]:
    """Return the fields of a page, counted from 1, or of all pages for 0, each with so many options at most."""
    pages = (_PEOPLE_PAGE,) if people_in(table.layout.header) else PAGES
    wanted = pages[page - 1] if 1 <= page <= len(pages) else tuple(name for names in pages for name in names)
    columns = tuple((str(place + 1), _option(table, place)) for place in range(table.layout.width))
    said = table.base != table.base.blank
    return [_field(table, name, columns, most) for name in wanted if name != _SAID or said]


def _written(field: Field, text: str) -> str:
    """Return an answer in the form in which what is chosen stands."""
    text = text.strip()
    return ",".join(sorted(set(text.split(",")) - {"", NONE}, key=_place)) if field.several else text


def _place(value: str) -> tuple[int, str]:
    return (int(value) if value.isdecimal() else 0, value)


def _field(table: SeenTable, name: str, columns: tuple[tuple[str, str], ...], most: int) -> Field:
    base = table.base
    if name in _ROLES:
        return _column_field(table, name, columns, most)
    if name in _CHOICES:
        label, options = _CHOICES[name]
        order = next((word for word, order in ORDERS.items() if order is base.order), "")
        chosen = {"dates": order, "decimal": base.decimal or "", "sign": base.sign or ""}[name] or _AS_IT_SHOWS
        offered = {_AS_IT_SHOWS: "As the file shows", **options}
        return Field(name, label, tuple((value, say(text)) for value, text in offered.items()), chosen)
    if name == _PERSON:
        people = people_in(table.layout.header)
        named = tuple((str(place), on_one_line(person, 60)) for place, person in enumerate(people, start=1))
        mine = next((str(place) for place, person in enumerate(people, start=1) if person == base.person), NONE)
        return Field(name, PERSON_QUESTION, ((NONE, say("– not said –")), *named)[:most], mine)
    if name == _SAID:
        return Field(name, "What you said before", ((_KEEP, say("Keep it")), (_FORGET, say("Forget it"))), _KEEP)
    label, example = _TEXTS[name]
    return Field(name, label, chosen=", ".join(base.out if name == "out" else base.into), example=say(example))


def _column_field(table: SeenTable, name: str, columns: tuple[tuple[str, str], ...], most: int) -> Field:
    """Return the field of a role, of which a column that is not offered is not shown as chosen either."""
    role, label = _ROLES[name]
    several = _may_be_several(table, role)
    options = columns[:most] if several else ((NONE, say("– none –")), *columns)[:most]
    chosen = [str(column + 1) for column in table.layout.columns_of(role)]
    chosen = [value for value in chosen if any(value == each for each, _ in options)]
    return Field(
        name, label, options, ",".join(sorted(chosen, key=_place)) if several else next(iter(chosen), NONE),
        several=several,
    )  # fmt: skip


def _may_be_several(table: SeenTable, role: Role) -> bool:
    """Tell whether several columns can have a role here: amounts in a file that names columns by several currencies."""
    named = {currency_named(name) for name in table.layout.header} - {None}
    return role in SHARED or (role in BY_CURRENCY and len(named) > 1)


def _option(table: SeenTable, column: int) -> str:
    """Name a column by its header and by what it holds."""
    name = on_one_line(table.layout.header[column], 40) if table.layout.header else ""
    example = on_one_line(table.example(column), 30)
    return f"{column + 1}  {name}" + (f" ({example})" if example else "") if name else f"{column + 1}  {example or '–'}"


def read_fields(table: SeenTable, values: Mapping[str, str], most: int) -> StatedLayout | dict[str, str] | None:
    """Return what is said of a table after the form, None where that says nothing new; or what is wrong, by field."""
    shown = {field.name: field for field in fields(table, 0, most)}
    if not values or set(values) - set(shown):
        return {next(iter(values), "date"): OUT_OF_DATE}
    written = {name: _written(shown[name], text) for name, text in values.items()}
    changed = {name: text for name, text in written.items() if text != shown[name].chosen}
    wrong = _wrong(table, changed, shown)
    if wrong:
        return wrong
    if changed.pop(_SAID, "") == _FORGET:
        return table.base.blank
    roles = {name: text for name, text in changed.items() if name in _ROLES and (text or shown[name].several)}
    layout = _with_roles(table.base, roles, shown)
    for name in changed.keys() - _ROLES.keys():
        value = _person(table, changed[name]) if name == _PERSON else changed[name]
        try:
            layout = read_layout(write_layout(SETTINGS[name](layout, value)))
        except LayoutRefused as refused:
            return {name: refused.message}
    return None if layout == table.base else layout


def _person(table: SeenTable, value: str) -> str:
    return people_in(table.layout.header)[int(value) - 1] if value.isdecimal() else ""


def _columns(text: str) -> list[int]:
    return [int(value) - 1 for value in text.split(",") if value not in ("", NONE)]


def _wrong(table: SeenTable, changed: Mapping[str, str], shown: Mapping[str, Field]) -> dict[str, str]:
    """Return what can't be meant: what was not to be chosen, one column for two fields, amounts of one currency twice."""
    offered = {name: {"", *dict(shown[name].options)} for name in changed if shown[name].options}
    unknown = {name: OUT_OF_DATE for name, texts in offered.items() if not set(changed[name].split(",")) <= texts}
    if unknown:
        return unknown
    places = {name: _columns(text) for name, text in changed.items() if name in _ROLES}
    taken = [column for columns in places.values() for column in columns]
    wrong = {name: _TWICE for name, columns in places.items() if any(taken.count(each) > 1 for each in columns)}
    alike = {
        name: _ALIKE for name, columns in places.items() if not may_share(_ROLES[name][0], table.layout.header, columns)
    }
    return alike | wrong


def _with_roles(layout: StatedLayout, roles: Mapping[str, str], shown: Mapping[str, Field]) -> StatedLayout:
    """Return a layout with the columns that were chosen; one that lost its field, and found no other, says nothing."""
    taken = {column for text in roles.values() for column in _columns(text)}
    for name, text in roles.items():
        role, chosen = _ROLES[name][0], _columns(text)
        if chosen and not shown[name].several:
            continue  # what had this role gives way by itself
        for column in set(_columns(shown[name].chosen)).difference(chosen):
            if role is Role.IGNORED:
                layout = layout.without_column(column)
            elif column not in taken:
                layout = layout.with_column(column, Role.IGNORED)
    for name, text in roles.items():
        role, chosen = _ROLES[name][0], _columns(text)
        for column in reversed(chosen) if role is Role.DATE else chosen:  # the latest date is the first to be asked
            if role not in SHARED or column not in _columns(shown[name].chosen):
                layout = layout.with_column(column, role)
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
        Action("Columns…" if alone else say("Columns: {file}", file=on_one_line(name, 30)), COLUMNS, f":{place}:0")
        for place, name in found
    )


def paged(value: str, table: SeenTable) -> tuple[Action, ...]:
    """Return the buttons for the pages of a table's form; ``value`` is that of the button which asked for them."""
    which = value.rpartition(":")[0]
    labels = (_PEOPLE_LABEL,) if people_in(table.layout.header) else PAGE_LABELS
    return tuple(Action(label, COLUMNS, f"{which}:{page}") for page, label in enumerate(labels, start=1))
