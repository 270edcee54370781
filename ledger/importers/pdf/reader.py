"""Bank statements as PDF: read only where the rows are proved by what the statement states of itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.direction import Decision, Told
from ledger.errors import AmbiguousDates, AmbiguousDirection, UnreadableFile
from ledger.importers.account_statements import AccountStatement, name_account, put_together
from ledger.importers.amounts import decimal_mark
from ledger.importers.currencies import is_settled
from ledger.importers.home_currency import find_home
from ledger.importers.importer import Importer
from ledger.importers.pdf.accounts import Part, find_parts, says_account
from ledger.importers.pdf.labels import Label, pattern_of
from ledger.importers.pdf.lines import Document, Line, PageLook, read_document, repeated_lines
from ledger.importers.pdf.proof import Proof, prove
from ledger.importers.pdf.rows import Assembler, Found, Region, find_regions, loose_lines
from ledger.importers.pdf.stated import currency_in_document
from ledger.importers.pdf.table import PartTable, row_days
from ledger.importers.recognition import FROM_BANK
from ledger.importers.statement_days import names_period, names_time, period_of, settle_days
from ledger.importers.table.signs import quote
from ledger.importers.table.vocabulary import fold
from ledger.transactions import AccountType, StatementAccount, StatementBalance

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import date
    from decimal import Decimal

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.importer import Hints
    from ledger.importers.pdf.stated import Stated
    from ledger.transactions import Statement, StatementRow

#: A year of statements has a few hundred pages at most, and a page of text a few thousand letters.
_MOST_BYTES, _MOST_PAGES, _MOST_LETTERS = 32 << 20, 300, 1_500_000
#: So long a file may take to open.
_SECONDS = 60
#: A page with fewer letters than this and a picture is a picture; so many letters without a meaning are no text.
_FEW_LETTERS, _UNKNOWN = 30, 0.2

_SCAN = (
    f"This PDF is a scan: pictures of pages without text in them, from which no amount can be read exactly. {FROM_BANK}"
)
_EMPTY = f"There is no text in this PDF. {FROM_BANK}"
_NO_LETTERS = f"The letters in this PDF can be seen and not read, as its fonts don't say which they are. {FROM_BANK}"
_LOCKED = f"This PDF is protected by a password: save or print it to a PDF without one, then send that. {FROM_BANK}"
_DAMAGED = f"This PDF is damaged, so I can't read it; download it again. {FROM_BANK}"
_TOO_LARGE = f"This PDF is far too large for a statement. {FROM_BANK}"
#: What the process says; the parser is imported there alone, and only when it runs.
_PROBLEMS = {"too large": _TOO_LARGE, "damaged": _DAMAGED, "locked": _LOCKED}
_PROCESS = Path(__file__).with_name("process.py")
NO_TABLE = f"I can't find transactions in this PDF: no table with a date and an amount in each row. {FROM_BANK}"
UNPROVED = (
    "I read a PDF only if its rows come exactly to the balances or totals that it states, and the rows that I find in this "
    f"one don't. {FROM_BANK}"
)
UNSTATED = (
    "I read a PDF only if its rows come exactly to the balances or totals that it states, and I find none in this one. "
    f"{FROM_BANK}"
)
NO_ACCOUNTS = f"This PDF is of several accounts, and I can't tell which rows are of which. {FROM_BANK}"
_NAMED = pattern_of(
    r"statement|stmt|kontoauszug|auszug|abrechnung|umsatz|releve|extrait de compte|extracto|estratto|extrato|"
    r"afschrift|rekeningoverzicht|kontoutdrag|kontoutskrift|kontoudskrift|wyciag|rekening koran|movimientos"
)
#: A card with so few rows may have more payments than purchases.
_FEW_ROWS = 2
_BY_PROOF = "the balances of the statement prove it"


def read_pdf(data: bytes, hints: Hints) -> Statement:
    """Read a statement of which every row is proved by its balances or totals.

    Raises ``UnreadableFile`` with one sentence for any other file, and ``AmbiguousDates`` or ``AmbiguousDirection`` if only
    a word of the person is missing.
    """
    document = _open(data)
    lines = document.lines
    regions = find_regions(lines)
    repeated = repeated_lines(lines)
    problems: list[UnreadableFile] = []
    for undated in (True, False):
        found = Assembler(repeated, undated=undated).assemble(regions)
        if not found.rows:
            continue
        try:
            return _Statement(document, regions, found, hints).read()
        except UnreadableFile as error:
            problems.append(error)
    questions = [each for each in problems if isinstance(each, AmbiguousDates | AmbiguousDirection)]
    if not questions and any(map(_is_picture, document.pages)):
        raise UnreadableFile(_SCAN)
    raise next(iter([*questions, *problems]), UnreadableFile(NO_TABLE))


def _is_picture(page: PageLook) -> bool:
    """Tell a page that shows something, and has hardly any text; one that nobody sees is a machine's reading of a picture."""
    return page.letters < _FEW_LETTERS and bool(page.pictures or page.unseen)


