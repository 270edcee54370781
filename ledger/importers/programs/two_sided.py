"""Exports in which a row names two accounts, from which and to which the money went: Firefly III, and Wise's history."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.importers.amounts import decimal_mark
from ledger.importers.programs.plain import TRANSFER, Cells, plain, read_decimal
from ledger.importers.table.signs import not_a_number, quote
from ledger.importers.table.states import is_unbooked
from ledger.importers.table.vocabulary import fold, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.importer import Hints
    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.layout import Record

FIREFLY = folded("type|amount|description|date|source_name|destination_name|source_type|destination_type")
WISE_HISTORY = folded("status|direction|source name|source amount after fees|target name|target amount after fees")
_WITHDRAWALS, _DEPOSITS, _TRANSFERS = folded("withdrawal"), folded("deposit"), folded("transfer")
_NO_MOVEMENT = "is a balance or a correction, not a transaction"


def open_firefly(
    records: Iterable[Record], header: tuple[str, ...], hints: Hints
) -> Callable[[Iterable[Record]], Iterator[PlainRecord]]:
    """Return what reads Firefly III: of a withdrawal the source is the person's own account, of a deposit the destination."""
    del hints
    columns = Cells.of(header)
    mark = decimal_mark(columns.get(cells, "amount") for _, cells in records)

    def read(below: Iterable[Record]) -> Iterator[PlainRecord]:
        for number, cells in below:
            yield from ((number, each) for each in _firefly(columns, cells, mark))

    return read


def _firefly(columns: Cells, cells: Sequence[str], mark: DecimalMark) -> Iterator[tuple[str, ...] | str]:
    def of(*names: str) -> str:
        return columns.get(cells, *names)

    found, kind = read_decimal(of("amount"), mark), fold(of("type"))
    if found is None:
        yield not_a_number(of("amount"))
        return
    amount, source, destination = abs(found[0]), of("source name"), of("destination name")

    def row(amount: Decimal, account: str, payee: str, currency: str, leg: str | None = None) -> tuple[str, ...]:
        return plain(
            day=of("date"),
            amount=amount,
            payee=payee,
            description=of("description"),
            currency=currency,
            category=of("category"),
            kind="" if leg is None else TRANSFER,
            account=account,
            notes=of("notes"),
            labels=of("tags"),
            identity=of("journal id") + (leg or ""),
        )

    currency = of("currency code")
    if kind in _TRANSFERS:
        yield row(-amount, source, destination, currency, "")
        foreign = read_decimal(of("foreign amount"), mark)
        arrived, arrived_in = (abs(foreign[0]), of("foreign currency code")) if foreign else (amount, currency)
        yield row(arrived, destination, source, arrived_in, "-in")
    elif kind in _WITHDRAWALS:
        yield row(-amount, source, destination, currency)
    elif kind in _DEPOSITS:
        yield row(amount, destination, source, currency)
    else:
        yield f"“{quote(of('type'))}” {_NO_MOVEMENT}"


def open_wise(
    records: Iterable[Record], header: tuple[str, ...], hints: Hints
) -> Callable[[Iterable[Record]], Iterator[PlainRecord]]:
    """Return what reads Wise's history: fees are charged on top of what left the source."""
    del hints
    columns = Cells.of(header)
    mark = decimal_mark(columns.get(cells, "source amount after fees") for _, cells in records)
    seen: dict[str, int] = {}

    def read(below: Iterable[Record]) -> Iterator[PlainRecord]:
        seen.clear()
        for number, cells in below:
            yield from ((number, each) for each in _wise(columns, cells, mark, seen))

    return read


def _wise(
    columns: Cells, cells: Sequence[str], mark: DecimalMark, seen: dict[str, int]
) -> Iterator[tuple[str, ...] | str]:
    def of(*names: str) -> str:
        return columns.get(cells, *names)

    status, way = of("status"), fold(of("direction"))
    if is_unbooked(status) or (fold(status) == "refunded" and way == "out"):
        yield say("the payment is marked “{status}”, so it is not booked", status=quote(status))
        return
    left, arrived = (
        read_decimal(of(f"{side} amount after fees", f"{side} amount"), mark) for side in ("source", "target")
    )
    fee = read_decimal(of("source fee amount"), mark)
    if left is None:
        yield not_a_number(of("source amount after fees"))
        return
    identity = of("id", "transfer wise id")
    seen[identity] = seen.get(identity, 0) + 1
    if seen[identity] > 1:  # paid from several balances
        identity = f"{identity}-{seen[identity]}"
    charged = abs(fee[0]) if fee and fold(of("source fee currency")) == fold(of("source currency")) else Decimal(0)
    moved = way == "neutral" or (way == "out" and fold(of("source name")) == fold(of("target name")) != "")

    def row(amount: Decimal, payee: str, currency: str, identity: str) -> tuple[str, ...]:
        return plain(
            day=of("finished on", "created on"),
            amount=amount,
            payee=payee,
            description=of("reference") or payee,
            currency=currency,
            category="" if moved else of("category"),
            kind=TRANSFER if moved else "",
            account="Wise",
            notes=of("note"),
            identity=identity,
        )

    if way != "in":
        yield row(-abs(left[0]) - charged, of("target name"), of("source currency"), identity)
    if way != "out":
        into = arrived or left
        yield row(abs(into[0]), of("source name"), of("target currency", "source currency"), f"{identity}-in")
