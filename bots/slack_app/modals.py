"""Slack's modals: settings as a form, and a merchant's category; what they show, what they offer, what they say."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from bots.cleaning import clean
from bots.desk import account_forms as forms
from bots.desk.names import nearest
from bots.desk.settings import SAVE, problems
from bots.errors import NO_CHANGES
from bots.fallback import shorten
from bots.import_words import on_one_line
from bots.limits import Slack
from bots.slack_app.parts import paragraphs, plain_text
from ledger.account_names import LONGEST_NAME
from ledger.preferences import PREFERENCES
from ledger.setting_words import read_zone, zones
from ledger.stemming import fold
from tools.calls import Call
from tools.slots.assignments import OUR_CATEGORIES, new_category

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bots.desk.column_forms import Field
    from ledger.repository import Vocabulary

#: The block ids of the categories form, and the action ids of the menus whose options we give.
MERCHANT: Final = "merchant"
CATEGORY: Final = "category"
TIME_ZONE: Final = "time_zone"
_ASSIGN = "categories-assign"

_DEFAULT = "Default"
_LONGEST_VALUE = 60
_LONGEST_PROBLEM = 300
#: How like what was typed a name must be for it to be a slip, of a hundred; not looked for where so many names hold it.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NEW = "new category"
_LONGEST_NEW = 40
_DIGEST = 32

_SETTINGS_HINT = "Left empty, the default holds."
_LONGEST_WORDS = 300
_COLUMNS_HINT = "You see what would become of the file, and nothing is imported before you confirm it."
_CATEGORIES_HINT = "You see which transactions would change, and nothing changes before you confirm it."
_NO_MERCHANTS = "There are no transactions yet, so there is no merchant to put into a category."
_OUT_OF_DATE = "This form is out of date. Please close it and open it again."
_NO_MERCHANT = "There is no such merchant in your ledger. Please choose one from the list."
_NO_CATEGORY = "Please choose a category from the list."

Errors = dict[str, str]
"""What is wrong with a form, by the block id of the input."""


def settings_view(made: Mapping[str, str], metadata: str, *, writes: bool = True) -> dict[str, Any]:
    """Return the form of a person's settings, filled in with what they have set."""
    if not writes:
        return notice_view("Settings", NO_CHANGES)
    inputs = [_setting_input(name, made.get(name, "")) for name in PREFERENCES]
    return _form("settings", "Settings", "Save", [*inputs, _context(_SETTINGS_HINT)], metadata)


def categories_view(vocabulary: Vocabulary, metadata: str, *, writes: bool = True) -> dict[str, Any]:
    """Return the form that puts a merchant into a category, or why there is none."""
    if not writes or not vocabulary.merchants:
        return notice_view("Change a category", _NO_MERCHANTS if writes else NO_CHANGES)
    inputs = [
        _input(MERCHANT, "Merchant", _menu(MERCHANT, "Type a shop's or company's name")),
        _input(CATEGORY, "Category", _menu(CATEGORY, "Type a category, or the name of a new one")),
    ]
    return _form("categories", "Change a category", "Show the change", [*inputs, _context(_CATEGORIES_HINT)], metadata)


def accounts_view(vocabulary: Vocabulary, metadata: str, *, writes: bool = True) -> dict[str, Any]:
    """Return the form that changes an account, or why there is none."""
    if not writes or not vocabulary.accounts:
        return notice_view(forms.TITLE, forms.NO_ACCOUNTS if writes else NO_CHANGES)
    accounts = forms.account_options(vocabulary, Slack.OPTIONS)
    inputs = [
        _input(forms.ACCOUNT, forms.LABELS[forms.ACCOUNT], _select(forms.ACCOUNT, accounts)),
        _field(forms.NEW_NAME, {"type": "plain_text_input", "action_id": forms.NEW_NAME, "max_length": LONGEST_NAME}),
        _field(forms.TYPE, _select(forms.TYPE, forms.type_options())),
        _field(forms.INTO, _select(forms.INTO, accounts)),
        _field(forms.REMOVE, _select(forms.REMOVE, [("yes", forms.REMOVED)])),
    ]
    return _form("accounts", forms.TITLE, "Show the change", [*inputs, _context(forms.HINT)], metadata)


