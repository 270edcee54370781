"""What is said about files and imports, the same at the console and on every platform."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from ledger.money import Money, to_minor
from tools.wording import day_range, money, number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.batches import Batch
    from ledger.statement_writer import FileReport

_MOST_NAMES = 3
#: Control characters, marks that turn the direction of a text, halves of surrogate pairs, ends of lines: unseen or worse.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def counted(count: int, noun: str, locale: str) -> str:
    """Return a number of things: ``1 transaction``, ``1,204 transactions``."""
    return f"{number(count, locale)} {noun}{'' if count == 1 else 's'}"


def outcome_of(file: FileReport, locale: str, *, dry_run: bool) -> str:
    """Say what becomes of a file's rows: ``17 transactions, 14 new, 3 known already, 2 left out``."""
    parts = [counted(file.found, "transaction", locale)]
    parts.append(f"{number(file.added, locale)} {'new' if dry_run else 'added'}")
    parts += [f"{number(file.duplicates, locale)} known already"] if file.duplicates else []
    parts += [f"{number(len(file.rejected), locale)} left out"] if file.rejected else []
    return ", ".join(parts)


def origin_of(file: FileReport) -> str:
    """Say how a file was read and where its transactions belong."""
    return f"{file.format} · {on_one_line(file.account)}"


def span_of(file: FileReport, locale: str) -> str:
    """Say which days and sums a file's transactions come to; nothing where it has none."""
    sums = [Money(to_minor(amount, code), code) for code, amount in sorted(file.sums.items())]
    return _span(file.first, file.last, sums, locale)


def describe_batch(batch: Batch, locale: str) -> str:
    """Say which files an import was of, and which days and sums it came to."""
    return " · ".join(part for part in (names(batch.files), _span(batch.first, batch.last, batch.sums, locale)) if part)


def names(files: Sequence[str]) -> str:
    """Return the names of files in a row, of many the first few and how many more."""
    shown = ", ".join(on_one_line(name) for name in files[:_MOST_NAMES])
    return shown if len(files) <= _MOST_NAMES else f"{shown} and {len(files) - _MOST_NAMES} more"


def on_one_line(text: str, longest: int = 80) -> str:
    """Return a text from outside as it can be shown: without what nobody sees, on one line, cut where it is long."""
    seen = "".join(" " if char.isspace() or unicodedata.category(char) in _UNSEEN else char for char in text)
    line = " ".join(seen.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _span(first: date | None, last: date | None, sums: Sequence[Money], locale: str) -> str:
    if first is None or last is None:
        return ""
    return f"{day_range(first, last, locale)} · sum {', '.join(money(each, locale) for each in sums)}"
