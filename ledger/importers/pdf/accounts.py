"""The accounts of a statement: which rows are of which, and what is stated of each."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.importers.currencies import is_iban
from ledger.importers.dates import Order, read_date
from ledger.importers.pdf.labels import Label, card_words, is_savings, pattern_of
from ledger.importers.pdf.proof import Claims
from ledger.importers.pdf.rows import Row
from ledger.importers.pdf.stated import of_boxes, of_tables
from ledger.importers.table.vocabulary import fold
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.pdf.lines import Line
    from ledger.importers.pdf.rows import Found, Region
    from ledger.importers.pdf.stated import Stated

#: So many different things that only cards' statements say make one; a word on its own may be an advert's.
_CARD_WORDS = 2
#: What names an account by its kind.
_HEADING = pattern_of(
    r"\b(?:checking|chequing|savings?|saver|current account|girokonto|privatkonto|sparkonto|tagesgeld|compte|livret|"
    r"cuenta|conto|rekening|lonekonto|brukskonto|sparekonto|money market)\b"
)
#: Above a table, so many lines may name the account that it is of.
_NAMING, _LONGEST_NAME = 12, 75
#: How account numbers are written: with the name of what they are, as an IBAN, or with all but the last digits masked.
_LABELLED = re.compile(
    r"\b(?:account|acct|a/c|card|konto|kontonummer|kontonr|kontonummer|karte|kartennummer|kreditkarte|compte|carte|cuenta|"
    r"tarjeta|conto|conta|rekening|rekeningnummer|kontonummer)\.?"
    r"(?: ?(?:number|no|nr|num|id|n°|nummer|#))*\.?(?: ?ending(?: in| with)?| endend auf)?\s?[:#]?\s?"
    r"([0-9Xx*•](?:[0-9Xx*•]|[ .-](?=[0-9Xx*•])){2,34})(?![0-9/.,])",
    re.IGNORECASE,
)
_IBAN = re.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b")
_MASKED = re.compile(r"(?<!\w)(?:[0-9]{4,6}[ -]?)?[*xX•]{2,}[ *xX•-]*[0-9]{3,4}\b")
_LEAST_DIGITS, _SHORTEST_IBAN, _LONGEST_LINE = 4, 15, 300
_WORDS = (Label.FORWARD, Label.BALANCE)


@dataclass(slots=True)
class Part:
    """The rows of one account in one statement: the lines from the end of the part before to the end of its own rows."""

    rows: list[Row] = field(default_factory=list)
    claims: Claims = field(default_factory=Claims)
    lines: list[Line] = field(default_factory=list)
    """What stands above and between its rows."""
    ref: str = ""
    kind: AccountType | None = None
    heading: str = ""
    """How the statement calls the account, above its table."""

    @property
    def first(self) -> int:
        """The number of the line of its first row."""
        return self.rows[0].number

    @property
    def last(self) -> int:
        """The number of the last line of its rows."""
        return self.rows[-1].lines[-1].number


def find_parts(
    lines: Sequence[Line], regions: Sequence[Region], found: Found, mark: DecimalMark, *, apart: bool = True
) -> list[Part]:
    """Return the parts of a document, each with what is stated of it; numbers above tables are of accounts if ``apart``.

    Else they are of several cards of one account.
    """
    stated = sorted(
        [
            *of_tables((item for item in found.items if not isinstance(item, Row)), mark),
            *of_boxes(lines, found.used, mark),
        ],
        key=lambda each: each.line,
    )
    rows = sorted(found.rows, key=lambda row: row.number)
    changes = _account_changes(lines, regions, found)
    parts = list(_divide(rows, stated, changes if apart else {0: next(iter(changes.values()), "")}))
    ends = [part.last for part in parts]
    starts = [part.first for part in parts]
    for place, part in enumerate(parts):
        after = ends[place - 1] if place else -1
        until = starts[place + 1] if place + 1 < len(parts) else len(lines)
        part.lines = [line for line in lines[after + 1 : until] if line.number not in found.used]
        part.claims = _claims(part, [each for each in stated if after < each.line < until or each.line < starts[0]])
        part.kind = _kind(part, lines)
        part.heading = _heading(part)
    return parts


def _heading(part: Part) -> str:
    """Return the nearest line above a part's rows that names an account by its kind; empty if none does."""
    above = [line for line in part.lines if line.number < part.first and len(line.text) < _LONGEST_NAME]
    named = (line.text for line in reversed(above[-_NAMING:]) if _HEADING.search(fold(line.text)))
    return next(named, "")


def _divide(rows: Sequence[Row], stated: Sequence[Stated], changes: dict[int, str]) -> Iterator[Part]:
    """Yield parts: a new one begins where another account is named, or another balance to begin with is stated."""
    part, ref, number = Part(), "", -1
    places = [each.line for each in stated]
    for row in rows:
        ref = next((changes[each] for each in range(row.number, number, -1) if each in changes), ref)
        between = stated[bisect_right(places, part.last) : bisect_left(places, row.number)] if part.rows else ()
        if part.rows and (ref != part.ref or _begins_anew(stated[: bisect_left(places, part.first)], between)):
            yield part
            part = Part()
        part.ref, number = ref, row.number
        part.rows.append(row)
    if part.rows:
        yield part


