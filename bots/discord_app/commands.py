"""The application's commands: how they are registered, and what a person asks who uses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bots.cleaning import clean
from bots.desk.commands import COMMANDS, LIST_ACCOUNTS, Asked, during, read_command, search
from bots.desk.settings import SAVE
from bots.discord_app.suggestions import months, own_names
from bots.discord_app.wording import plain
from language.catalogue import say, tongues, translated
from ledger.errors import UnknownPeriod
from ledger.periods import find_periods
from ledger.preferences import PREFERENCES
from ledger.transactions import AccountType
from tools.calls import Call
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tools.context import ToolContext

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
_TOOLS = {"category": "spending-analyze_by_category", "merchant": "spending-analyze_merchant"}
_UNKNOWN = (
    "I don't know “{name}”. Choose from what is offered while you type, or ask in your own words with /money ask."
)
_NO_PAIR = (
    "I compare two different months, two shops or two categories with each other. "
    "“{one}” and “{another}” are no such pair."
)
_SUMMARY, _COMPARE = "spending-get_spending_summary", "spending-compare"


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


def is_registered(wanted: Sequence[Mapping[str, Any]], found: Sequence[Any]) -> bool:
    """Whether what Discord has is what we want, apart from what it adds of its own."""
    places = sorted({name for each in wanted for name in _EVERYWHERE.keys() & each.keys()})
    there = [_essence(each, places) for each in found if isinstance(each, dict)]
    return sorted(map(str, there)) == sorted(str(_essence(each, places)) for each in wanted)


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
        case "accounts":
            return _changed_account(options)
        case "settings" if given := {each: options[each] for each in PREFERENCES if options.get(each)}:
            return Asked(call=Call(SAVE, given))
        case "category" | "merchant":
            words = f"{options.get(name, '')} {period}{f' from {account}' if account else ''}"
        case _:
            words = options.get("what", "") or options.get("command", "")
    return read_command(f"{name} {words}")


def _changed_account(options: Mapping[str, str]) -> Asked:
    """Return the change of an account that is asked for, the first where several are; the list where none is."""
    account = options.get("account", "")
    ways = {
        "rename": ("accounts-rename", "new_name"),
        "type": ("accounts-set_type", "type"),
        "merge_into": ("accounts-merge", "into"),
    }
    for option, (tool, argument) in ways.items():
        if account and options.get(option):
            return Asked(call=Call(tool, {"account": account, argument: options[option]}))
    if account and options.get("delete"):
        return Asked(call=Call("accounts-delete", {"account": account}))
    return Asked(call=Call(LIST_ACCOUNTS, {}))


def chosen(name: str, options: Mapping[str, str], context: ToolContext | None) -> Asked | str:
    """Return what a subcommand asks whose options are completed: the person's own names and a period, each as it stands.

    Its words go with the call. Where an option holds anything else they are what is asked, or, where they could be read
    in another way, a sentence says what is not known. ``context`` is None for somebody who has no ledger.
    """
    given = {option: text for option, value in options.items() if (text := clean(value).strip())}
    words = {option: plain(value) for option, value in given.items()}
    said = asked(name, words)
    if context is None or any(each["required"] and each["name"] not in given for each in _OPTIONS[name]):
        return said
    if name == "search":
        return _search(words, context)
    meant = {option: _meanings(option, value, context) for option, value in given.items()}
    unknown = [words[option] for option, kinds in meant.items() if not kinds]
    if unknown:
        names = [given[option] for option, kinds in meant.items() if kinds.keys() - {"period"}]
        in_words = all(_is_plain(each, context) for each in names)
        return said if in_words else say(_UNKNOWN, name=unknown[0])
    call = _comparison(meant) if name == "compare" else _call(name, meant)
    return Asked(said.text, call) if call else say(_NO_PAIR, one=words["one"], another=words["another"])


def _search(words: Mapping[str, str], context: ToolContext) -> Asked:
    """Look for words; a period that is none is looked for among them."""
    text, period = words.get("words", ""), words.get("period", "")
    names = own_names("merchant", context.vocabulary)
    if period and not _is_period(period, context):
        return search(f"{text} {period}", names=names)
    return search(text, period, names)


def _call(name: str, meant: Mapping[str, Mapping[str, str]]) -> Call:
    # A name by itself may be taken for no value ("None") or for several (“["A", "B"]”); in a list it is one name.
    names = {kind: [own] for option in (name, "account") for kind, own in meant.get(option, {}).items()}
    period = meant.get("period", {}).get("period", "")
    if name == "summary":
        return Call(_SUMMARY, {"period": period or "last month", **names})
    return Call(_TOOLS[name], {**names, **during(period)})


def _comparison(meant: Mapping[str, Mapping[str, str]]) -> Call | None:
    """Return the comparison of two that are of one kind; None where they are not, or are the same."""
    one, another, period = meant["one"], meant["another"], meant.get("period", {}).get("period", "")
    kind = next((kind for kind in one if kind in another and one[kind] != another[kind]), "")
    if kind == "period":
        return Call(_COMPARE, {"periods": [one[kind], another[kind], *([period] if period else [])]})
    return Call(_COMPARE, {kind: [one[kind], another[kind]], **during(period)}) if kind else None


def _meanings(option: str, value: str, context: ToolContext) -> dict[str, str]:
    """Return the kinds of thing that an option's value is, each with its name, the kind that is offered first first."""
    sides = option in ("one", "another")
    kinds = ("category", "merchant") if sides else (option,)
    names = {kind: own for kind in kinds if (own := _own(value, own_names(kind, context.vocabulary)))}
    may_be_time = option == "period" or (sides and (not names or value in months(context.vocabulary)))
    return {"period": value, **names} if may_be_time and _is_period(value, context) else names


def _own(value: str, names: Sequence[str]) -> str:
    """Return a name as the ledger writes it."""
    if value in names:
        return value
    return next((name for name in names if name.casefold() == value.casefold()), "")


def _is_period(value: str, context: ToolContext) -> bool:
    try:
        read_period(value, context)
    except UnknownPeriod:
        return False
    return True


def _is_plain(name: str, context: ToolContext) -> bool:
    """Whether a name means itself in a sentence, where times and figures are read before names."""
    return not find_periods(name, context.today) and not any(char.isdigit() for char in name)


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
