"""Slack's modals: settings as a form, and a merchant's category; what they show, what they offer, what they say."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from bots.cleaning import clean
from bots.desk import account_forms as forms
from bots.desk import setting_forms as settings
from bots.desk.names import nearest
from bots.errors import NO_CHANGES
from bots.fallback import shorten
from bots.import_words import on_one_line
from bots.limits import Slack
from bots.slack_app.parts import paragraphs, plain_text
from graph.answers import told_button
from language.catalogue import said_in, say, translated
from language.tongue import DEFAULT
from ledger.stemming import fold
from tools.calls import Call
from tools.slots.assignments import OUR_CATEGORIES, new_category

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bots.desk.fields import Field
    from ledger.repository import Vocabulary

#: The block ids of the categories form, and the action ids of the menus whose options we give.
MERCHANT: Final = "merchant"
CATEGORY: Final = "category"
_ASSIGN = "categories-assign"

_LONGEST_VALUE = 60
_LONGEST_PROBLEM = 300
_NEW = "new category"
_LONGEST_NEW = 40
_DIGEST = 32

_LONGEST_WORDS = 300
COLUMNS: Final = "Columns"
_COLUMNS_HINT = "You see what would become of the file, and nothing is imported before you confirm it."
_CATEGORIES = "Change a category"
_CATEGORIES_HINT = "You see which transactions would change, and nothing changes before you confirm it."
_NO_MERCHANTS = "There are no transactions yet, so there is no merchant to put into a category."
_NO_MERCHANT = "There is no such merchant in your ledger. Please choose one from the list."
_NO_CATEGORY = "Please choose a category from the list."
_SHOW = "Show the change"

View = dict[str, Any]


def settings_view(made: Mapping[str, str], metadata: str, language: str = DEFAULT, *, writes: bool = True) -> View:
    """Return the form of a person's settings, filled in with what they have set."""
    if not writes:
        return notice_view(settings.TITLE, NO_CHANGES, language)
    inputs = [_setting_input(field, language) for field in settings.setting_fields(made, language)]
    return _form("settings", (settings.TITLE, "Save"), [*inputs, _context(settings.HINT, language)], metadata, language)


def categories_view(vocabulary: Vocabulary, metadata: str, language: str = DEFAULT, *, writes: bool = True) -> View:
    """Return the form that puts a merchant into a category, or why there is none."""
    if not writes or not vocabulary.merchants:
        return notice_view(_CATEGORIES, _NO_MERCHANTS if writes else NO_CHANGES, language)
    shop, category = "Type a shop's or company's name", "Type a category, or the name of a new one"
    inputs = [
        _input(MERCHANT, translated("Merchant", language), _menu(MERCHANT, translated(shop, language))),
        _input(CATEGORY, translated("Category", language), _menu(CATEGORY, translated(category, language))),
    ]
    blocks = [*inputs, _context(_CATEGORIES_HINT, language)]
    return _form("categories", (_CATEGORIES, _SHOW), blocks, metadata, language)


def accounts_view(vocabulary: Vocabulary, metadata: str, language: str = DEFAULT, *, writes: bool = True) -> View:
    """Return the form that changes an account, or why there is none."""
    if not writes or not vocabulary.accounts:
        return notice_view(forms.TITLE, forms.NO_ACCOUNTS if writes else NO_CHANGES, language)
    inputs = [_field(field) for field in forms.account_fields(vocabulary, language, Slack.OPTIONS)]
    return _form("accounts", (forms.TITLE, _SHOW), [*inputs, _context(forms.HINT, language)], metadata, language)


def columns_view(
    name: str, fields: Sequence[Field], metadata: str, language: str = DEFAULT, *, writes: bool = True
) -> View:
    """Return the form that says which column of a file is what."""
    if not writes:
        return notice_view(COLUMNS, NO_CHANGES, language)
    inputs = [_field(field.told(language)) for field in fields]
    blocks = [_line(name), *inputs, _context(_COLUMNS_HINT, language)]
    return _form("columns", (COLUMNS, "Show the rows"), blocks, metadata, language)


def _field(field: Field) -> dict[str, Any]:
    element: dict[str, Any] = {"action_id": field.name}
    if field.options:
        options = [_option(value, text) for value, text in field.options]
        chosen = [option for option in options if option["value"] in field.all_chosen]
        initial = {"initial_options": chosen} if field.several else {"initial_option": next(iter(chosen), None)}
        element |= {"type": "multi_static_select" if field.several else "static_select", "options": options}
        element |= initial if chosen else {}
    else:
        longest = field.longest or max(_LONGEST_WORDS, len(field.chosen))
        element |= {"type": "plain_text_input", "max_length": longest}
        element |= {"initial_value": field.chosen} if field.chosen else {}
    if field.example:
        element["placeholder"] = plain_text(field.example)
    return _input(field.name, field.label, element, optional=not field.required)


