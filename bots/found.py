"""What an import found, in a few lines: accounts, days, merchants without a category, and a question to try."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bots.import_words import counted, from_to, on_one_line
from language.catalogue import say, written
from ledger.own_names import told_name
from tools.wording import enumeration

if TYPE_CHECKING:
    from language.catalogue import Template
    from ledger.findings import Findings

_NAMED = 3
_FEW = "{merchants} without a category: {names}."
_MANY = "{merchants} without a category, most spent at {names}."


def found(findings: Findings, locale: str) -> tuple[Template, ...]:
    """Say what is in a ledger by now; nothing of one that holds nothing."""
    held = findings.vocabulary
    if held.first is None or held.last is None:
        return ()
    accounts = tuple(told_name(on_one_line(each.name)) for each in held.accounts)
    lines = [
        say(
            "In your ledger now: {transactions}, {dates}, in {accounts}.",
            transactions=counted(held.count, "transaction", locale),
            dates=from_to(held.first, held.last),
            accounts=written(partial(enumeration, accounts)),
        )
    ]
    names, count = findings.unfiled, len(findings.unfiled)
    if names:
        first = tuple(on_one_line(name) for name in names[:_NAMED])
        merchants = counted(count, "merchant", locale)
        lines.append(
            say(_FEW if count <= _NAMED else _MANY, merchants=merchants, names=written(partial(enumeration, first)))
        )
    return tuple(lines)
