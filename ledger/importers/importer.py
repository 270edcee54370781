"""What every importer is: a name, a test whether a file is its kind, and a reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.direction import Reading, Told
    from ledger.importers.table.stated import StatedLayout
    from ledger.transactions import Statement


@dataclass(frozen=True, slots=True)
class Hints:
    """What the person says about a file; the file's own word on account and currency comes first.

    ``format`` is an importer's name. ``account`` names the account of rows that name none, and the only account of a
    file that has no more than one. ``currency`` is an ISO 4217 code for rows that state none. ``day_first`` says how
    03/04/2026 is to be read where the file leaves it open, ``direction`` what most of its rows are; ``answers`` and
    ``currencies`` say direction and currency of single files, by the SHA-256 of their bytes. ``file_account`` is the
    account that the file's name suggests. ``person`` is who the person is among several that a file names, ``sheet`` the
    name of a workbook's sheet, if that may be an account's. ``assume_currency`` is for who can't be asked: where nothing tells
    the currency, the likeliest one is taken, and the file's warnings say so.
    ``remembered`` holds what was said of earlier files, by layout and account; ``layouts`` is what the person says of the
    columns of files, the latest first.
    """

    format: str | None = None
    account: str | None = None
    currency: str | None = None
    day_first: bool | None = None
    direction: Told | None = None
    person: str = ""
    answers: Mapping[str, Told] = field(default_factory=dict)
    currencies: Mapping[str, str] = field(default_factory=dict)
    file_account: str = ""
    sheet: str = ""
    assume_currency: bool = False
    remembered: Mapping[tuple[str, str], Reading] = field(default_factory=dict)
    layouts: tuple[StatedLayout, ...] = ()


@dataclass(frozen=True, slots=True)
class Importer:
    """One format that can be read.

    ``sniff`` gets the first 64 KiB and the file's name and says whether the file is of this format; ``read`` gets the
    whole file and raises nothing but ``UnreadableFile``. ``names`` are the words by which a person may ask for it.
    """

    label: str
    names: frozenset[str]
    sniff: Callable[[bytes, str], bool]
    read: Callable[[bytes, Hints], Statement]