def errors(wrong: Mapping[str, str]) -> View:
    """Return what is wrong with a form, each sentence under its input."""
    said = {name: shorten(sentence, _LONGEST_PROBLEM) for name, sentence in wrong.items()}
    return {"response_action": "errors", "errors": said}


def read_categories(values: Mapping[str, str], vocabulary: Vocabulary) -> Call | dict[str, str]:
    """Return the call that puts a merchant into a category, or what is wrong with the form.

    What stands in neither list was not chosen, so it is refused here; the tool checks both once more.
    """
    merchant = _by_value(name for _, name in vocabulary.merchants).get(values.get(MERCHANT, ""))
    chosen = values.get(CATEGORY, "")
    category = _by_value(_categories(vocabulary)).get(chosen) or (chosen if new_category(chosen) else None)
    wrong = {} if merchant else {MERCHANT: _NO_MERCHANT}
    wrong |= {} if category else {CATEGORY: _NO_CATEGORY}
    return wrong or Call(_ASSIGN, {"merchant": merchant, "category": category})


def merchant_options(vocabulary: Vocabulary, typed: str) -> list[dict[str, Any]]:
    """Return a person's own merchants for a menu: those most like what was typed, or the most frequent."""
    return _options((_value(name), name) for name in _nearest(typed, [name for _, name in vocabulary.merchants]))


def category_options(vocabulary: Vocabulary, typed: str, language: str = DEFAULT) -> list[dict[str, Any]]:
    """Return a person's own categories and ours for a menu, and a new one by the name that was typed."""
    known = {said_in(language, name): name for name in _categories(vocabulary)}
    found = [(_value(known[text]), text) for text in _nearest(typed, list(known))]
    name = on_one_line(typed)
    if (
        any(map(str.isalnum, name))
        and len(name) <= _LONGEST_NEW
        and fold(name) not in map(fold, (*known, *known.values()))
    ):
        found = [
            *found[: Slack.OPTIONS - 1],
            (f"{_NEW} {name}", translated(say("New category: {name}", name=name), language)),
        ]
    return _options(found)


def setting_options(name: str, typed: str, language: str = DEFAULT) -> list[dict[str, Any]]:
    """Return the values of a setting that what was typed may mean."""
    return _options(settings.setting_options(name, typed[: Slack.OPTION_TEXT], language, Slack.OPTIONS))


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


def _setting_input(field: Field, language: str) -> dict[str, Any]:
    options = [_option(value, text) for value, text in field.options]
    element = _menu(field.name, field.example)
    if options:
        element = {"type": "static_select", "action_id": field.name, "placeholder": element["placeholder"],
                   "options": options}  # fmt: skip
    if field.chosen and (not options or field.chosen in dict(field.options)):
        shown = settings.shown_setting(field.name, field.chosen, language)
        element["initial_option"] = _option(field.chosen, shown)
    return _input(field.name, field.label, element, optional=True, hint=plain_text(field.hint))


def _menu(action_id: str, placeholder: str) -> dict[str, Any]:
    return {
        "type": "external_select",
        "action_id": action_id,
        "placeholder": plain_text(placeholder),
        "min_query_length": 0,
    }


def _input(block_id: str, label: str, element: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "input", "block_id": block_id, "label": plain_text(label), "element": element, **more}


def _form(callback_id: str, said: tuple[str, str], blocks: list[dict[str, Any]], metadata: str, language: str) -> View:
    """Return a form; ``said`` are its title and what sends it off."""
    title, submit = (plain_text(translated(text, language)) for text in said)
    return {
        "type": "modal",
        "callback_id": callback_id,
        "title": title,
        "submit": submit,
        "close": plain_text(told_button("Cancel", language)),
        "private_metadata": metadata,
        "blocks": blocks,
    }


def notice_view(title: str, sentence: str, language: str = DEFAULT) -> View:
    """Return a modal that says something and asks nothing."""
    blocks = [block for part in paragraphs(translated(sentence, language)) for block in part.blocks]
    said, close = (plain_text(translated(text, language)) for text in (title, "Close"))
    return {"type": "modal", "title": said, "close": close, "blocks": blocks}


def _context(text: str, language: str) -> dict[str, Any]:
    return _line(translated(text, language))


def _line(text: str) -> dict[str, Any]:
    return {"type": "context", "elements": [plain_text(text)]}
