"""Stated layouts as small text files (TOML), which people hand on to each other, so that they are read strictly.

Whatever is not known, too long or of another type is refused with one sentence. No text of such a file is ever a pattern: words
and names are compared as they stand.
"""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

from ledger.errors import LayoutRefused
from ledger.importers.currencies import CODES
from ledger.importers.table.cells import MOST_COLUMNS
from ledger.importers.table.stated import ORDERS, ROLES, WORDS, CellKind, StatedLayout, may_share
from ledger.importers.table.vocabulary import Role, fold
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_CHARACTERS = 64_000
LONGEST_NAME, LONGEST_WORD = 300, 120
_MOST_WORDS, _MOST_MARKS = 60, 10
_TOP = frozenset(
    "bank header kinds marks dates decimal sign currency person columns direction account leave-out".split()
)
_SIGNS = ("as-is", "reversed")
_MARKS = (".", ",")
TYPES = {kind.value.replace("_", "-"): kind for kind in AccountType}
_ORDER_WORDS = {order: word for word, order in ORDERS.items()}


def read_layout(text: str) -> StatedLayout:
    """Read a layout from the text of its file; raises LayoutRefused."""
    if len(text) > MOST_CHARACTERS:
        raise LayoutRefused("This layout file is too long to be one.")
    try:
        given = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LayoutRefused("This is no layout file: its TOML can't be read.") from error
    _only(given, _TOP, "A layout")
    header = _texts(given, "header", MOST_COLUMNS, LONGEST_NAME, blank=True)
    kinds = tuple(_choice("kinds", kind, {each.value: each for each in CellKind}) for kind in _list(given, "kinds"))
    if bool(header) == bool(kinds) or len(kinds) > MOST_COLUMNS:
        raise LayoutRefused("A layout says either its header or, for files without one, the kinds of its columns.")
    if header and sum(bool(fold(name)) for name in header) < 2:
        raise LayoutRefused("A layout's header has two names at least.")
    direction, account = _table(given, "direction", {"out", "in"}), _table(given, "account", {"name", "type"})
    names = _Names(header or tuple(map(str, kinds)), named=bool(header))
    return StatedLayout(
        header=header,
        kinds=kinds,
        marks=_texts(given, "marks", _MOST_MARKS, LONGEST_WORD),
        columns=_columns(given, names),
        out=_texts(direction, "out", _MOST_WORDS, LONGEST_WORD),
        into=_texts(direction, "in", _MOST_WORDS, LONGEST_WORD),
        left_out=tuple(_left_out(entry, names) for entry in _list(given, "leave-out")),
        order=_maybe(given, "dates", ORDERS),
        decimal=_maybe(given, "decimal", {mark: mark for mark in _MARKS}),
        sign=_maybe(given, "sign", {sign: sign for sign in _SIGNS}),
        currency=_maybe(given, "currency", {code: code for code in CODES}) or "",
        bank=_text(given, "bank"),
        person=_text(given, "person"),
        account=_text(account, "name"),
        account_type=_maybe(account, "type", TYPES),
    )


def write_layout(layout: StatedLayout) -> str:
    """Return the text of a layout's file."""
    names = _Names(layout.header or tuple(map(str, layout.kinds)), named=bool(layout.header))
    lines = list(_lines(
        ("bank", layout.bank), ("header", layout.header), ("kinds", layout.kinds), ("marks", layout.marks),
        ("dates", _ORDER_WORDS[layout.order] if layout.order else ""), ("decimal", layout.decimal),
        ("sign", layout.sign), ("currency", layout.currency), ("person", layout.person),
    ))  # fmt: skip
    by_role: dict[Role, list[str | int]] = {}
    for column, role in layout.columns:
        by_role.setdefault(role, []).append(names.of(column))
    columns = [(WORDS[role], found[0] if len(found) == 1 else found) for role, found in by_role.items()]
    kind = layout.account_type.value.replace("_", "-") if layout.account_type else ""
    tables: list[tuple[str, list[tuple[str, Any]]]] = [
        ("[columns]", columns),
        ("[direction]", [("out", layout.out), ("in", layout.into)]),
        ("[account]", [("name", layout.account), ("type", kind)]),
    ]
    tables += [("[[leave-out]]", [("column", names.of(place)), ("words", words)]) for place, words in layout.left_out]
    for title, entries in tables:
        if written := list(_lines(*entries)):
            lines += ["", title, *written]
    return "\n".join(lines) + "\n"


