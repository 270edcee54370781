"""Shared costs (Splitwise): of each row only the person's own share was spent, so that it must be said who they are."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ledger.errors import AmbiguousPerson
from ledger.importers.amounts import decimal_mark
from ledger.importers.programs.plain import TRANSFER, Cells, plain, read_decimal
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.seen import seen_rows
from ledger.importers.table.stated import SeenTable, StatedLayout, names_of
from ledger.importers.table.vocabulary import Role, fold, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.importer import Hints
    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.layout import Record

#: The first columns of such an export, in the languages of the program, with what each holds.
_COLUMNS = ("date", "description", "category", "cost", "currency")
HEADERS = tuple(
    tuple(map(fold, words.split("|")))
    for words in (
        "date|description|category|cost|currency",
        "datum|beschreibung|kategorie|kosten|währung",
        "date|description|catégorie|coût|devise",
        "fecha|descripción|categoría|costo|moneda",
        "data|descrizione|categoria|costo|valuta",
        "datum|omschrijving|categorie|kosten|valuta",
        "data|descrição|categoria|custo|moeda",
    )
)
#: A category of rows in which somebody settles what they owe.
_SETTLED = folded("payment|zahlung|paiement|pago|pagamento|betaling")
_NAME = "Splitwise"
_NO_SHARE = "you have no share in it"
_OPEN = "several people paid it, so your share can't be told"


def people_in(header: Sequence[str]) -> tuple[str, ...]:
    """Return the names of two people or more in which a header of such an export ends; none where it is another's."""
    first, names = len(_COLUMNS), [cell.strip() for cell in header]
    while names and not names[-1]:
        names.pop()
    people = names[first:]
    if len(people) < 2 or tuple(map(fold, names[:first])) not in HEADERS:
        return ()
    return tuple(people) if all(name and not _means_something(name) for name in people) else ()


def _means_something(cell: str) -> bool:
    """Tell a column of a table from a person's; “Bob” may be amounts in bolivianos as well."""
    return any(meaning.role is not Role.AMOUNT for meaning in header_meanings(cell))


def whose(records: Iterable[Record], header: tuple[str, ...], hints: Hints) -> SeenTable:
    """Return an export as it is seen, with what is said of it: which of the people the person is.

    Raises ``AmbiguousPerson``, with the table as it is seen without a word, where that names none of them.
    """
    people, layout = people_in(header), StatedLayout(header=header)
    rows = seen_rows([cells for _, cells in records])
    said = next((each.person for each in hints.layouts if each.header and each.names == names_of(header)), "")
    for told in (hints.person, hints.account or "", said):
        mine = _named(people, told)
        if mine:
            return SeenTable(layout, rows, replace(layout, person=mine), said=True)
    error = AmbiguousPerson(people, _NAME)
    error.table = SeenTable(layout, rows)
    raise error


def _named(people: Sequence[str], told: str) -> str:
    """Return whom a name means, in full or by its first words; nothing where that is nobody, or several."""
    words = fold(told)
    found = [name for name in people if words and fold(name) == words]
    found = found or [name for name in people if words and fold(name).startswith(f"{words} ")]
    return found[0] if len(found) == 1 else ""


def open_shares(
    records: Iterable[Record], header: tuple[str, ...], person: str
) -> Callable[[Iterable[Record]], Iterator[PlainRecord]]:
    """Return what reads the rows for one of the people."""
    first = len(_COLUMNS)
    return _Shares(Cells.of(_COLUMNS), first, first + people_in(header).index(person), records).read


class _Shares:
    """Reads rows that say how much more or less than their share each person paid."""

    def __init__(self, columns: Cells, first: int, own: int, records: Iterable[Record]) -> None:
        self.columns = columns
        self.first, self.own = first, own
        self.mark: DecimalMark = decimal_mark(columns.get(cells, "cost") for _, cells in records)

    def read(self, records: Iterable[Record]) -> Iterator[PlainRecord]:
        for number, cells in records:
            day, cost = self.columns.get(cells, "date"), self._number(self.columns.get(cells, "cost"))
            if cost is None:
                continue  # an empty line, or the sum of all
            net = [self._number(cell) or Decimal(0) for cell in cells[self.first :]]
            own = net[self.own - self.first] if len(net) > self.own - self.first else Decimal(0)
            category = self.columns.get(cells, "category")
            settled = fold(category) in _SETTLED
            amount = -own if settled else _own_share(own, cost, net)
            if amount is None or not amount:
                yield number, _OPEN if amount is None else _NO_SHARE
                continue
            yield (
                number,
                plain(
                    day=day,
                    amount=amount,
                    description=self.columns.get(cells, "description"),
                    currency=self.columns.get(cells, "currency"),
                    category="" if settled else category,
                    kind=TRANSFER if settled else "",
                    account=_NAME,
                ),
            )

    def _number(self, cell: str) -> Decimal | None:
        found = read_decimal(cell.strip(), self.mark)
        return found[0] if found else None


def _own_share(own: Decimal, cost: Decimal, net: Sequence[Decimal]) -> Decimal | None:
    """Return what a person has to bear of a cost, as money out; None where that can't be told.

    ``own`` is what they paid less what they bear. Who paid nothing bears what they owe; who paid all bears the rest.
    """
    if own < 0:
        return own
    payers = sum(1 for each in net if each > 0)
    if own > 0 and payers == 1:
        return own - cost
    return Decimal(0) if own == 0 and payers > 0 else None
