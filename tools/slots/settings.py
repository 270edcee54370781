"""Settings in sentences: which one is to be changed and to what, and which is asked for."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from language.lexicon import patterns
from ledger.importers.currencies import CODES
from ledger.preferences import PREFERENCES
from ledger.setting_words import currency_named, read_locale, read_payday, read_weekday, read_zone
from tools.slots.sentences import Sentence, SentenceSlot, any_of, forms_of, match_core, whole
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DEFAULT = "default"
_LONGEST = 60
#: Codes that are no words, so that small letters will do.
_PLAIN_CODES = frozenset("eur usd gbp chf jpy cad aud nzd sek nok dkk pln czk huf".split())

#: What people call the settings.
_NAMES: Mapping[str, re.Pattern[str]] = {
    name: any_of(*patterns("setting_names", name))
    for name in ("time_zone", "week_start", "payday", "locale", "currency")
}
_PARTS = {
    "setting": f"(?P<setting>{'|'.join(each.pattern for each in _NAMES.values())})"
    f"(?: (?:{'|'.join(patterns('setting_names', 'setting'))}))?",
    "value": r"(?P<value>[^?!:;]{1,60}?)",
    "my": r"(?:{own} )?",
    "now": r"(?:,? {now_on})*",
}
_forms = partial(forms_of, "settings", **_PARTS)

#: A setting by its name, and a value.
_SET = _forms("set")
_RESET = _forms("reset")
#: Ways of saying a setting without its name: only with a value that it can have.
_IMPLIED = tuple(
    (form, settings)
    for name, settings in (
        ("week_begins", ("week_start",)),
        ("paid", ("payday",)),
        ("time_of", ("time_zone",)),
        ("used", ("currency", "locale")),
    )
    for form in _forms(name)
)
_DEFAULT = any_of(*patterns("settings", "default"))
_OF_TIME = re.compile(f" (?:{'|'.join(patterns('settings', 'time_word'))})$", re.IGNORECASE)
_SHOW_ALL = _forms("show_all")
_SHOW_ONE = _forms("show_one")


@lru_cache(maxsize=128)
def _wished(sentence: Sentence) -> Sequence[Mention]:
    """The setting that a sentence changes, and the value: between them the whole sentence."""
    if sentence.asks:
        return ()
    reset = match_core(_RESET, sentence)
    if reset is not None:
        cut = reset.start("setting") or reset.end("setting")
        return _split(sentence, cut, _named(reset["setting"]), DEFAULT, value_first=reset.start("setting") > 0)
    found = match_core(_SET, sentence)
    if found is not None:
        setting = _named(found["setting"])
        return _split(sentence, found.start("value"), setting, _value(setting, sentence.written(*found.span("value"))))
    for form, settings in _IMPLIED:
        found = form.fullmatch(sentence.folded)
        value = sentence.written(*found.span("value")) if found else ""
        meant = [each for each in settings if value and _can_be(each, value)]
        if found and meant:
            return _split(sentence, found.start("value"), meant[0], value)
    return ()


def _split(sentence: Sentence, cut: int, setting: str, value: str, *, value_first: bool = False) -> Sequence[Mention]:
    """Return the two mentions that meet at a place of the core."""
    at, text = sentence.start + cut, sentence.text
    slots = (("value", value), ("setting", setting)) if value_first else (("setting", setting), ("value", value))
    spans = ((0, at), (at, len(text)))
    return tuple(
        Mention(slot, start, end, meant, text[start:end].strip())
        for (slot, meant), (start, end) in zip(slots, spans, strict=True)
    )


def _named(words: str) -> str:
    """Return the setting that words of ours mean."""
    return next((name for name, names in _NAMES.items() if names.fullmatch(words)), "week_start")


def _value(setting: str, words: str) -> str:
    """Return a value without what is only said around it."""
    if _DEFAULT.fullmatch(words.casefold()):
        return DEFAULT
    words = re.sub(r"^the ", "", words, flags=re.IGNORECASE)
    return _OF_TIME.sub("", words) if setting == "time_zone" else words


def _can_be(setting: str, value: str) -> bool:
    """Whether a setting can have this value, and it would be taken for one where nothing names the setting."""
    if setting == "currency":
        return bool(currency_named(value)) or value in CODES or value in _PLAIN_CODES
    if setting == "locale":  # a code may be any word ("it", "is")
        return len(value) > len("en_US") and bool(read_locale(value))
    return bool(_READ[setting](value))


_READ: Mapping[str, Callable[[str], str | None]] = {
    "week_start": read_weekday, "payday": read_payday, "time_zone": read_zone,
}  # fmt: skip


@lru_cache(maxsize=128)
def _asked(sentence: Sentence) -> Sequence[Mention]:
    """The setting that a sentence asks for; None where all are."""
    if match_core(_SHOW_ALL, sentence):
        return whole("asked_setting", None, sentence)
    found = match_core(_SHOW_ONE, sentence)
    return whole("asked_setting", _named(found["setting"]), sentence) if found else ()


def _judge(value: Any) -> Checked:
    """Accept a setting's name."""
    return Checked(value) if value in PREFERENCES else Checked(problem="There is no such setting.", choices=_ALL)


def _judge_value(value: Any) -> Checked:
    """Accept a few words; whether the setting can have this value is for the tool to say."""
    words = " ".join(str(value).split())
    if not words or len(words) > _LONGEST:
        return Checked(problem="That is no value for a setting.")
    return Checked(words)


_ALL = tuple(PREFERENCES)
SETTING = SentenceSlot("setting", "Which setting", _wished, _judge, _ALL)
VALUE = SentenceSlot("value", f"Its new value in the person's words, or {DEFAULT}", _wished, _judge_value)
ASKED_SETTING = SentenceSlot("asked_setting", "Only this setting", _asked, _judge, _ALL)
