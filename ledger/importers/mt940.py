"""MT940 and MT942, in the many ways in which banks write them: with SWIFT's blocks or without, wrapped, abridged."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from language.catalogue import say
from ledger.errors import UnreadableFile
from ledger.importers.account_statements import AccountStatement, name_account, put_together
from ledger.importers.amounts import read_amount
from ledger.importers.decoding import decoded_lines, find_encoding
from ledger.importers.importer import Importer
from ledger.importers.movement_codes import REVERSAL, best_type, word_of
from ledger.importers.mt940_details import Details, read_details, read_multicash
from ledger.importers.recognition import as_ascii
from ledger.importers.remittance import memo_of, one_spaced, stated
from ledger.importers.table.signs import not_a_number, quote
from ledger.transactions import RejectedRow, StatementAccount, StatementBalance, StatementRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

    from ledger.importers.importer import Hints
    from ledger.transactions import Statement

_TAG = re.compile(r"\s*:(13[CD]?|20|21|25P?|28C?|34F|60[FM]?|61|62[FM]?|64|65|86|90[CD]|940|942|NS):(.*)")
#: With which a message begins, a label or its reference, and what stands in it once.
_LABELS, _ACCOUNT = frozenset({"940", "942"}), frozenset({"25", "25P"})
_FIRST = _LABELS | {"20"}
_BLOCK = re.compile(r"\{4:\s*")
_END = re.compile(r"\s*-(?:\}.*|[\x00-\x20X]*)")
_LINE = re.compile(
    r"(?P<value>\d{6}) ?(?P<entry>\d{4})?"
    r" ?(?P<mark>RC|RD|EC|ED|C|D)(?P<funds>[A-Z])?"
    r" ?(?P<amount>\d[\d.,]*)"
    r"(?P<type>[NSFnsf][A-Z0-9 ]{3})?(?P<rest>.*)"
)
_BALANCE = re.compile(r"(?P<mark>[CD])(?P<day>\d{6})(?P<currency>[A-Z]{3})(?P<amount>\d[\d.,]*)")
_CURRENCY = re.compile(r"\d*([A-Z]{3})[CD]?\d")
_OWN_CURRENCY = re.compile(r"(?<=\d)[A-Z]{3}$")
_GERMAN_ACCOUNT = re.compile(r"(\d{8})/(\d{1,10})")
_GERMAN_IBAN = re.compile(r"DE\d{20}")
_SIDES = {"C": 1, "RD": 1, "D": -1, "RC": -1}
_GROUPED = re.compile(r"[^,]*\.\d{3}")
#: A gap in the customer's reference: Dutch banks write the name behind it.
_NAME_BEHIND = re.compile(r"(\S*)\s{2,}(\S.*)")
_FEBRUARY = 2


class _Field(NamedTuple):
    """A tag and its lines."""

    tag: str
    lines: list[str]


class _Entry:
    """A line of a statement, with what follows it up to the next one."""

    def __init__(self, number: int, lines: list[str]) -> None:
        self.number = number
        self.lines = lines
        self.details: list[str] = []
        self.multicash: list[str] = []


def read_mt940(data: bytes, hints: Hints) -> Statement:
    """Read an MT940 or MT942 file: lines that can't be read are rejected, the others kept."""
    statements: list[AccountStatement] = []
    unclosed = 0
    count = 0
    for fields in _messages(_fields(decoded_lines(data, find_encoding(data)))):
        if {tag for tag, _ in fields} <= _FIRST | {"21"}:
            continue
        statement, entries = _statement(fields, hints, count)
        count += entries
        statements.append(statement)
        unclosed += statement.opening is not None and statement.closing is None
    if not statements:
        raise UnreadableFile("This MT940 file breaks off before its first statement.")
    return put_together("mt940", statements, hints, _said(unclosed))


def _said(unclosed: int) -> list[str]:
    if not unclosed:
        return []
    one = "A statement in this file has no closing balance, so rows at the end may be missing."
    several = "{count} statements in this file have no closing balance, so rows at the end may be missing."
    return [say(one if unclosed == 1 else several, count=str(unclosed))]


