"""What the person has set for themselves: shown, changed and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.catalogue import Template, say, translated
from ledger.errors import PreferenceRefused
from ledger.money import Money
from ledger.preferences import PREFERENCES, check_preference, show_preference, store_preference
from tools.calls import Call, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Result, Table
from tools.slots import AskedSetting, Setting, SettingValue
from tools.slots.settings import DEFAULT
from tools.wording import money

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from tools.results import Value

_CHANGE = "settings-change"
#: What holds where nothing is set.
_DEFAULTS = {
    "time_zone": "the default (that of the machine I run on)", "week_start": "the default (Monday)", "payday": "none",
    "currency": "the default (the one used most in your ledger)",
}  # fmt: skip
_SHOWN_MINOR = 123456
_HOW = "“Set my time zone to Berlin” changes one, “reset my time zone” takes it back."


@tool(
    app="settings",
    name="settings-show",
    examples=(
        "Show my settings",
        "What are my settings?",
        "What can I set?",
        "What is my time zone?",
        "Which currency do I use?",
        "When does my week start?",
        "Zeig mir meine Einstellungen",
        "Welche Zeitzone ist eingestellt?",
    ),
    keywords=("settings", "preferences", "time zone", "locale", "payday", "Einstellungen", "Zeitzone"),
)
async def show(context: ToolContext, setting: AskedSetting | None = None) -> Result:
    """The person's settings: time zone, start of the week, payday, locale and home currency.

    Args:
        setting: Only this one.
    """
    made = await context.ledger.settings()
    if setting is not None:
        names: dict[str, Value | Money] = {"setting": _words(setting), "value": _shown(setting, made, context)}
        return Result(
            "Your {setting} is {value}.", names=names, notes=(PREFERENCES[setting].meaning, _HOW), form="settings"
        )
    rows = tuple(
        (say(preference.label), _shown(name, made, context), say(preference.meaning))
        for name, preference in PREFERENCES.items()
    )
    return Result(
        "These are your settings.",
        notes=(_HOW,),
        table=Table((Column("Setting"), Column("Value"), Column("What it says")), rows),
        form="settings",
    )


@tool(
    app="settings",
    name=_CHANGE,
    examples=(
        "Set my time zone to Berlin",
        "My week starts on Sunday",
        "Use euros",
        "I get paid on the 25th",
        "Change my locale to German",
        "Reset my time zone",
        "Stell meine Zeitzone auf Berlin",
        "Meine Woche beginnt am Sonntag",
        "Setze meine Währung auf Euro",
        "Mein Gehalt kommt am 25.",
    ),
    keywords=("set", "change", "reset", "time zone", "week", "currency", "locale", "payday", "Zeitzone", "Währung"),
    writes=True,
)
async def change(context: ToolContext, setting: Setting, value: SettingValue) -> Result:
    """Change one of the person's settings, or take it back; only where they ask for it themselves.

    Args:
        setting: time_zone, week_start, payday, locale or currency.
        value: What to set it to, in the person's words; "default" takes it back.
    """
    try:
        key, wanted = check_preference(setting, value)
    except PreferenceRefused as refused:
        choices = tuple(
            choice_of(
                say("Set my {setting} to {value}", setting=_words(setting), value=choice), _CHANGE,
                setting=setting, value=choice,
            )
            for choice in refused.choices
        )  # fmt: skip
        said: dict[str, Value | Money] = {
            "setting": _words(setting), "value": value, "example": _example(setting)
        }  # fmt: skip
        refusal = "Your {setting} can't be “{value}”; an example is {example}."
        return Result(refusal, names=said, kind="clarify", choices=choices)
    made = await context.ledger.settings()
    after = {key: wanted} if wanted is not None else {}
    names: dict[str, Value | Money] = {"setting": _words(key), "before": _shown(key, made, context)}
    names["after"] = _shown(key, after, context)
    if made.get(key) == wanted:
        return Result("Your {setting} is {after} already.", names=names, kind="unchanged")

    async def work(connection: AsyncConnection) -> None:
        await store_preference(connection, context.ledger, key, wanted)

    notes = [PREFERENCES[key].meaning]
    if key == "locale" and wanted is not None:
        names["example"] = money(Money(_SHOWN_MINOR, context.currency), wanted)
        notes.append("an amount is then written like {example}")
    back = Call(_CHANGE, {"setting": key, "value": made.get(key, DEFAULT)})
    done = Change(work, "Your {setting} is now {after}.", back)
    return Result("Change your {setting} from {before} to {after}?", notes=tuple(notes), names=names, change=done)


def _words(name: str) -> Template:
    return say("home currency" if name == "currency" else name.replace("_", " "))


def _example(name: str) -> str:
    """Return a value that a setting can have; a weekday is a word, all others are names and numbers."""
    example = PREFERENCES[name].example
    return say(example) if name == "week_start" else example


def _shown(name: str, made: dict[str, str], context: ToolContext) -> str:
    """Return a setting's value as a person reads it; what is not set is the default."""
    if name in made:
        return show_preference(name, made[name])
    return translated(_DEFAULTS.get(name, "the default"), context.language, "setting")