def _open(data: bytes) -> Document:
    """Return the pages and lines of a PDF that has text in it."""
    if len(data) > _MOST_BYTES:
        raise UnreadableFile(_TOO_LARGE)
    document = _run(data)
    if document.problem:
        raise UnreadableFile(_PROBLEMS[document.problem])
    letters = sum(page.letters for page in document.pages)
    if not document.pages:
        raise UnreadableFile(_DAMAGED)
    if all(page.letters < _FEW_LETTERS for page in document.pages):
        raise UnreadableFile(_SCAN if any(map(_is_picture, document.pages)) else _EMPTY)
    if any(page.lost for page in document.pages):
        raise UnreadableFile(_DAMAGED)
    if sum(page.unknown for page in document.pages) > _UNKNOWN * letters:
        raise UnreadableFile(_NO_LETTERS)
    return document


def _run(data: bytes) -> Document:
    """Return what the process that reads the words writes of them."""
    command = [sys.executable, "-I", str(_PROCESS), str(_MOST_PAGES), str(_MOST_LETTERS)]
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=_SECONDS, check=True
        )
        return read_document(done.stdout)
    except subprocess.TimeoutExpired:
        raise UnreadableFile(_TOO_LARGE) from None
    except subprocess.CalledProcessError as error:
        ended = error.returncode in {-signal.SIGXCPU, -signal.SIGKILL}
        raise UnreadableFile(_TOO_LARGE if ended else _DAMAGED) from None
    except (OSError, ValueError):
        raise UnreadableFile(_DAMAGED) from None


@dataclass(frozen=True, slots=True)
class _Proved:
    """A part whose rows are proved."""

    part: Part
    statement: Statement
    proof: Proof