class _Names:
    """Columns by the names that tell them apart, and all of them by their numbers, from 1 on."""

    def __init__(self, listed: Sequence[str], *, named: bool) -> None:
        self.listed = listed
        self.named = named
        self.by_name: dict[str, int] = {}
        for place, name in enumerate(listed if named else ()):
            self.by_name[fold(name)] = -1 if not fold(name) or fold(name) in self.by_name else place

    def of(self, column: int) -> str | int:
        """Return the name of a column, or its number where that says more."""
        name = self.listed[column]
        return name if self.named and self.by_name[fold(name)] >= 0 else column + 1

    def column(self, given: object) -> int:
        """Return the column that is meant; raises LayoutRefused."""
        if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= len(self.listed):
            return given - 1
        place = self.by_name.get(fold(given), -1) if isinstance(given, str) else -1
        if place < 0:
            raise LayoutRefused(f"A layout names a column that its files don't have: {str(given)[:40]!r}.")
        return place


def _columns(given: Mapping[str, Any], names: _Names) -> tuple[tuple[int, Role], ...]:
    columns: dict[int, Role] = {}
    for word, stated in _table(given, "columns", set(ROLES)).items():
        role, listed = ROLES[word], stated if isinstance(stated, list) else [stated]
        if not listed:
            raise LayoutRefused(f"A layout gives {word} to one column.")
        for each in listed:
            column = names.column(each)
            if column in columns:
                raise LayoutRefused("A layout gives one column two roles.")
            columns[column] = role
        places = [column for column, given in columns.items() if given is role]
        if not may_share(role, names.listed if names.named else (), places):
            raise LayoutRefused(
                f"A layout gives {word} to one column, or to several that are named by their currencies."
            )
    return tuple(columns.items())


def _left_out(entry: object, names: _Names) -> tuple[int, tuple[str, ...]]:
    if not isinstance(entry, dict):
        raise LayoutRefused("A layout's leave-out is a table.")
    _only(entry, {"column", "words"}, "A layout's leave-out")
    words = _texts(entry, "words", _MOST_WORDS, LONGEST_WORD)
    if not words:
        raise LayoutRefused("A layout's leave-out has a column and words.")
    return names.column(entry.get("column")), words


def _only(given: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise LayoutRefused(f"{what} can't say {unknown[0][:40]!r}; it may say {', '.join(sorted(known))}.")


def _table(given: Mapping[str, Any], name: str, known: set[str]) -> Mapping[str, Any]:
    table = given.get(name, {})
    if not isinstance(table, dict):
        raise LayoutRefused(f"A layout's {name} is a table.")
    _only(table, known, f"A layout's {name}")
    return table


def _list(given: Mapping[str, Any], name: str) -> list[Any]:
    listed = given.get(name, [])
    if not isinstance(listed, list) or len(listed) > MOST_COLUMNS:
        raise LayoutRefused(f"A layout's {name} is a list, of {MOST_COLUMNS} at most.")
    return listed


def _texts(given: Mapping[str, Any], name: str, most: int, longest: int, *, blank: bool = False) -> tuple[str, ...]:
    listed = _list(given, name)
    if len(listed) > most or not all(
        isinstance(each, str) and len(each) <= longest and (blank or each.strip()) for each in listed
    ):
        raise LayoutRefused(f"A layout's {name} is a list of at most {most} texts of up to {longest} characters.")
    return tuple(listed)


def _text(given: Mapping[str, Any], name: str) -> str:
    text = given.get(name, "")
    if not isinstance(text, str) or len(text) > LONGEST_WORD or not text.isprintable():
        raise LayoutRefused(f"A layout's {name} is one line of up to {LONGEST_WORD} characters.")
    return text


def _maybe(given: Mapping[str, Any], name: str, known: Mapping[str, Any]) -> Any:
    return _choice(name, given[name], known) if name in given else None


def _choice(name: str, given: object, known: Mapping[str, Any]) -> Any:
    if not isinstance(given, str) or given not in known:
        some = ", ".join(list(known)[:8])
        raise LayoutRefused(f"A layout's {name} can't be {str(given)[:40]!r}; it may be {some}.")
    return known[given]


def _lines(*entries: tuple[str, Any]) -> Iterable[str]:
    """Yield a line for each entry that says something; a list takes one line for each of its texts where it is long."""
    for name, value in entries:
        if value in ("", (), [], None):
            continue
        if isinstance(value, (list, tuple)):
            parts = [_written(each) for each in value]
            short = ", ".join(parts)
            yield f"{name} = [{short}]" if len(short) < 100 else "\n".join((
                f"{name} = [", *(f"    {part}," for part in parts), "]",
            ))  # fmt: skip
        else:
            yield f"{name} = {_written(value)}"


def _written(value: str | int) -> str:
    """Write a text as TOML does, which is as JSON does but for one character, or a number."""
    if isinstance(value, int):
        return str(value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
