"""The application's commands: how they are registered, and what a person asks who uses one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bots.cleaning import clean
from bots.contracts import SAVE_SETTINGS, Duty, Question
from bots.desk.commands import COMMANDS, LIST_ACCOUNTS, LOOKUPS, usage
from bots.discord_app.wording import LONGEST, plain
from bots.limits import Discord
from bots.payloads import look, text_at
from language.catalogue import tongues, translated
from ledger.preferences import PREFERENCES
from ledger.transactions import AccountType
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bots.contracts import Content

Json = dict[str, Any]

NAME: Final = "money"
EXPLAIN: Final = "Explain this charge"
"""The command in the menu of a message."""
ASK: Final = "ask"
FILES: Final = ("file", "second", "third", "fourth")
"""The options of ``import`` that take files."""

_CHAT, _MESSAGE = 1, 3
_PARTS = ("options", "choices")
_SUBCOMMAND, _STRING, _ATTACHMENT = 1, 3, 11
#: Installed in servers (0) and by people (1); used in servers, in direct messages with us, and in all others. A guild's
#: own commands have neither. https://docs.discord.com/developers/interactions/application-commands
_EVERYWHERE: Json = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
_LONGEST_QUESTION = 2000
_LONGEST_NAME = 100


#: What the subcommands are called in each language, and what they are.
_SPELLED = {translated(name, tongue, "command"): name for tongue in tongues() for name in (ASK, *COMMANDS)}
_TOLD = re.compile(rf"(?<![\w/<])/{NAME} ({'|'.join(_SPELLED)})\b")
_CODE = "```"


def _option(name: str, description: str, *, required: bool = False, suggests: bool = True, **more: Any) -> Json:
    option = {"type": _STRING, "name": name, "description": description, "required": required, **more}
    if suggests:
        option |= {"autocomplete": True, "max_length": _LONGEST_NAME}
    return option


def _choices(names: Iterable[str]) -> list[Json]:
    return [{"name": name, "value": name} for name in names]


_PERIOD = _option("period", "When, for example: last month, October 2026, since May")
_ACCOUNT = _option("account", "One of your accounts")
_OPTIONS: dict[str, Sequence[Json]] = {
    "summary": (_PERIOD, _ACCOUNT),
    "category": (_option("category", "One of your categories", required=True), _PERIOD, _ACCOUNT),
    "merchant": (_option("merchant", "A shop or company", required=True), _PERIOD, _ACCOUNT),
    "search": (
        _option(
            "words",
            "What to look for, for example: coffee over 5",
            required=True,
            suggests=False,
            max_length=_LONGEST_NAME,
        ),
        _PERIOD,
    ),
    "compare": (
        _option("one", "A month, a shop or a category", required=True),
        _option("another", "Another month, shop or category", required=True),
        _PERIOD,
    ),
    "accounts": (
        _option("account", "Which one"),
        _option("rename", "What it is to be called", suggests=False, max_length=60),
        _option("type", "Of which type it is", suggests=False, choices=_choices(map(str, AccountType))),
        _option("merge_into", "The account that it is the same as"),
        _option("delete", "Delete it with all of its transactions", suggests=False, choices=_choices(("yes",))),
    ),
    "settings": tuple(_option(each.name, each.meaning[:1].upper() + each.meaning[1:]) for each in PREFERENCES.values()),
    "import": tuple(
        {
            "type": _ATTACHMENT,
            "name": name,
            "description": "A file from your bank: CSV, OFX, QFX, CAMT or MT940" if not place else "Another file",
            "required": False,
        }
        for place, name in enumerate(FILES)
    ),
    "link": (_option("code", "The code that is shown where you use me already", suggests=False, max_length=40),),
    "forget": (
        _option(
            "what",
            "What to delete; it is shown first",
            suggests=False,
            choices=_choices(("conversations", "everything")),
        ),
    ),
    "help": (_option("command", "One of the commands", suggests=False, choices=_choices(COMMANDS)),),
}


def payload(*, guild: bool = False) -> list[Json]:
    """Return the commands as they are registered, everywhere or in one guild."""
    places = {} if guild else _EVERYWHERE
    question = _option("question", "In your own words", required=True, suggests=False, max_length=_LONGEST_QUESTION)
    subcommands = [
        {
            "type": _SUBCOMMAND,
            "name": ASK,
            "description": "ask about your money in your own words",
            "options": [question],
        },
        *(
            {
                "type": _SUBCOMMAND,
                "name": each.name,
                "description": each.meaning,
                "options": list(_OPTIONS.get(each.name, ())),
            }
            for each in COMMANDS.values()
        ),
    ]
    return [
        _localised(each)
        for each in (
            {
                "type": _CHAT,
                "name": NAME,
                "description": "Your own money, in exact figures",
                "options": subcommands,
                **places,
            },
            {"type": _MESSAGE, "name": EXPLAIN, **places},
        )
    ]


def _localised(entry: Json) -> Json:
    """Return a command, option or choice with its name and description in the other languages that we have words in."""
    told = {**entry, **{part: [_localised(each) for each in entry[part]] for part in _PARTS if part in entry}}
    for field, context in (("name", "command"), ("description", "")):
        text = entry.get(field, "")
        words = {language: translated(text, language, context) for language in tongues()[1:]}
        if known := {language: word for language, word in words.items() if word != text}:
            told[f"{field}_localizations"] = known
    return told


def number_of(found: Sequence[Any]) -> str:
    """Return the id of our command among those that are registered, nothing where it is not."""
    ours = (each for each in found if text_at(each, "name") == NAME and look(each, "type") in (_CHAT, None))
    return text_at(next(ours, None), "id")


def linked(source: str, number: str) -> str:
    """Return the source of a text in which our commands can be pressed, by their id; what is code stays as it is."""
    parts = source.split(_CODE)
    parts[::2] = [_TOLD.sub(lambda told: f"</{NAME} {_SPELLED[told[1]]}:{number}>", part) for part in parts[::2]]
    made = _CODE.join(parts)
    return made if len(made) <= Discord.CONTENT else source


def is_registered(wanted: Sequence[Mapping[str, Any]], found: Sequence[Any]) -> bool:
    """Whether what Discord has is what we want, apart from what it adds of its own."""
    places = sorted({name for each in wanted for name in _EVERYWHERE.keys() & each.keys()})
    there = [_essence(each, places) for each in found if isinstance(each, dict)]
    return sorted(map(str, there)) == sorted(str(_essence(each, places)) for each in wanted)


def asked(name: str, options: Mapping[str, str]) -> Content:
    """Return what a subcommand asks; its options mean what they are called."""
    given = {option: text for option, value in options.items() if (text := clean(value).strip())}
    match name:
        case "ask":
            return Question(plain(given.get("question", ""))[:LONGEST])
        case "accounts":
            return _changed_account(given)
        case "settings" if chosen := {each: given[each] for each in PREFERENCES if each in given}:
            return Duty(SAVE_SETTINGS, chosen)
        case "help":
            return usage(given["command"]) if "command" in given else Duty("help")
        case "forget" | "link":
            value = given.get("what") or given.get("code")
            return Duty(name, {"value": value} if value else {})
    return Duty(name, given if name in LOOKUPS else {})


def _changed_account(options: Mapping[str, str]) -> Call:
    """Return the change of an account that is asked for, the first where several are; the list where none is."""
    account = options.get("account", "")
    ways = {
        "rename": ("accounts-rename", "new_name"),
        "type": ("accounts-set_type", "type"),
        "merge_into": ("accounts-merge", "into"),
    }
    for option, (tool, argument) in ways.items():
        if account and options.get(option):
            return Call(tool, {"account": account, argument: options[option]})
    if account and options.get("delete"):
        return Call("accounts-delete", {"account": account})
    return Call(LIST_ACCOUNTS, {})


def _essence(command: Mapping[str, Any], places: Iterable[str]) -> Json:
    """Return what of a command is ours, in one form: Discord leaves out what is as it comes."""
    return {
        "type": command.get("type", _CHAT),
        **_said(command),
        **{name: sorted(command.get(name) or ()) for name in places},
        "options": [_option_essence(each) for each in command.get("options") or ()],
    }


def _said(entry: Mapping[str, Any]) -> Json:
    """Return the words of a command, option or choice, in every language."""
    words = {field: entry.get(field) or "" for field in ("name", "description")}
    return words | {
        f"{field}_localizations": sorted((entry.get(f"{field}_localizations") or {}).items()) for field in words
    }


def _option_essence(option: Mapping[str, Any]) -> Json:
    return {
        "type": option.get("type"),
        **_said(option),
        "required": bool(option.get("required")),
        "autocomplete": bool(option.get("autocomplete")),
        "max_length": option.get("max_length"),
        "choices": [(str(_said(each)), each.get("value")) for each in option.get("choices") or ()],
        "options": [_option_essence(each) for each in option.get("options") or ()],
    }
