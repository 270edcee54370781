"""Discord's forms: settings, a merchant's category, and files to import; what they show and what they say.

https://docs.discord.com/developers/components/reference (Label, Text Input, String Select, File Upload)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bots.desk import account_forms as forms
from bots.desk import setting_forms as settings
from bots.discord_app.interactions import FORM
from bots.fallback import shorten
from bots.import_words import on_one_line
from bots.limits import Discord
from language.catalogue import said_in, say, translated
from language.tongue import DEFAULT
from ledger.stemming import fold
from tools.calls import Call
from tools.slots.assignments import OUR_CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bots.contracts import Message
    from bots.desk.fields import Field
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
_NO_MERCHANT = "Please name a shop or company from your transactions."
_NO_CATEGORY = "Please choose a category, or name a new one."
_NO_FILES = "No file came with that. Please choose one, or drop it in a direct message."
_AS_NAMED = "As your transactions name it; nothing changes before you confirm it."
_KINDS_OF_FILES = "CSV, OFX, QFX, CAMT or MT940. You see what they hold before anything is imported."


def settings_modal(made: Mapping[str, str], language: str = DEFAULT) -> Json:
    """Return the form of a person's settings, filled in with what they have set."""
    fields = settings.setting_fields(made, language)
    return _modal("settings", settings.TITLE, [_setting(field) for field in fields], language)


def categories_modal(vocabulary: Vocabulary, language: str = DEFAULT) -> Json:
    """Return the form that puts a merchant into a category."""
    examples = ", ".join(name for _, name in vocabulary.merchants[:3])
    merchant = _text(MERCHANT, _example(examples, language), required=True)
    listed = [
        name for name in _categories(vocabulary) if on_one_line(name) == name and len(name) <= Discord.OPTION_LABEL
    ]
    select = {
        "type": _SELECT,
        "custom_id": CATEGORY,
        "placeholder": translated("Choose a category", language),
        "options": [{"label": said_in(language, name), "value": name} for name in listed[: Discord.OPTIONS]],
        "required": False,
        "min_values": 0,
        "max_values": 1,
    }
    new = _text(NEW_CATEGORY, _example(translated(say("Pets"), language), language))
    labels = [
        _label(translated("Merchant", language), translated(_AS_NAMED, language), merchant),
        _label(translated("Category", language), "", select),
        _label(translated("Another category", language), translated("In place of one from the list.", language), new),
    ]
    return _modal("categories", "Change a category", labels, language)


def accounts_modal(vocabulary: Vocabulary, language: str = DEFAULT) -> Json:
    """Return the form that changes an account."""
    fields = forms.account_fields(vocabulary, language, Discord.OPTIONS)
    labels = [_label(field.label, field.hint, _drawn(field)) for field in fields]
    return _modal("accounts", forms.TITLE, labels, language)


def import_modal(language: str = DEFAULT) -> Json:
    """Return the form that takes files."""
    upload = {"type": _UPLOAD, "custom_id": FILES, "min_values": 1, "max_values": Discord.UPLOADS, "required": True}
    label = _label(translated("Files", language), translated(_KINDS_OF_FILES, language), upload)
    return _modal("import", "Import bank files", [label], language)


def columns_modal(name: str, fields: Sequence[Field], message: Message, language: str = DEFAULT) -> Json:
    """Return a part of the form that says which column of a file is what; its id carries which file that is."""
    told = [field.told(language) for field in fields]
    labels = [_label(field.label, shorten(name, Discord.LABEL_DESCRIPTION), _column(field, language)) for field in told]
    value = message.values.get("value", "")
    modal = _modal("columns", "Columns", labels, language)
    return {**modal, "custom_id": f"{FORM}columns:{message.about or ''}:{value}"}


def _column(field: Field, language: str) -> Json:
    if not field.options:
        return _text(field.name, _example(field.example, language), field.chosen)
    several = {"min_values": 0, "max_values": len(field.options)} if field.several else {}
    return {**_menu(field), **several}


def _menu(field: Field) -> Json:
    options = [
        {"label": shorten(label, Discord.OPTION_LABEL), "value": value, "default": value in field.all_chosen}
        for value, label in field.options
    ]
    menu = {"type": _SELECT, "custom_id": field.name, "options": options, "required": field.required}
    return menu | ({"placeholder": field.example} if field.example and not field.chosen else {})


def filled(modal: Json, values: Mapping[str, str]) -> Json:
    """Return a form as somebody has filled it in; files have to be chosen anew."""
    labels = [{**label, "component": _filled(label["component"], values)} for label in modal["components"]]
    return {**modal, "components": labels}


def _filled(component: Json, values: Mapping[str, str]) -> Json:
    value = values.get(component["custom_id"])
    if value is None or component["type"] == _UPLOAD:
        return component
    if component["type"] == _SELECT:
        chosen = value.split(",")
        return {**component, "options": [{**each, "default": each["value"] in chosen} for each in component["options"]]}
    empty = {name: each for name, each in component.items() if name != "value"}
    return {**empty, "value": value[: component["max_length"]]} if value else empty


def checked_files(count: int) -> str:
    """Return what is wrong with a form of files, nothing where there are some."""
    return "" if count else _NO_FILES


def read_categories(values: Mapping[str, str], vocabulary: Vocabulary) -> Call | dict[str, str]:
    """Return the call that the tool checks once more against the person's own names."""
    del vocabulary
    merchant, new = on_one_line(values.get(MERCHANT, "")), on_one_line(values.get(NEW_CATEGORY, ""))
    if not merchant:
        return {MERCHANT: _NO_MERCHANT}
    category = f"{_NEW} {new}" if new else values.get(CATEGORY, "")
    return Call(_ASSIGN, {"merchant": merchant, "category": category}) if category else {CATEGORY: _NO_CATEGORY}


def _categories(vocabulary: Vocabulary) -> list[str]:
    known = {fold(name): name for name in (*vocabulary.categories, *OUR_CATEGORIES)}
    return list(known.values())


def _setting(field: Field) -> Json:
    chosen = replace(field, chosen=field.chosen or settings.DEFAULT) if _is_menu(field) else field
    return _label(field.label, field.hint, _drawn(chosen))


def _is_menu(field: Field) -> bool:
    """Whether a menu takes what there is to choose from."""
    return 0 < len(field.options) <= Discord.OPTIONS


def _drawn(field: Field) -> Json:
    """Return a menu, or a line of text where there is nothing to choose from, or too much."""
    if not _is_menu(field):
        text = _text(field.name, field.example, field.chosen)
        return {**text, "max_length": field.longest} if field.longest else text
    return _menu(field)


def _example(text: str, language: str) -> str:
    return translated(say("For example {example}", example=text), language)


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


def _modal(form: Form, title: str, labels: Sequence[Json], language: str) -> Json:
    return {"custom_id": f"{FORM}{form}", "title": translated(title, language), "components": list(labels)}
