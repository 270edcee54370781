"""The three ledgers, read from the banks' files with plain csv and Decimal, and what each row truly is (``labels.csv``)."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

from evals.figures import KINDS, Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = Path(__file__).parent / "ledgers"
NAMES = ("american", "british", "german")
LABELS = "labels.csv"
#: What the person says beside the files: three columns of a British bank name no currency.
IMPORT_OPTIONS = {"british": ("--currency", "GBP")}
_CURRENCIES = {"american": "USD", "british": "GBP", "german": "EUR"}
_ENCODINGS = {"german": "latin-1"}
_DELIMITERS = {"german": ";"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a bank file: ``amount`` is negative for money out; ``category`` is empty where the file has none."""

    day: date
    description: str
    amount: Decimal
    account: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One transaction with what it truly is."""

    day: date
    description: str
    amount: Decimal
    currency: str
    account: str
    merchant: str
    category: str
    kind: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All transactions of one person."""

    name: str
    currency: str
    rows: tuple[Row, ...]

    @property
    def first(self) -> date:
        """The day of the first transaction."""
        return min(row.day for row in self.rows)

    @property
    def last(self) -> date:
        """The day of the last transaction."""
        return max(row.day for row in self.rows)


def bank_files(name: str, folder: Path = FOLDER) -> list[Path]:
    """Return the files that the person imports, in the order of their names."""
    return sorted(path for path in (folder / name).glob("*.csv") if path.name != LABELS)


def files_checksum(name: str, folder: Path = FOLDER) -> str:
    """Return what the bytes of the bank files are known by."""
    digest = hashlib.sha256()
    for path in bank_files(name, folder):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def read_ledger(name: str, folder: Path = FOLDER) -> Ledger:
    """Read a ledger's files and labels; raises Malformed with file and line."""
    labels = _labels(folder / name / LABELS)
    rows = []
    for path in bank_files(name, folder):
        for number, record in _records(path, name):
            where = f"{name}/{path.name}:{number}"
            try:
                entry = _entry(record, path)
            except (KeyError, ValueError, InvalidOperation) as error:
                raise Malformed(f"{where}: {type(error).__name__} {error}") from error
            label = _label(labels, path.name, entry)
            if label is None:
                raise Malformed(f"{where}: {LABELS} does not know {entry.description!r}")
            merchant, category, kind = label
            category = entry.category or category
            rows.append(
                Row(
                    entry.day,
                    entry.description,
                    entry.amount,
                    _CURRENCIES[name],
                    entry.account,
                    merchant,
                    category,
                    kind,
                )
            )
    if not rows:
        raise Malformed(f"{name}: there is no transaction")
    return Ledger(name, _CURRENCIES[name], tuple(rows))


def _records(path: Path, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield a file's records by its heading, with their line numbers."""
    with path.open(encoding=_ENCODINGS.get(name, "utf-8-sig"), newline="") as file:
        reader = csv.DictReader(file, delimiter=_DELIMITERS.get(name, ","))
        for record in reader:
            yield reader.line_num, record


def _entry(record: Mapping[str, str], path: Path) -> Entry:
    """Read one record in the way of the bank whose heading it has."""
    if "Transaction Type" in record:
        sign = {"debit": -1, "credit": 1}[record["Transaction Type"]]
        return Entry(
            datetime.strptime(record["Date"], "%m/%d/%Y").date(),  # noqa: DTZ007 - a day, without a time
            record["Description"],
            sign * Decimal(record["Amount"]),
            record["Account Name"],
            record["Category"],
        )
    if "Buchungstag" in record:
        payee, purpose = record["Begünstigter/Zahlungspflichtiger"], record["Verwendungszweck"]
        return Entry(
            datetime.strptime(record["Buchungstag"], "%d.%m.%Y").date(),  # noqa: DTZ007
            f"{payee} {purpose}".strip(),
            Decimal(record["Betrag"].replace(".", "").replace(",", ".")),
            record["Auftragskonto"],
        )
    return Entry(
        datetime.strptime(record["Date"], "%d/%m/%Y").date(),  # noqa: DTZ007
        record["Description"],
        Decimal(record["Amount"].replace(",", "")),
        path.stem.replace("-", " ").capitalize(),
    )


def _labels(path: Path) -> dict[tuple[str, str, str], tuple[str, str, str]]:
    """Read merchant, category and kind by file, description and sign, where an empty sign is for both."""
    labels: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        for record in reader:
            where = f"{path.parent.name}/{path.name}:{reader.line_num}"
            if record["kind"] not in KINDS or record["sign"] not in ("-", "+", ""):
                raise Malformed(f"{where}: sign {record['sign']!r}, kind {record['kind']!r}")
            key = record["file"], record["description"].strip(), record["sign"]
            if key in labels:
                raise Malformed(f"{where}: {key[1]!r} is there twice")
            labels[key] = record["merchant"], record["category"], record["kind"]
    return labels


def _label(
    labels: Mapping[tuple[str, str, str], tuple[str, str, str]], file: str, entry: Entry
) -> tuple[str, str, str] | None:
    sign = "-" if entry.amount < 0 else "+"
    description = entry.description.strip()
    return labels.get((file, description, sign)) or labels.get((file, description, ""))
