"""The form by which an account is renamed, typed, merged or deleted: its fields, and the call that one filled in makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bots.desk.fields import Field
from language.catalogue import say, translated
from ledger.account_names import LONGEST_NAME
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
_REMOVED: Final = "Delete it with all of its transactions"

TITLE: Final = "Change an account"
_LABELS: Final = {
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


def account_fields(vocabulary: Vocabulary, language: str, most: int) -> list[Field]:
    """Return the questions of the form in a language, with as many accounts as a menu takes."""
    accounts = tuple((str(account.id), account.name) for account in vocabulary.accounts[:most])
    types = ((kind.value, translated(name, language)) for kind, name in TYPES.items())
    options = {
        ACCOUNT: accounts,
        NEW_NAME: (),
        TYPE: tuple((value, name[:1].upper() + name[1:]) for value, name in types),
        INTO: accounts,
        REMOVE: (("yes", translated(_REMOVED, language)),),
    }
    choose = translated("Choose one", language)
    everyday = translated(say("For example {example}", example=translated(say("Everyday"), language)), language)
    return [
        Field(
            name,
            translated(label, language),
            options[name],
            example=choose if options[name] else everyday,
            hint=translated(HINT, language) if name == ACCOUNT else "",
            required=name == ACCOUNT,
            longest=LONGEST_NAME,
        )
        for name, label in _LABELS.items()
    ]


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