def _fields(lines: Iterable[str]) -> Iterator[_Field]:
    """Yield the fields of all messages; what stands between two messages is of none."""
    field: _Field | None = None
    for line in lines:
        text = line.rstrip("\r\n")
        if text.startswith("{") and (block := _BLOCK.search(text)):
            text = text[block.end() :]
        if tag := _TAG.match(text):
            if field:
                yield field
            field = _Field(tag[1], [tag[2]])
        elif _END.fullmatch(text):
            if field:
                yield field
            field = None
        elif field:
            field.lines.append(text)
    if field:
        yield field


def _messages(fields: Iterable[_Field]) -> Iterator[list[_Field]]:
    """Yield the fields of one message after the other; each begins with its reference, some only with the account."""
    message: list[_Field] = []
    seen: set[str] = set()
    for field in fields:
        if (field.tag in _FIRST and not seen <= _LABELS) or field.tag in _ACCOUNT & seen:
            yield message
            message, seen = [], set()
        message.append(field)
        seen.add(field.tag)
    if message:
        yield message


def _statement(fields: list[_Field], hints: Hints, count: int) -> tuple[AccountStatement, int]:
    """Read one message; ``count`` entries came before it."""
    statement = AccountStatement()
    said: dict[str, str] = {}
    entries: list[_Entry] = []
    for tag, lines in fields:
        if tag == "61":
            entries.append(_Entry(count + len(entries) + 1, lines))
        elif tag == "86" and entries and not said.keys() & {"62F", "62M", "62", "90D", "90C"}:
            entries[-1].details += lines
        elif tag == "NS" and entries:
            entries[-1].multicash += lines
        else:
            said.setdefault(tag, lines[0].strip())
    stated_at = _first_of(said, ("25", "25P"))
    currency = _stated_currency(said, stated_at)
    ref = _reference(stated_at)
    if ref:
        statement.account = StatementAccount(ref, name_account(ref), None, currency)
    statement.number = _first_of(said, ("28C", "28"))
    statement.opening = _balance(_first_of(said, ("60F", "60M", "60")), ref, opening=True)
    statement.closing = _balance(_first_of(said, ("62F", "62M", "62")), ref)
    statement.page_starts, statement.page_ends = "60M" in said, "62M" in said
    german = ref is not None and _GERMAN_IBAN.fullmatch(ref) is not None
    for entry in entries:
        statement.add(_row(entry, ref, currency or hints.currency, is_german=german))
    return statement, len(entries)


def _first_of(said: dict[str, str], tags: tuple[str, ...]) -> str:
    return next((said[tag] for tag in tags if tag in said), "")


def _balance(text: str, account: str | None, *, opening: bool = False) -> StatementBalance | None:
    match = _BALANCE.match(text)
    if match is None:
        return None
    amount, on = _amount(match["amount"]), _date(match["day"])
    if amount is None or on is None:
        return None
    return StatementBalance(on, amount if match["mark"] == "C" else -amount, opening, account, match["currency"])


def _stated_currency(said: dict[str, str], account: str) -> str | None:
    """Return the currency of a statement: that of its balances, else of its sums or limits, else at the account."""
    for tag in ("60F", "60M", "60", "62F", "62M", "62", "64"):
        if match := _BALANCE.match(said.get(tag, "")):
            return match["currency"]
    for tag in ("90D", "90C", "34F"):
        if match := _CURRENCY.match(said.get(tag, "")):
            return match[1]
    suffix = _OWN_CURRENCY.search(account)
    return suffix[0] if suffix and len(account) <= 35 and not account[:2].isalpha() else None


def _reference(account: str) -> str | None:
    """Return the number of an account, a German one as the IBAN that its two parts make."""
    bare = account if account[:2].isalpha() else _OWN_CURRENCY.sub("", account)
    bare = bare.replace(" ", "").lstrip("/")
    if match := _GERMAN_ACCOUNT.fullmatch(bare):
        number = f"{match[1]}{match[2]:0>10}"
        return f"DE{98 - int(f'{number}131400') % 97:02}{number}"
    return bare or None