@dataclass(frozen=True, slots=True)
class _Statement:
    """A document with the rows that were found in it."""

    document: Document
    regions: Sequence[Region]
    found: Found
    hints: Hints

    @property
    def lines(self) -> Sequence[Line]:
        """All of its lines."""
        return self.document.lines

    def read(self) -> Statement:
        """Return what it holds, if all of it is proved."""
        if (loose := next(loose_lines(self.lines, self.found.used), None)) is not None:
            raise UnreadableFile(_loose(loose))
        amounts = [amount for row in self.found.rows for amount in row.money.values()]
        mark = decimal_mark(amounts)
        currency = currency_in_document(self.lines, self.found.used, amounts)
        parts = find_parts(self.lines, self.regions, self.found, mark)
        try:
            return self._read(parts, mark, currency)
        except UnreadableFile:
            together = find_parts(self.lines, self.regions, self.found, mark, apart=False)
            if len(together) == len(parts):
                raise
            return self._read(together, mark, currency)

    def _read(self, parts: Sequence[Part], mark: DecimalMark, currency: str | None) -> Statement:
        hints = self.hints if len({part.ref for part in parts}) < 2 else replace(self.hints, account=None)
        proved = [self._prove(part, mark, currency, hints) for part in parts]
        _tell_apart(proved)
        return self._together(proved, hints)

    def _prove(self, part: Part, mark: DecimalMark, currency: str | None, hints: Hints) -> _Proved:
        """Return a part with its proof; raises UnreadableFile if there is none."""
        days = settle_days(row_days(part.rows), self._about(part), hints.day_first)
        table = PartTable(part, days, mark, currency, hints)
        question: AmbiguousDirection | None = None
        for by_side in (False, True) if table.has_sides else (False,):
            for read in self._readings(table, by_side=by_side):
                if isinstance(read, AmbiguousDirection):
                    question = question or read
                elif self._is_whole(read):
                    return read
        if question is not None:
            raise question
        printed = any(balance is not None for balance in table.balances(owed=False))
        raise UnreadableFile(UNPROVED if part.claims.says_anything or printed else UNSTATED)

    def _is_whole(self, proved: _Proved) -> bool:
        """Whether no page can be missing: balances that are called the first and the last prove that by themselves.

        What is carried from page to page does so only on the first page, and on the last one that has a table.
        """
        part, proof = proved.part, proved.proof
        if proof.opening is None:
            return True
        first = _called(part.claims.openings, proof.opening, {Label.OPENING})
        last = _called(part.claims.closings, proof.closing, {Label.CLOSING})
        if first and last:
            return True
        begun = first or bool(_called(part.claims.openings, proof.opening, {Label.BALANCE}))
        page = part.rows[0].lines[0].page
        before = max((row.lines[-1].page for row in self.found.rows if row.number < part.first), default=0)
        carried = _called(part.claims.closings, proof.closing, {Label.FORWARD})
        ended = self.lines[carried[-1].line].page if carried and not last else 0
        goes_on = any(
            self.lines[max(region.header.first, 0)].page > ended
            and not any(line.number in self.found.used for line in region.lines)
            for region in self.regions
        )
        return bool(begun or page <= max(before + 1, self._first_page)) and not (ended and goes_on)

    @property
    def _first_page(self) -> int:
        """The first page that has text."""
        return next(number for number, page in enumerate(self.document.pages, start=1) if page.letters)

    def _readings(self, table: PartTable, *, by_side: bool) -> Iterator[_Proved | AmbiguousDirection]:
        """Yield the proved ways to read a part, that of the table's own reader first.

        A column of amounts without names for its sides may be turned where the statement proves so; a balance of a card
        is what is owed, and of any other account what one has. Where it may be of either, the person is asked.
        """
        card, told = table.part.kind is AccountType.CREDIT_CARD, table.hints.direction
        ways: tuple[bool, ...] = (False,) if table.is_guessed and not card else (False, True)
        if table.is_single and told is None:
            ways = (card and _is_owed(table.part),)
        own = {owed: table.read(told, by_side=by_side, owed=owed) for owed in ways}
        for owed, read in own.items():
            if (found := _proved(table, read, owed=owed)) is not None:
                yield found
        asked = next((read for read in own.values() if isinstance(read, AmbiguousDirection)), None)
        if not table.is_single or told is not None or not (card or asked):
            return
        sure = card or says_account(line for line in self.lines if line.number not in self.found.used)
        for owed in ways:
            proved = _either_way(table, by_side=by_side, owed=owed)
            if len(proved) == 1 and sure:
                yield from proved
            elif proved and asked:
                yield asked

    def _about(self, part: Part) -> list[str]:
        """Return the lines that say of which time a part is: its own ones, else those of the whole document."""
        everywhere = [line.text for line in self.lines if line.number not in self.found.used]
        own = [line.text for line in part.lines if line.number not in self.found.used]
        return own if names_time(own) else everywhere

    def _together(self, proved: Sequence[_Proved], hints: Hints) -> Statement:
        """Put all parts into one statement, with the balances that are proved."""
        first = proved[0].statement
        made = [self._account_statement(each) for each in proved]
        whole = put_together("pdf", made, hints)
        likely = chain.from_iterable(each.statement.home.likely for each in proved)
        warnings = tuple(dict.fromkeys(said for each in proved for said in each.statement.warnings))
        return replace(
            whole,
            home=find_home((each.statement.home.currency for each in proved), likely),
            direction=first.direction,
            warnings=(*whole.warnings, *warnings),
        )

    def _account_statement(self, proved: _Proved) -> AccountStatement:
        part, rows = proved.part, tuple(proved.statement.rows)
        ref = part.ref or None
        account = None
        if ref:
            name = ref if ref == quote(part.heading) else name_account(ref, kind=part.kind)
            account = StatementAccount(ref, name, part.kind)
        made = AccountStatement(account=account, rows=[replace(row, account=ref) for row in rows])
        currencies = {row.currency for row in rows}
        currency = currencies.pop() if len(currencies) == 1 else None
        if account is not None:
            made.account = replace(account, currency=currency if is_settled(currency) else None)
        if proved.proof.opening is not None and proved.proof.closing is not None:
            days = self._days(part, rows)
            if days is not None:
                start, end = days
                made.opening = StatementBalance(
                    start, proved.proof.opening, opening=True, account=ref, currency=currency
                )
                made.closing = StatementBalance(end, proved.proof.closing, account=ref, currency=currency)
        return made

    def _days(self, part: Part, rows: Sequence[StatementRow]) -> tuple[date, date] | None:
        """Return the days before which and after which the balances stand: of the period, else of the rows.

        None where rows are of another time than the statement, as a card's purchases are that were booked late: by their
        days they don't lead from one of its balances to the next.
        """
        first, last = min(row.booked_on for row in rows), max(row.booked_on for row in rows)
        about = self._about(part)
        if (period := period_of(about, first, last)) is not None:
            return period.start, period.end
        return None if names_period(about) else (first, last)


