"""Every account, named as such: “across the two accounts” says nothing new where there are two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language import cues
from language.lexicon import counts
from language.words import cut_out, fold_in_place

if TYPE_CHECKING:
    from tools.context import ToolContext

_BOTH = 2


def without_all_accounts(text: str, context: ToolContext) -> str:
    """Return a text without words for all of the ledger's accounts; of another number than there are they stay."""
    said = cues.ALL_ACCOUNTS.search(fold_in_place(text))
    if said is None:
        return text
    word = next(filter(None, said.groups()), "")
    number = counts().get(word, _BOTH)
    return cut_out(text, [said.span()]) if number == len(context.vocabulary.accounts) else text
