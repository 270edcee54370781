"""Discord's forms: settings, a merchant's category, and files to import; what they show and what they say.

https://docs.discord.com/developers/components/reference (Label, Text Input, String Select, File Upload)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bots.desk import account_forms as forms
from bots.desk.settings import SAVE, problems
from bots.discord_app.interactions import FORM
from bots.fallback import shorten
from bots.import_words import on_one_line
from bots.limits import Discord
from ledger.account_names import LONGEST_NAME
from ledger.preferences import PREFERENCES
from ledger.stemming import fold
from tools.calls import Call
from tools.slots.assignments import OUR_CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bots.contracts import Message
    from bots.desk.column_forms import Field
    from bots.discord_app.bodies import Form
    from ledger.repository import Vocabulary

Json = dict[str, Any]

MERCHANT: Final = "merchant"
CATEGORY: Final = "category"
NEW_CATEGORY: Final = "new_category"
FILES: Final = "files"
_ASSIGN = "categories-assign"
#: With this before it, the tool takes a name for a new category's, unless there is one of this very name.
_NEW = "new category"

_LABEL, _INPUT, _SELECT, _UPLOAD = 18, 4, 3, 19
_LONGEST_VALUE = 100
_DEFAULT = "Default"
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NO_MERCHANT = "Please name a shop or company from your transactions."
_NO_CATEGORY = "Please choose a category, or name a new one."
_NO_FILES = "No file came with that. Please choose one, or drop it in a direct message."


def settings_modal(made: Mapping[str, str]) -> Json:
    """Return the form of a person's settings, filled in with what they have set."""
    return _modal("settings", "Settings", [_setting(name, made.get(name, "")) for name in PREFERENCES])


def categories_modal(vocabulary: Vocabulary) -> Json:
    """Return the form that puts a merchant into a category."""
    examples = ", ".join(name for _, name in vocabulary.merchants[:3])
    merchant = _text(MERCHANT, f"For example {examples}", required=True)
    listed = [
        name for name in _categories(vocabulary) if on_one_line(name) == name and len(name) <= Discord.OPTION_LABEL
    ]
    select = {
        "type": _SELECT,
        "custom_id": CATEGORY,
        "placeholder": "Choose a category",
        "options": [{"label": name, "value": name} for name in listed[: Discord.OPTIONS]],
        "required": False,
        "min_values": 0,
        "max_values": 1,
    }
    return _modal(
        "categories",
        "Change a category",
        [
            _label("Merchant", "As your transactions name it; nothing changes before you confirm it.", merchant),
            _label("Category", "", select),
            _label("Another category", "In place of one from the list.", _text(NEW_CATEGORY, "For example Pets")),
        ],
    )


def accounts_modal(vocabulary: Vocabulary) -> Json:
    """Return the form that changes an account."""
    accounts = forms.account_options(vocabulary, Discord.OPTIONS)
    name = {**_text(forms.NEW_NAME, "For example Everyday"), "max_length": LONGEST_NAME}
    parts = {
        forms.ACCOUNT: _choice(forms.ACCOUNT, accounts, required=True),
        forms.NEW_NAME: name,
        forms.TYPE: _choice(forms.TYPE, forms.type_options()),
        forms.INTO: _choice(forms.INTO, accounts),
        forms.REMOVE: _choice(forms.REMOVE, [("yes", forms.REMOVED)]),
    }
    labels = [
        _label(forms.LABELS[field], forms.HINT if field == forms.ACCOUNT else "", part) for field, part in parts.items()
    ]
    return _modal("accounts", forms.TITLE, labels)


def _choice(custom_id: str, options: forms.Options, *, required: bool = False) -> Json:
    """Return a menu of which one is chosen, or none where it need not be."""
    return {
        "type": _SELECT, "custom_id": custom_id, "placeholder": "Choose one", "required": required,
        "min_values": int(required), "max_values": 1,
        "options": [{"label": shorten(on_one_line(label), Discord.OPTION_LABEL), "value": value} for value, label in options],
    }  # fmt: skip


