"""Files in the manner of wallets, budget programs and banks, with what they hold written beside them by hand.

A collection is one text: ``=== name|file name|option`` begins a file, ``---`` ends it, and below that each line is a
row: day, signed amount, what it is (out, in, refund, transfer, fee, cash), and whom it was with. ``@`` names the account
and its type. The option is ``asked`` where nobody could read the file without a word from the person, or
``account=Ann``, which is that word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from ledger.errors import UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.judgement import Judge
from ledger.statement_accounts import KnownAccounts, name_from
from ledger.stemming import fold
from ledger.transactions import AccountType, Kind, Statement
from ledger.transfers import Candidate, pair_transfers

FOLDER = Path(__file__).parents[1] / "data" / "bank" / "apps"


@dataclass(frozen=True, slots=True)
class Row:
    """What one row truly is; ``name`` is empty where it doesn't matter."""

    day: date
    amount: Decimal
    what: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class AppFile:
    """One file and what it holds."""

    name: str
    file: str
    text: str
    rows: tuple[Row, ...]
    account: str = ""
    type: AccountType | None = None
    told: str = ""
    asked: bool = False


def read_collection(name: str) -> Iterator[AppFile]:
    """Yield the files of a collection."""
    for part in (FOLDER / f"{name}.txt").read_text("utf-8").split("\n=== "):
        head, _, rest = part.removeprefix("=== ").partition("\n")
        if not rest:
            continue
        text, _, below = f"\n{rest}\n".partition("\n---\n")
        label, file, option, *_ = (*head.split("|"), "", "")
        lines = below.strip().splitlines()
        account, _, kind = next((line[2:] for line in lines if line.startswith("@ ")), "").partition("|")
        yield AppFile(
            name=label,
            file=file,
            text=text[1:] + "\n",
            rows=tuple(_row(line) for line in lines if not line.startswith("@ ")),
            account=account,
            type=AccountType(kind) if kind else None,
            told=option.removeprefix("account=") if option.startswith("account=") else "",
            asked=option == "asked",
        )


def _row(line: str) -> Row:
    day, amount, what, name = (*line.split(" ", 3), "")[:4]
    return Row(date.fromisoformat(day), Decimal(amount), what, name)


def judge_file(app: AppFile) -> tuple[Statement, list[Row], list[str]]:
    """Return the statement of a file, its rows as an import takes them, and the names of their accounts."""
    hints = Hints(account=app.told or None, file_account=name_from(app.file))
    statement = read_statement(app.file, app.text.encode(), hints)
    known = KnownAccounts({}, {}, {}, {}, {}, "USD", ())
    default = statement.unnamed.name if statement.unnamed else name_from(app.file)
    fallback = known.only_account(statement, hints, "") or default
    placing = known.place(statement, fallback)
    placed = [placing.place(row) for row in statement.rows]
    types = known.types
    judge = Judge([], {})
    judge.learn((each.row, types[each.account]) for each in placed)
    judged = [judge.judge(each.row, types[each.account]) for each in placed]
    kinds = [found.kind for found in judged]
    candidates = [
        Candidate(
            place, each.account, types[each.account], each.row.booked_on, int(each.row.amount * 100), each.currency,
            found.kind, found.ground,
        )
        for place, (each, found) in enumerate(zip(placed, judged, strict=True))
    ]  # fmt: skip
    for pair in pair_transfers(candidates):
        kinds[int(str(pair.outgoing))], kinds[int(str(pair.incoming))] = pair.outgoing_kind, pair.incoming_kind
    rows = [
        Row(each.row.booked_on, each.row.amount, _what(kind, each.row.amount), found.merchant)
        for each, found, kind in zip(placed, judged, kinds, strict=True)
    ]
    return statement, rows, [each.account for each in placed]


def _what(kind: Kind, amount: Decimal) -> str:
    if kind in {Kind.TRANSFER, Kind.CARD_PAYMENT}:
        return "transfer"
    if kind in {Kind.FEE, Kind.CASH, Kind.REFUND}:
        return kind.value
    if kind is Kind.INTEREST:
        return "in" if amount > 0 else "out"
    if kind is Kind.INCOME:
        return "in" if amount > 0 else "income taken back"
    return "out" if amount < 0 else "refund"


def differences(app: AppFile) -> tuple[str, list[str]]:
    """Return what came of a file (``right``, ``near``, ``asked``, ``refused``, ``wrong``) and what is not as written.

    Wrong is a sign, a row lost without a word, a row too many, or money that counts where it should not. Near is what
    costs no figure its truth: a refund taken for income, a fee for a purchase, another name, another account's name.
    """
    try:
        statement, rows, accounts = judge_file(app)
    except UnreadableFile as error:
        expected = app.asked
        kind = "asked" if type(error) is not UnreadableFile else "refused"
        return ("right" if expected else kind), [] if expected else [error.message]
    if app.asked:
        return "wrong", [f"read without asking: {rows}"]
    worse, less = _compare(list(app.rows), list(rows))
    if worse:
        left = [f"left out: line {row.row}, {row.reason}" for row in statement.rejected]
        return "wrong", worse + less + left
    if app.account and set(accounts) != {app.account}:
        less.append(f"account {set(accounts)} is {app.account}")
    stated = statement.accounts or ((statement.unnamed,) if statement.unnamed else ())
    types = {account.type for account in stated}
    if app.type and types != {app.type}:
        less.append(f"type {types} is {app.type}")
    return ("near" if less else "right"), less


#: What costs a figure its truth if one is taken for the other.
_FLOWS = {"out": "spent", "fee": "spent", "cash": "spent", "refund": "back", "in": "in", "transfer": "neither"}


def _compare(expected: list[Row], found: list[Row]) -> tuple[list[str], list[str]]:
    worse, less = [], []
    for row in expected:
        same = [each for each in found if (each.day, each.amount) == (row.day, row.amount)]
        if not same:
            worse.append(f"missing {row.day} {row.amount} {row.what} {row.name}")
            continue
        best = next((each for each in same if each.what == row.what), same[0])
        found.remove(best)
        if best.what != row.what:
            flows = {_FLOWS.get(best.what, best.what), _FLOWS[row.what]}
            heavy = len(flows) > 1 and flows != {"back", "in"}
            (worse if heavy else less).append(f"{row.day} {row.amount} {best.name}: {best.what} is {row.what}")
        if row.name and not _same_name(best.name, row.name):
            less.append(f"{row.day} {row.amount}: named {best.name}, is {row.name}")
    worse += [f"too many: {row.day} {row.amount} {row.what} {row.name}" for row in found]
    return worse, less


def _same_name(found: str, expected: str) -> bool:
    return fold(found).startswith(fold(expected))