def _either_way(table: PartTable, *, by_side: bool, owed: bool) -> list[_Proved]:
    """Return the proved ways to read a part as its signs stand, and as they are turned; one of each that differ."""
    both = (_turned(table.read(way, by_side=by_side, owed=owed)) for way in Told)
    proved = (found for read in both if (found := _proved(table, read, owed=owed)) is not None)
    return list({tuple(row.amount for row in each.statement.rows): each for each in proved}.values())


def _proved(table: PartTable, read: Statement | AmbiguousDirection | None, *, owed: bool) -> _Proved | None:
    """Return a part with its proof if it was read, and is proved so."""
    if read is None or isinstance(read, AmbiguousDirection):
        return None
    amounts = [row.amount for row in read.rows]
    spent, received = sum(amount < 0 for amount in amounts), sum(amount > 0 for amount in amounts)
    if table.part.kind is AccountType.CREDIT_CARD and received > spent and len(amounts) > _FEW_ROWS:
        return None  # the words of a card stand on other statements too, and turned signs would be proved as well
    proof = prove(amounts, table.balances(owed=owed), table.part.claims, owed=owed)
    return None if proof is None else _Proved(table.part, read, proof)


def _turned(read: Statement | AmbiguousDirection | None) -> Statement | AmbiguousDirection | None:
    """Return a statement whose signs were tried, and are no word of the person's."""
    if read is None or isinstance(read, AmbiguousDirection) or read.direction is None:
        return read
    return replace(read, direction=Decision(read.direction.reading, _BY_PROOF))


def _called(stated: Sequence[Stated], balance: Decimal | None, labels: Collection[Label]) -> list[Stated]:
    """Return those of some balances that are of a certain amount and have one of these names."""
    return [each for each in stated if each.label in labels and abs(each.value) == abs(balance or 0)]


def _is_owed(part: Part) -> bool:
    """Whether a card's balances are what is owed: one of them stands there without any mark."""
    return any(each.value > 0 and not each.side for each in (*part.claims.openings, *part.claims.closings))


def _tell_apart(proved: Sequence[_Proved]) -> None:
    """See to it that each account has a reference of its own: its number, else how the statement calls it.

    Raises UnreadableFile if neither says which rows are of which.
    """
    if _are_apart(proved):
        return
    for each in proved:
        each.part.ref = quote(each.part.heading)
    if not all(each.part.ref for each in proved) or not _are_apart(proved):
        raise UnreadableFile(NO_ACCOUNTS)


def _are_apart(proved: Sequence[_Proved]) -> bool:
    """Whether all parts with one reference follow from each other, as the months of an account do."""
    refs = dict.fromkeys(each.part.ref for each in proved)
    if "" in refs and len(refs) > 1:
        return False
    for ref in refs:
        ends = [(each.proof.opening, each.proof.closing) for each in proved if each.part.ref == ref]
        rising = all(a[1] == b[0] is not None for a, b in pairwise(ends))
        falling = all(b[1] == a[0] is not None for a, b in pairwise(ends))
        if not (rising or falling):
            return False
    return True


def _loose(line: Line) -> str:
    return (
        f"On page {line.page} of this PDF is something like a transaction outside of the tables that I can read, so I can't be "
        f"sure to have all of it. {FROM_BANK}"
    )


def names_statement(name: str) -> bool:
    """Tell by its name whether a PDF is a statement of an account, rather than one of all that people keep as PDF."""
    return _NAMED.search(fold(name)) is not None


def _sniff(head: bytes, _name: str) -> bool:
    return b"%PDF-" in head[:1024]


PDF = Importer("PDF", frozenset({"pdf"}), _sniff, read_pdf)
