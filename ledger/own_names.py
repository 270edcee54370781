"""Names of ours that stand in people's ledgers, of categories and accounts: stored in English, and told in any language."""

from __future__ import annotations

import re
from functools import lru_cache

from language.catalogue import Template, say, tongues, translated
from ledger.taxonomy import CATEGORIES

#: What accounts are called that no file and no person names.
_ACCOUNTS = ("By hand", "Cash", "Checking", "Savings", "Credit card", "Loan", "Investments", "File export")
_TOLD = {
    name: say(name)
    for name in (*(each.name for each in CATEGORIES.values() if not each.finer), "Uncategorised", *_ACCOUNTS)
}
_NUMBERED = re.compile("Account ([0-9]{1,4})", re.ASCII)


@lru_cache(maxsize=1024)
def told_name(name: str) -> str:
    """Return a name as it can be told in any language, if it is one of ours; any other is somebody's data."""
    numbered = _NUMBERED.fullmatch(name)
    return say("Account {number}", number=numbered[1]) if numbered else _TOLD.get(name, name)


def names_elsewhere(name: str) -> tuple[str, ...]:
    """Return what a name of ours is called in the other languages, so that it is found by that as well."""
    told = told_name(name)
    if not isinstance(told, Template):
        return ()
    return tuple(word for language in tongues()[1:] if (word := translated(told, language)) != name)