def read_accounts(values: Mapping[str, str | tuple[str, ...]], vocabulary: Vocabulary) -> Call | Errors:
    """Return the call that a form of accounts makes, or what is wrong with it."""
    return forms.read_accounts({name: text for name, text in values.items() if isinstance(text, str)}, vocabulary)


def _field(name: str, element: dict[str, Any]) -> dict[str, Any]:
    return _input(name, forms.LABELS[name], element, optional=True)


def _select(action_id: str, options: forms.Options) -> dict[str, Any]:
    return {
        "type": "static_select", "action_id": action_id, "placeholder": plain_text("Choose one"),
        "options": [_option(value, text) for value, text in options],
    }  # fmt: skip


def columns_view(name: str, fields: Sequence[Field], metadata: str, *, writes: bool = True) -> dict[str, Any]:
    """Return the form that says which column of a file is what."""
    if not writes:
        return notice_view("Columns", NO_CHANGES)
    inputs = [_column_input(field) for field in fields]
    return _form("columns", "Columns", "Show the rows", [_context(name), *inputs, _context(_COLUMNS_HINT)], metadata)


def _column_input(field: Field) -> dict[str, Any]:
    element: dict[str, Any]
    if field.options:
        options = [_option(value, text) for value, text in field.options]
        chosen = [option for option in options if option["value"] in field.all_chosen]
        element = {"action_id": field.name, "options": options}
        if field.several:
            element |= {"type": "multi_static_select"} | ({"initial_options": chosen} if chosen else {})
        else:
            element |= {"type": "static_select", "initial_option": chosen[0]}
    else:
        element = {
            "type": "plain_text_input",
            "action_id": field.name,
            "max_length": max(_LONGEST_WORDS, len(field.chosen)),
        }
        element |= {"placeholder": plain_text(field.example)} | (
            {"initial_value": field.chosen} if field.chosen else {}
        )
    return _input(field.name, field.label, element, optional=True)


def read_settings(values: Mapping[str, str | tuple[str, ...]], made: Mapping[str, str]) -> Call | Errors:
    """Return the call that stores what of a form of settings differs from what is set, or what is wrong with it."""
    given: dict[str, str] = {}
    for name, text in values.items():
        if name not in PREFERENCES or not isinstance(text, str):
            return {next(iter(PREFERENCES)): _OUT_OF_DATE}
        given[name] = "" if text.strip().casefold() == _DEFAULT.casefold() else text.strip()
    changed = {name: text or _DEFAULT for name, text in given.items() if text != made.get(name, "")}
    wrong = {name: shorten(sentence, _LONGEST_PROBLEM) for name, sentence in problems(changed).items()}
    return wrong or Call(SAVE, changed)


def read_categories(values: Mapping[str, str | tuple[str, ...]], vocabulary: Vocabulary) -> Call | Errors:
    """Return the call that puts a merchant into a category, or what is wrong with the form.

    What stands in neither list was not chosen, so it is refused here; the tool checks both once more.
    """
    merchant = _by_value(name for _, name in vocabulary.merchants).get(str(values.get(MERCHANT, "")))
    chosen = str(values.get(CATEGORY, ""))
    category = _by_value(_categories(vocabulary)).get(chosen) or (chosen if new_category(chosen) else None)
    wrong = {} if merchant else {MERCHANT: _NO_MERCHANT}
    wrong |= {} if category else {CATEGORY: _NO_CATEGORY}
    return wrong or Call(_ASSIGN, {"merchant": merchant, "category": category})


def merchant_options(vocabulary: Vocabulary, typed: str) -> list[dict[str, Any]]:
    """Return a person's own merchants for a menu: those most like what was typed, or the most frequent."""
    return _options((_value(name), name) for name in _nearest(typed, [name for _, name in vocabulary.merchants]))


