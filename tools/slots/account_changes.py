"""Sentences about whole accounts: what one is called, of which type it is, which are one, which is to go, which there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

from language.lexicon import listed, patterns
from language.words import fold_in_place
from ledger.account_names import LONGEST_NAME
from ledger.statement_accounts import UNNAMED
from ledger.transactions import AccountType
from tools.slots.accounts import resolve_accounts
from tools.slots.name_index import letters
from tools.slots.rows import names_row
from tools.slots.sentences import Sentence, SentenceSlot, any_of, forms_of, match_core, sentence_of, unquoted, whole
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.transactions import Account
    from tools.context import ToolContext

_TABLE = "accounts"
_LONGEST = 80
_WHOSE = listed("articles", "possessives")
#: So many digits of an account's number are enough to say which.
_SHORTEST_NUMBER = 4
_forms = partial(
    forms_of,
    _TABLE,
    account=r"(?P<account>\S.{0,59}?)",
    other=r"(?P<other>\S.{0,59}?)",
    called=r"(?P<called>\S.{0,59}?)",
    rest=r"(?P<rest>\S.{0,119}?)",
    type=r"(?P<type>\S.{0,39}?)",
)
_RENAME, _AT_ONCE, _TYPE = _forms("rename"), _forms("rename_at_once"), _forms("type")
_INTO, _MERGE, _DELETE, _LIST = _forms("merge_into"), _forms("merge"), _forms("delete"), _forms("list")
_BOTH = _forms("merge_both")
_READ: tuple[tuple[str, Sequence[re.Pattern[str]]], ...] = (
    ("rename", _RENAME), ("both", _BOTH), ("into", _INTO), ("merge", _MERGE), ("delete", _DELETE), ("type", _TYPE),
)  # fmt: skip
_SAID = re.compile(rf"(?:^|\s){any_of(*patterns(_TABLE, 'said')).pattern}(?:\s|$)")
_AROUND = re.compile(rf"^(?:{any_of(*patterns(_TABLE, 'around')).pattern}\s+)+")
_BEHIND = re.compile(rf"\s+{any_of(*patterns(_TABLE, 'behind')).pattern}$")
_ARTICLE = re.compile(rf"^(?:{any_of(*patterns(_TABLE, 'article')).pattern}\s+)+")
_NAMED = {each.value: any_of(*patterns(_TABLE, each.value)) for each in AccountType}


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a sentence says of accounts: which, as it was written, and what of it."""

    what: str
    account: str
    value: str = ""


def accounts_named(words: str, context: ToolContext) -> tuple[Account, ...]:
    """Return the accounts that words name and nothing else, with “my” or “account” around them or without.

    They may be named by what they were called before, and by their bank's number or its end.
    """
    accounts = context.vocabulary.accounts
    for said in (words, bare_account(words)):
        names = resolve_accounts(said, context)
        if names:
            return tuple(each for each in accounts if each.name in names)
        number = "".join(filter(str.isalnum, said)).casefold()
        if sum(map(str.isdigit, number)) >= _SHORTEST_NUMBER:
            found = tuple(each for each in accounts if _number(each).endswith(number))
            if found:
                return found
    return ()


def _number(account: Account) -> str:
    return "".join(filter(str.isalnum, account.ref)).casefold()


def bare_account(words: str) -> str:
    """Return an account's name without what only says that it is one, and whose."""
    text, folded = unquoted(words), fold_in_place(unquoted(words))
    around = _AROUND.match(folded)
    start = around.end() if around and around.end() < len(folded) else 0
    behind = _BEHIND.search(folded, start)
    end = behind.start() if behind and behind.start() > start else len(text)
    return unquoted(text[start:end])


@cache
def _type_called(folded: str) -> str:
    """Return the type of account that words name; nothing where they name none."""
    return next((name for name, form in _NAMED.items() if form.fullmatch(folded)), "")


def type_in(words: str) -> str:
    """Return the type of account that words name, also by its own name; nothing where they name none."""
    folded = " ".join(fold_in_place(words).replace("_", " ").split())
    article = _ARTICLE.match(folded)
    return _type_called(folded[article.end() :] if article else folded)


@lru_cache(maxsize=128)
def _readings(sentence: Sentence) -> tuple[Spoken, ...]:
    """Return what a sentence may say of accounts, by its form alone."""
    if sentence.asks:
        return ()
    found: list[Spoken] = []
    for what, forms in _READ:
        match = match_core(forms, sentence)
        if match is None:
            continue
        account = sentence.written(*match.span("account"))
        parts = {name: sentence.written(*match.span(name)) for name, text in match.groupdict().items() if text}
        value = next((parts[name] for name in ("called", "other", "type") if name in parts), "")
        if what == "type":
            value = type_in(value)
        if what in ("delete", "both") or value:
            found.append(Spoken(what, account, value))
    return tuple(found)


def _spoken(sentence: Sentence, context: ToolContext) -> Spoken | None:
    """Return what a sentence says of accounts that are known, or that it says are accounts."""
    for each in _readings(sentence):
        said = _told_apart(each, context) if each.what == "both" else each
        if said is not None and _is_meant(said, context):
            return _in_order(said, context) if said.what == "merge" else said
    return _at_once(sentence, context)


