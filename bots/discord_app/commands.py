"""The application's commands: how they are registered, and what a person asks who uses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bots.desk.commands import COMMANDS, Asked, read_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Json = dict[str, Any]

NAME: Final = "money"
EXPLAIN: Final = "Explain this charge"
"""The command in the menu of a message."""
ASK: Final = "ask"
FILES: Final = ("file", "second", "third", "fourth")
"""The options of ``import`` that take files."""

_CHAT, _MESSAGE = 1, 3
_SUBCOMMAND, _STRING, _ATTACHMENT = 1, 3, 11
#: Installed in servers (0) and by people (1); used in servers, in direct messages with us, and in all others.
#: https://docs.discord.com/developers/interactions/application-commands
_EVERYWHERE: Json = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
_LONGEST_QUESTION = 2000
_LONGEST_NAME = 100


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
    "import": tuple(
        {
            "type": _ATTACHMENT,
            "name": name,
            "description": "A file from your bank: CSV, OFX or QFX" if not place else "Another file",
            "required": False,
        }
        for place, name in enumerate(FILES)
    ),
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


def payload() -> list[Json]:
    """Return the commands as they are registered."""
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
        {
            "type": _CHAT,
            "name": NAME,
            "description": "Your own money, in exact figures",
            "options": subcommands,
            **_EVERYWHERE,
        },
        {"type": _MESSAGE, "name": EXPLAIN, **_EVERYWHERE},
    ]


def is_registered(wanted: Sequence[Mapping[str, Any]], found: Sequence[Any]) -> bool:
    """Whether what Discord has is what we want, apart from what it adds of its own."""
    there = [_essence(each) for each in found if isinstance(each, dict)]
    return sorted(map(str, there)) == sorted(str(_essence(each)) for each in wanted)


def asked(name: str, options: Mapping[str, str]) -> Asked:
    """Return what a subcommand asks, as the same words typed after a command would."""
    if name == ASK:
        return Asked(options.get("question", "").strip())
    period, account = options.get("period", ""), options.get("account", "")
    match name:
        case "search":
            words = f"{options.get('words', '')} {period}"
        case "compare":
            words = f"{options.get('one', '')} and {options.get('another', '')} {period}"
        case "summary":
            words = f"{period or 'last month'}{f' from {account}' if account else ''}"
        case "category" | "merchant":
            words = f"{options.get(name, '')} {period}{f' from {account}' if account else ''}"
        case _:
            words = options.get("what", "") or options.get("command", "")
    return read_command(f"{name} {words}")


def _essence(command: Mapping[str, Any]) -> Json:
    """Return what of a command is ours, in one form: Discord leaves out what is as it comes."""
    return {
        "type": command.get("type", _CHAT),
        "name": command.get("name"),
        "description": command.get("description") or "",
        "contexts": sorted(command.get("contexts") or ()),
        "integration_types": sorted(command.get("integration_types") or ()),
        "options": [_option_essence(each) for each in command.get("options") or ()],
    }


def _option_essence(option: Mapping[str, Any]) -> Json:
    return {
        "type": option.get("type"),
        "name": option.get("name"),
        "description": option.get("description") or "",
        "required": bool(option.get("required")),
        "autocomplete": bool(option.get("autocomplete")),
        "max_length": option.get("max_length"),
        "choices": [(each.get("name"), each.get("value")) for each in option.get("choices") or ()],
        "options": [_option_essence(each) for each in option.get("options") or ()],
    }
