"""The form by which an account is renamed, typed, merged or deleted: its fields, and the call that one filled in makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from language.catalogue import translated
from tools.apps.accounts import TYPES
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.repository import Vocabulary

ACCOUNT: Final = "account"
NEW_NAME: Final = "new_name"
TYPE: Final = "account_type"
INTO: Final = "into_account"
REMOVE: Final = "remove_account"
#: What the only choice of that field says.
REMOVED: Final = "Delete it with all of its transactions"

TITLE: Final = "Change an account"
LABELS: Final = {
    ACCOUNT: "Account",
    NEW_NAME: "Call it",
    TYPE: "It is",
    INTO: "It is the same as",
    REMOVE: "Or delete it",
}
HINT: Final = "Fill in one of these. You see what would change, and nothing changes before you confirm it."
NO_ACCOUNTS: Final = "There are no transactions yet, so there is no account."
_NO_ACCOUNT = "There is no such account any more. Please choose one from the list."
_NOTHING = "Please say what is to change."
_SEVERAL = "One change at a time, please."

Options = list[tuple[str, str]]
"""What can be chosen: the value that comes back, and what is read."""


def account_options(vocabulary: Vocabulary, most: int) -> Options:
    """Return a person's accounts by name, as many as a menu takes."""
    return [(str(account.id), account.name) for account in vocabulary.accounts[:most]]


def type_options(language: str) -> Options:
    """Return the types that an account can be of, in a language."""
    told = ((kind.value, translated(name, language)) for kind, name in TYPES.items())
    return [(value, name[:1].upper() + name[1:]) for value, name in told]


def read_accounts(values: Mapping[str, str], vocabulary: Vocabulary) -> Call | dict[str, str]:
    """Return the call that a form makes, or what is wrong with it by the field that it is about."""
    names = {str(account.id): account.name for account in vocabulary.accounts}
    account, into = (names.get(values.get(field, ""), "") for field in (ACCOUNT, INTO))
    if not account:
        return {ACCOUNT: _NO_ACCOUNT}
    said = [field for field in (NEW_NAME, TYPE, INTO, REMOVE) if values.get(field, "").strip()]
    if len(said) != 1:
        return {said[1]: _SEVERAL} if said else {NEW_NAME: _NOTHING}
    match said[0]:
        case "new_name":
            return Call("accounts-rename", {"account": account, "new_name": values[NEW_NAME].strip()})
        case "account_type":
            return Call("accounts-set_type", {"account": account, "type": values[TYPE]})
        case "into_account":
            return Call("accounts-merge", {"account": account, "into": into}) if into else {INTO: _NO_ACCOUNT}
    return Call("accounts-delete", {"account": account})