def _told_apart(spoken: Spoken, context: ToolContext) -> Spoken | None:
    """Return “my two Amex accounts” as the two that are called so; nothing where there are others than two."""
    named = accounts_named(spoken.account, context)
    return Spoken("merge", named[0].name, named[1].name) if len(named) == 2 else None


def _in_order(spoken: Spoken, context: ToolContext) -> Spoken:
    """Return two accounts that are one with the better name last, which both have then: that of the person's own first."""
    one, other = (accounts_named(said, context)[0] for said in (spoken.account, spoken.value))
    if _is_better(one) > _is_better(other):
        return Spoken(spoken.what, spoken.value, spoken.account)
    return spoken


def _is_better(account: Account) -> tuple[bool, bool]:
    return bool(account.called), account.name != UNNAMED and not any(map(str.isdigit, account.name))


def _is_meant(spoken: Spoken, context: ToolContext) -> bool:
    if names_row(spoken.account):
        return False
    known = bool(accounts_named(spoken.account, context))
    if spoken.what in ("into", "merge"):
        return known and bool(accounts_named(spoken.value, context))
    return known or (spoken.what != "type" and _says_account(spoken.account))


def _says_account(words: str) -> bool:
    """Whether words say that they name an account, whether or not there is such a one."""
    bare = bare_account(words)
    said = _SAID.search(fold_in_place(words)) is not None and bare != unquoted(words)
    return said and bool(letters(bare)) and _SAID.fullmatch(fold_in_place(bare)) is None


@lru_cache(maxsize=128)
def _rest_of(sentence: Sentence) -> tuple[int, int]:
    """Return where both names stand in “call my 4321 Everyday”; nowhere in another sentence."""
    match = None if sentence.asks else match_core(_AT_ONCE, sentence)
    return match.span("rest") if match else (0, 0)


def _at_once(sentence: Sentence, context: ToolContext) -> Spoken | None:
    """Return what “call my 4321 Everyday” says: the longest name of an account, and what follows it."""
    start, end = _rest_of(sentence)
    for place in range(end - 1, start, -1):
        if not sentence.folded[place].isspace():
            continue
        account, name = sentence.written(start, place), sentence.written(place, end)
        if letters(name) and accounts_named(account, context) and not names_row(account):
            return Spoken("rename", account, name)
    return None


@dataclass(frozen=True, eq=False)
class _AccountSlot(SentenceSlot):
    """One thing that such a sentence says."""

    what: tuple[str, ...] = ()
    is_account: bool = True

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return what a sentence says of this."""
        sentence = sentence_of(text)
        spoken = _spoken(sentence, context)
        if spoken is None or spoken.what not in self.what:
            return ()
        if self.is_account:
            return whole(self.name, spoken.account, sentence)
        return (Mention(self.name, 0, 0, spoken.value, spoken.value),)


@lru_cache(maxsize=128)
def _listed(sentence: Sentence) -> Sequence[Mention]:
    return whole("listed_accounts", None, sentence) if match_core(_LIST, sentence) else ()


def _nothing(sentence: Sentence) -> Sequence[Mention]:
    del sentence
    return ()


def _judge(value: Any) -> Checked:
    """Accept a few words; which account they name is for the tool to find."""
    words = " ".join(str(value).split())
    if not words or len(words) > _LONGEST:
        return Checked(problem="That is no name of an account.")
    return Checked(words)


def _judge_type(value: Any) -> Checked:
    found = type_in(str(value))
    return Checked(found) if found else Checked(problem="That is no type of account.", choices=tuple(_NAMED))


def tidy_name(words: str) -> str:
    """Return what an account is to be called: without “my”, unless it was put in quotes, and on one line."""
    text = unquoted(words)
    if text == words.strip():
        text = _without_whose(text)
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return name[:1].upper() + name[1:] if name.partition(" ")[0].islower() else name


def _without_whose(text: str) -> str:
    first, _, rest = text.partition(" ")
    whose = fold_in_place(first) in _WHOSE and rest.strip() and not _SAID.fullmatch(fold_in_place(rest))
    return _without_whose(rest.strip()) if whose else text  # “my card” is a name, “card” is none


_WHICH = "Name of one account, copied from the question"
RENAMED_ACCOUNT = _AccountSlot("renamed_account", _WHICH, _nothing, _judge, what=("rename",))
ACCOUNT_NAME = _AccountSlot(
    "account_name", f"What it is to be called, at most {LONGEST_NAME} characters, copied from the question", _nothing, _judge,
    what=("rename",), is_account=False,
)  # fmt: skip
TYPED_ACCOUNT = _AccountSlot("typed_account", _WHICH, _nothing, _judge, what=("type",))
ACCOUNT_TYPE = _AccountSlot(
    "account_type", "Of which type it is", _nothing, _judge_type, values=tuple(_NAMED), what=("type",), is_account=False
)
MERGED_ACCOUNT = _AccountSlot("merged_account", _WHICH, _nothing, _judge, what=("into", "merge"))
INTO_ACCOUNT = _AccountSlot(
    "into_account", "The other account, which both are then, copied from the question", _nothing, _judge,
    what=("into", "merge"), is_account=False,
)  # fmt: skip
DELETED_ACCOUNT = _AccountSlot("deleted_account", _WHICH, _nothing, _judge, what=("delete",))
LISTED_ACCOUNTS = SentenceSlot("listed_accounts", "Leave it out", _listed)