def import_modal() -> Json:
    """Return the form that takes files."""
    upload = {"type": _UPLOAD, "custom_id": FILES, "min_values": 1, "max_values": Discord.UPLOADS, "required": True}
    hint = "CSV, OFX, QFX, CAMT or MT940. You see what they hold before anything is imported."
    return _modal("import", "Import bank files", [_label("Files", hint, upload)])


def columns_modal(name: str, fields: Sequence[Field], message: Message) -> Json:
    """Return a part of the form that says which column of a file is what; its id carries which file that is."""
    labels = [_label(field.label, shorten(name, Discord.LABEL_DESCRIPTION), _column(field)) for field in fields]
    value = message.call.arguments["value"] if message.call else ""
    return {**_modal("columns", "Columns", labels), "custom_id": f"{FORM}columns:{message.about or ''}:{value}"}


def _column(field: Field) -> Json:
    if not field.options:
        return _text(field.name, f"For example {field.example}", field.chosen)
    options = [
        {"label": shorten(label, Discord.OPTION_LABEL), "value": value, "default": value in field.all_chosen}
        for value, label in field.options
    ]
    several = {"min_values": 0, "max_values": len(options)} if field.several else {}
    return {"type": _SELECT, "custom_id": field.name, "options": options, "required": False, **several}


def read_form(form: Form, values: Mapping[str, str], made: Mapping[str, str]) -> Call | str:
    """Return what a form of settings or categories asks for, or in a sentence what is wrong with it.

    ``made`` is what is set already; a form that changes nothing asks for no arguments.
    """
    return _read_settings(values, made) if form == "settings" else _read_categories(values)


def checked_files(count: int) -> str:
    """Return what is wrong with a form of files, nothing where there are some."""
    return "" if count else _NO_FILES


def _read_settings(values: Mapping[str, str], made: Mapping[str, str]) -> Call | str:
    given = {name: values.get(name, "").strip() for name in PREFERENCES if name in values}
    given = {name: "" if text.casefold() == _DEFAULT.casefold() else text for name, text in given.items()}
    changed = {name: text or _DEFAULT for name, text in given.items() if text != made.get(name, "")}
    wrong = problems(changed)
    return "\n".join(wrong.values()) if wrong else Call(SAVE, changed)


def _read_categories(values: Mapping[str, str]) -> Call | str:
    """Return the call that the tool checks once more against the person's own names."""
    merchant, new = on_one_line(values.get(MERCHANT, "")), on_one_line(values.get(NEW_CATEGORY, ""))
    if not merchant:
        return _NO_MERCHANT
    category = f"{_NEW} {new}" if new else values.get(CATEGORY, "")
    return Call(_ASSIGN, {"merchant": merchant, "category": category}) if category else _NO_CATEGORY


def _categories(vocabulary: Vocabulary) -> list[str]:
    known = {fold(name): name for name in (*vocabulary.categories, *OUR_CATEGORIES)}
    return list(known.values())


def _setting(name: str, value: str) -> Json:
    preference = PREFERENCES[name]
    meaning = f"{preference.meaning[:1].upper()}{preference.meaning[1:]}."
    if name != "week_start":
        return _label(preference.label, meaning, _text(name, f"For example {preference.example}", value))
    options = [{"label": day, "value": day, "default": day == (value or _DEFAULT)} for day in (*_WEEKDAYS, _DEFAULT)]
    select = {"type": _SELECT, "custom_id": name, "options": options, "required": False}
    return _label(preference.label, meaning, select)


def _text(custom_id: str, placeholder: str, value: str = "", *, required: bool = False) -> Json:
    element = {
        "type": _INPUT,
        "custom_id": custom_id,
        "style": 1,
        "required": required,
        "max_length": max(_LONGEST_VALUE, len(value)),
        "placeholder": shorten(on_one_line(placeholder), Discord.INPUT_PLACEHOLDER),
    }
    return element | ({"value": value} if value else {})


def _label(text: str, description: str, component: Json) -> Json:
    label = {"type": _LABEL, "label": shorten(text, Discord.LABEL), "component": component}
    return label | ({"description": shorten(description, Discord.LABEL_DESCRIPTION)} if description else {})


def _modal(form: Form, title: str, labels: Sequence[Json]) -> Json:
    return {"custom_id": f"{FORM}{form}", "title": title, "components": list(labels)}
