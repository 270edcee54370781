"""The records of a QIF file: one field a line, told by the first character, and ``^`` at the end of each record."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.importers.table.cells import LONGEST_LINE
from ledger.importers.table.phrases import is_balance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ACCOUNT = "account"
#: Sections of transactions, by the words of their headers without blanks.
MONEY = frozenset({"bank", "ccard", "cash", "otha", "othl"})
INVESTMENTS = frozenset({"invst", "port", "mutual", "401(k)/403(b)"})
#: Sections that list something else, of which nobody misses anything.
LISTS = frozenset(
    """account cat class memorized security prices budget tag payee template invitem tax ships taxschedule
    securitytype memorizedpayee invgoal goal""".split()
)

BRACKETED = re.compile(r"\[(.*?)\]")
_HEADER = re.compile(r"!\s*(type|account|option|clear)\b\s*:?\s*(.*)", re.IGNORECASE)
_OF_PARTS = frozenset("SE$%")
_MOST_PARTS = 1000


@dataclass(slots=True)
class Record:
    """The fields of one record by their letters, the parts of a split, and where it stands.

    ``section`` is the word of the header above it, ``account`` the name of the account before that, ``number`` its line.
    """

    number: int
    section: str
    account: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    parts: list[dict[str, str]] = field(default_factory=list)
    closed: bool = True
    longest: int = 0
    """How long its longest field is."""

    def take(self, line: str) -> None:
        """Take in one line."""
        self.longest = max(self.longest, len(line))
        letter, value = line[0], line[1 : LONGEST_LINE + 1].strip()
        if letter in _OF_PARTS:
            self._take_part(letter, value)
        elif letter == "M" and self.fields.get("M"):
            if len(self.fields["M"]) <= LONGEST_LINE:
                self.fields["M"] += f" {value}"
            self.longest = max(self.longest, len(self.fields["M"]))
        else:
            self.fields.setdefault(letter, value)

    def _take_part(self, letter: str, value: str) -> None:
        """Take in a line of a split; one part too many stays without an amount, so that none of them counts."""
        if len(self.parts) > _MOST_PARTS:
            return
        if letter == "S":
            self.parts.append({"S": value})
        elif self.parts:
            self.parts[-1].setdefault(letter, value)


class _Accounts:
    """Which account records are in: the last one that was named, unless that was in a list, else one that was opened."""

    def __init__(self) -> None:
        self.current: str | None = None
        self.opened: str | None = None
        self._listed = 0

    def learn(self, record: Record) -> None:
        """Take note of a record that defines an account, or of the opening balance of one, which is filed under it."""
        if record.section == ACCOUNT:
            self.current = record.fields.get("N") or self.current
            self._listed += 1
        elif record.section in MONEY and self.current is None and self.opened is None:
            named = BRACKETED.match(record.fields.get("L", ""))
            if named and is_balance(record.fields.get("P", "")):
                self.opened = named[1].strip() or None

    def begin_list(self) -> None:
        """Begin a list of all accounts, or the account of the next section: only its length tells them apart."""
        self._listed = 0

    def end_list(self) -> None:
        """Forget the last account of a list of several."""
        if self._listed > 1:
            self.current = None


def read_records(lines: Iterable[str]) -> Iterator[Record]:
    """Yield all records but empty ones, those that define accounts and the entries of lists among them."""
    accounts = _Accounts()
    section, record = "", None
    ended = True
    number = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        ended = line.endswith("\n")
        header = _HEADER.fullmatch(text) if text.startswith("!") else None
        if header is None and not text.startswith("^"):
            if text:
                record = record or Record(number, section)
                record.take(text)
            continue
        if record is not None:
            accounts.learn(record)
            record.account = accounts.current or accounts.opened
            yield record
            record = None
        if header is not None:
            section = _read_header(header, section, accounts)
    if record is not None:
        accounts.learn(record)
        record.account = accounts.current or accounts.opened
        record.closed = ended  # without an end of line, the last field may be half of what it was
        yield record


def _read_header(header: re.Match[str], section: str, accounts: _Accounts) -> str:
    """Return the section that a header begins."""
    word, value = header[1].casefold(), "".join(header[2].split()).casefold()
    if word == "account":
        return ACCOUNT
    if word == "type":
        accounts.opened = None
        return value
    if value == "autoswitch":
        if word == "option":
            accounts.begin_list()
        else:
            accounts.end_list()
    return section