def _row(entry: _Entry, account: str | None, currency: str | None, *, is_german: bool) -> StatementRow | RejectedRow:
    line = entry.lines[0].strip()
    match = _LINE.match(line)
    if match is None:
        return RejectedRow(entry.number, say("the line “{line}” is not one that I can read", line=quote(line)))
    side = _SIDES.get(match["mark"])
    if side is None:
        return RejectedRow(entry.number, "the payment is expected, so it is not booked")
    amount = _amount(match["amount"])
    if amount is None:
        return RejectedRow(entry.number, not_a_number(match["amount"]))
    on = _booked_on(match["value"], match["entry"])
    if on is None:
        return RejectedRow(entry.number, say("the date “{date}” is not one that I can read", date=match["value"]))
    details = read_details(entry.details) if entry.details else read_multicash(entry.multicash)
    reference, name = _reference_and_name(match["rest"])
    further = one_spaced(" ".join(entry.lines[1:]))
    kind = _type(match, details, is_german=is_german)
    payee = _payee(details, kind, money_in=side > 0) or name
    description = payee or details.memo or further or reference or kind or ""
    return StatementRow(
        number=entry.number,
        booked_on=on,
        amount=amount * side,
        description=description,
        payee=payee,
        memo=memo_of([details.memo, further if _says_something(further) else ""], description),
        currency=currency,
        account=account,
        type_hint=kind,
    )


def _payee(details: Details, kind: str | None, *, money_in: bool) -> str:
    """Return the other side, and before it whom it collects or pays for; who collects by direct debit is the payer there."""
    collected = details.other_payer if kind == "direct debit" else ""
    behind = details.other_payer if money_in else details.other_payee or collected
    return behind or details.payee


def _says_something(text: str) -> bool:
    """Tell whether a text has a word, and not only numbers of accounts and machines."""
    return any(len(word) > 2 and word.isalpha() for word in text.split())


def _reference_and_name(rest: str) -> tuple[str, str]:
    """Return the customer's reference, and the name that some banks write behind it."""
    own = rest.partition("//")[0].rstrip()
    if match := _NAME_BEHIND.fullmatch(own):
        return stated(match[1]), stated(match[2])
    return stated(own), ""


def _type(match: re.Match[str], details: Details, *, is_german: bool) -> str | None:
    said = [REVERSAL] if match["mark"] in {"RC", "RD"} else []
    if is_german and details.code:
        said.append(word_of("gvc", details.code))
    code = (match["type"] or "")[1:].upper()
    return best_type([*said, *details.kinds, word_of("swift", code)])


def _amount(text: str) -> Decimal | None:
    """Read an amount, whose decimal mark is a comma; a point alone is one only where it can't group thousands."""
    if _GROUPED.fullmatch(text):
        return None
    amount = read_amount(text.rstrip(","), "," if "," in text else ".")
    return amount.value if amount else None


def _date(text: str) -> date | None:
    """Read a date of six digits; banks that count thirty days for every month mean the last one of February."""
    year, month, day = int(text[:2]), int(text[2:4]), int(text[4:])
    year += 2000 if year < 80 else 1900
    if month == _FEBRUARY and day in {29, 30}:
        day = min(day, 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28)
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _booked_on(value: str, entry: str | None) -> date | None:
    """Return the day of booking, which has no year and is near the value date; else the value date."""
    near = _date(value)
    if entry is None:
        return near
    around = near or _date(f"{value[:4]}01")
    if around is None:
        return None
    years = (around.year - 1, around.year, around.year + 1)
    days = [found for year in years if (found := _date(f"{year % 100:02}{entry}"))]
    return min(days, key=lambda day: abs(day - around), default=near)


def _sniff(head: bytes, name: str) -> bool:
    """Tell MT940 by its fields, at the start of lines; fewer will do under one of its file names."""
    lines = as_ascii(head[:8192]).decode("latin-1").splitlines()
    tags = [field.tag for field in _fields(lines)]
    named = name.lower().endswith((".sta", ".mt940", ".mt942", ".940", ".942", ".swi"))
    return (len(set(tags)) > 1 and tags[0] in {"20", "25", "25P", "940", "942"}) or bool(named and tags)


MT940 = Importer("MT940", frozenset({"mt940", "mt942", "sta", "swift"}), _sniff, read_mt940)