def _begins_anew(before: Sequence[Stated], between: Sequence[Stated]) -> bool:
    """Whether between two rows a statement begins again: a first balance is stated that is not the last one carried on."""
    known = {abs(each.value) for each in before if each.label is Label.OPENING}
    if any(each.label is Label.OPENING and abs(each.value) not in known for each in between):
        return True
    carried = [each for each in between if each.label in {*_WORDS, Label.CLOSING}]
    if len(carried) < 2 or carried[-1].label is Label.CLOSING:
        return False
    return abs(carried[-1].value) != abs(carried[-2].value)


def _account_changes(lines: Sequence[Line], regions: Sequence[Region], found: Found) -> dict[int, str]:
    """Return the accounts that are named above tables, by the line of the table's header, wherever they change.

    The only one is that of all tables, wherever it is named.
    """
    changes: dict[int, str] = {}
    current, after = "", 0
    for region in regions:
        start = lines[max(region.header.first, 0)].number
        above = [line for line in lines[after:start] if line.number not in found.used]
        refs = [ref for line in above if (ref := account_in(line))]
        if not refs and not changes:
            refs = [ref for line in above if (ref := account_in(line, masked=True))]
        if refs and not any(_is_same(current, ref) for ref in refs):
            several = len({ref for ref in refs if not _is_same(refs[0], ref)}) > 0
            current = refs[-1] if several else refs[0]
            changes[start] = current
        used = [line.number for line in region.lines if line.number in found.used]
        after = max([start, *used]) + 1
    return {0: next(iter(changes.values()))} if len(changes) == 1 else changes


def _is_same(one: str, other: str) -> bool:
    """Whether two numbers may be of one account: some lines have all of an IBAN, others the last part of it."""
    first, second = ("".join(filter(str.isdigit, each)).lstrip("0") for each in (one, other))
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) >= _LEAST_DIGITS and longer.endswith(shorter)


def account_in(line: Line, *, masked: bool = False) -> str:
    """Return the number of an account that a line names as such; empty if it names none.

    One of which only the last digits are shown is taken if ``masked`` says so: rows have such numbers of cards too.
    """
    text = line.text[:_LONGEST_LINE]
    for match in _IBAN.finditer(text):
        for end in range(len(match[0]), _SHORTEST_IBAN - 1, -1):
            number = match[0][:end].replace(" ", "")
            if is_iban(number) and _checks(number):
                return number
    labelled = _LABELLED.search(text)
    if labelled is not None and sum(map(str.isdigit, labelled[1])) >= _LEAST_DIGITS:
        return labelled[1].strip(" .-")
    hidden = _MASKED.search(text) if masked else None
    return hidden[0].strip() if hidden else ""


def _checks(iban: str) -> bool:
    """Whether the check digits of an IBAN are right (ISO 13616)."""
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def _claims(part: Part, stated: Sequence[Stated]) -> Claims:
    """Sort what is stated around the rows of a part."""
    claims = Claims()
    for each in stated:
        if each.label in {Label.TOTAL_IN, Label.TOTAL_OUT}:
            claims.totals.append(each)
        elif each.label is Label.OPENING:
            claims.openings.append(each)
        elif each.label is Label.CLOSING:
            claims.closings.append(each)
    outside = [each for each in stated if each.label in _WORDS and not part.first < each.line < part.last]
    days = {each: day for each in outside if (day := _day(each)) is not None}
    if len(set(days.values())) > 1:
        first, last = min(days.values()), max(days.values())
        claims.openings += [each for each, day in days.items() if day == first]
        claims.closings += [each for each, day in days.items() if day == last]
    else:
        claims.openings += [each for each in outside if each.line < part.first]
        claims.closings += [each for each in outside if each.line > part.last]
    return claims


def _day(stated: Stated) -> date | None:
    """Return the day of a balance that has no other name; None if it may be two."""
    found = {read_date(stated.day, order) for order in (Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR)} - {None}
    return found.pop() if len(found) == 1 else None


def _kind(part: Part, lines: Sequence[Line]) -> AccountType | None:
    """Return what kind of account a part is of, as far as its statement says."""
    above = [line for line in part.lines if line.number < part.first]
    boxes = (line.text for line in lines if len(line.text) < _LONGEST_NAME)  # an advert for a card is a longer sentence
    if card_words(boxes) >= _CARD_WORDS and not _is_bank_account(part.ref):
        return AccountType.CREDIT_CARD
    if any(len(line.text) < _LONGEST_NAME and is_savings(line.text) for line in above[-_NAMING:]):
        return AccountType.SAVINGS
    return None


def _is_bank_account(ref: str) -> bool:
    return is_iban(ref)


def says_account(lines: Iterable[Line]) -> bool:
    """Whether a document says that it is of an account with a bank, and nothing of cards: its balance is what one has."""
    said = [fold(line.text) for line in lines]
    return any(map(_ACCOUNT.search, said)) and not any(map(_CARDS.search, said))


_CARDS = pattern_of(
    r"\b(?:(?:credit|charge|prepaid) ?cards?|card (?:number|no|account|ending)|kreditkarten?\w*|kartennummer|kartenkonto|"
    r"numero de (?:carte|tarjeta)|visa|mastercard|master card|american express|amex|diners|minimum payment|credit limit)\b"
)
_ACCOUNT = pattern_of(
    r"\b(?:iban|sort code|routing number|checking|chequing|current account|savings|girokonto|konto|compte|bsb|ifsc|"
    r"transaction account|everyday account|overdraft|overdrawn|lonekonto|brukskonto|cuenta|conto|rekening)\b"
)