def category_options(vocabulary: Vocabulary, typed: str) -> list[dict[str, Any]]:
    """Return a person's own categories and ours for a menu, and a new one by the name that was typed."""
    known = _categories(vocabulary)
    found = [(_value(name), name) for name in _nearest(typed, known)]
    name = on_one_line(typed)
    if any(map(str.isalnum, name)) and len(name) <= _LONGEST_NEW and fold(name) not in map(fold, known):
        found = [*found[: Slack.OPTIONS - 1], (f"{_NEW} {name}", f"{_NEW.capitalize()}: {name}")]
    return _options(found)


def zone_options(typed: str) -> list[dict[str, Any]]:
    """Return the time zones that what was typed may mean, the default among them."""
    meant = read_zone(typed) if typed else None
    found = _nearest(typed, [_DEFAULT, *sorted(zones())])
    return _options((name, name) for name in dict.fromkeys((meant, *found) if meant else found))


def _categories(vocabulary: Vocabulary) -> list[str]:
    return list(dict.fromkeys((*vocabulary.categories, *OUR_CATEGORIES)))


def _nearest(typed: str, known: list[str]) -> list[str]:
    return nearest(typed[: Slack.OPTION_TEXT], known)[: Slack.OPTIONS]


def _options(pairs: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    return [_option(value, text) for value, text in pairs if on_one_line(text)][: Slack.OPTIONS]


def _option(value: str, text: str) -> dict[str, Any]:
    return {"text": plain_text(on_one_line(text, Slack.OPTION_TEXT)), "value": value}


def _value(name: str) -> str:
    """Return what stands for a name in a menu: itself where Slack returns it unchanged, else a short digest of it."""
    if len(name) <= Slack.OPTION_VALUE and clean(name) == name:
        return name
    return f"#{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGEST]}"


def _by_value(known: Iterable[str]) -> dict[str, str]:
    return {_value(name): name for name in known}


def _setting_input(name: str, value: str) -> dict[str, Any]:
    preference = PREFERENCES[name]
    example = plain_text(f"For example {preference.example}")
    element: dict[str, Any]
    match name:
        case "time_zone":
            element = _menu(TIME_ZONE, example["text"])
        case "week_start":
            days = [_option(text, text) for text in (*_WEEKDAYS, _DEFAULT)]
            element = {"type": "static_select", "action_id": name, "placeholder": example, "options": days}
        case _:
            longest = max(_LONGEST_VALUE, len(value))
            element = {"type": "plain_text_input", "action_id": name, "placeholder": example, "max_length": longest}
    if value:
        chosen = element["type"] != "plain_text_input"
        element |= {"initial_option": _option(value, value)} if chosen else {"initial_value": value}
    hint = preference.meaning[:1].upper() + preference.meaning[1:]
    return _input(name, preference.label, element, optional=True, hint=plain_text(f"{hint}."))


def _menu(action_id: str, placeholder: str) -> dict[str, Any]:
    return {
        "type": "external_select",
        "action_id": action_id,
        "placeholder": plain_text(placeholder),
        "min_query_length": 0,
    }


def _input(block_id: str, label: str, element: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "input", "block_id": block_id, "label": plain_text(label), "element": element, **more}


def _form(callback_id: str, title: str, submit: str, blocks: list[dict[str, Any]], metadata: str) -> dict[str, Any]:
    return {
        "type": "modal",
        "callback_id": callback_id,
        "title": plain_text(title),
        "submit": plain_text(submit),
        "close": plain_text("Cancel"),
        "private_metadata": metadata,
        "blocks": blocks,
    }


def notice_view(title: str, sentence: str) -> dict[str, Any]:
    """Return a modal that says something and asks nothing."""
    blocks = [block for part in paragraphs(sentence) for block in part.blocks]
    return {"type": "modal", "title": plain_text(title), "close": plain_text("Close"), "blocks": blocks}


def _context(text: str) -> dict[str, Any]:
    return {"type": "context", "elements": [plain_text(text)]}
