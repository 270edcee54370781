"""Two files of one person whose rows belong together, and what is done to them by the person's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.by_hand import ELSEWHERE, Entry, judge_entry, write_entry
from ledger.corrections import take_back
from ledger.filters import Filter
from ledger.imports import import_files
from ledger.journal import new_change
from ledger.statement_writer import SourceFile
from ledger.transactions import Flow
from tests.support.kept_sums import differing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import date

    from ledger.repository import Repository
    from ledger.transactions import Transaction

BANK = """Date,Description,Amount,Account
2026-10-01,ACME SALARY,2500.00,Current
2026-10-03,ZARA 3412 LONDON,-89.95,Current
2026-10-05,TESCO STORES 2041,-42.10,Current
2026-10-10,ANNA MEIER,-200.00,Current
2026-10-20,NETFLIX.COM,-9.99,Current
"""
OTHER = """Date,Description,Amount,Account
2026-10-04,INDITEX ITX ONLINE,-89.95,Card
2026-10-09,PAYPAL EUROPE,+40.00,Current
2026-10-19,POT TOP UP,+200.00,Savings
"""
HEADER = "Date,Description,Amount,Account\n"
#: Two rows that pair by themselves.
QUOKKA = HEADER + "2026-10-06,QUOKKA XQZT,-55.00,Current\n2026-10-07,WOMBAT WQZ,+55.00,Savings\n"
ZARA, TWIN, BACK, ANNA, TOP_UP = -8995, "INDITEX ITX ONLINE", 4000, -20000, 20000


def file_of(text: str = BANK, name: str = "bank.csv") -> SourceFile:
    return SourceFile(name, text.encode())


async def move_in(repository: Repository) -> Repository:
    """Bring both files in."""
    for source, added in ((file_of(), 5), (file_of(OTHER, "other.csv"), 3)):
        assert (await import_files(repository, [source], currency="GBP")).files[0].added == added
    return repository


async def done(repository: Repository, work: Callable[..., Awaitable[Any]], *arguments: Any) -> str:
    token = new_change()
    async with repository.store.write() as connection:
        await work(connection, repository, token, *arguments)
    return token


async def undone(repository: Repository, token: str) -> None:
    async with repository.store.write() as connection:
        await take_back(connection, repository, token)


async def rows_of(repository: Repository) -> list[Transaction]:
    async with repository.store.read() as connection:
        assert await connection.run_sync(differing) == 0
    return await repository.rows(Filter(), "oldest")


async def the(repository: Repository, minor: int, description: str = "") -> Transaction:
    found = [row for row in await rows_of(repository) if row.amount_minor == minor and description in row.description]
    (row,) = found
    return row


async def spent(repository: Repository, **more: Any) -> int:
    return sum(each.net_out_minor for each in await repository.totals(Filter(flow=Flow.SPENDING, **more)))


async def earned(repository: Repository) -> int:
    return -sum(each.net_out_minor for each in await repository.totals(Filter(flow=Flow.INCOME)))


async def phrase_of(repository: Repository, row: Transaction) -> str:
    query = (
        sa.select(schema.phrases.c.text)
        .join(schema.transactions, schema.transactions.c.phrase_id == schema.phrases.c.id)
        .where(schema.transactions.c.id == row.id)
    )
    async with repository.store.read() as connection:
        return str((await connection.execute(query)).scalar_one())


async def again(repository: Repository) -> None:
    """Both files are read again, and bring nothing."""
    for source in (file_of(), file_of(OTHER, "other.csv")):
        assert (await import_files(repository, [source], currency="GBP")).files[0].added == 0


async def written(repository: Repository, what: str, minor: int, day: date, account: str = ELSEWHERE) -> Transaction:
    entry = Entry(day, minor, "GBP", what, account, what)
    await done(repository, _write, entry, await judge_entry(repository, entry))
    return await the(repository, minor, what)


async def _write(connection: Any, repository: Repository, token: str, entry: Entry, judged: Any) -> None:
    await write_entry(connection, repository, token, entry, judged)
