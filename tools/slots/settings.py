"""Settings in sentences: which one is to be changed and to what, and which is asked for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

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
    "time_zone": any_of(r"time ?-?zone", r"zeit ?-?zone"),
    "week_start": any_of(
        r"(?:start|beginning|first day) of (?:the|my) week", r"week ?-?start(?: day)?",
        r"wochen-?(?:start|beginn|anfang)(?:stag)?", r"(?:erste[nr]? tag|beginn|anfang|start) (?:der|meiner) woche",
    ),
    "payday": any_of(r"pay ?-?day", r"(?:zahl|gehalts|lohn)-?tag"),
    "locale": any_of(r"locale", r"language", r"(?:number|date) format", r"sprache", r"(?:zahlen|datums)format"),
    "currency": any_of(r"(?:(?:home|base|default|main|own) )?currency", r"(?:heim|haus|haupt|standard)?-?wahrung"),
}  # fmt: skip
_SETTING = f"(?P<setting>{'|'.join(each.pattern for each in _NAMES.values())})(?: setting| einstellung)?"
_MY = r"(?:(?:my|the|our|mein(?:e[nr]?)?|die|den|unsere) )?"
_VALUE = r"(?P<value>[^?!:;]{1,60}?)"
_NOW = r"(?:,? (?:now|for me|from now on|instead|jetzt|ab jetzt|ab sofort|stattdessen))*"

#: A setting by its name, and a value.
_SET = forms_of(
    rf"(?:set|change|switch|make|put|update|adjust|move|turn) {_MY}{_SETTING}(?: over| back)?"
    rf"(?: from [^?!:;]{{1,40}}?)?(?: (?:to|as|into|on|be|=)| ?[:=])? {_VALUE}{_NOW}",
    rf"(?:setze?|stelle?|andere?|wechs(?:el|le)|mache?) {_MY}{_SETTING}(?: bitte)?(?: um)?"
    rf" (?:auf|zu|nach|in|=) ?{_VALUE}(?: (?:um|ein|fest))?{_NOW}",
    rf"{_MY}{_SETTING} (?:auf|zu|nach) {_VALUE} (?:um)?(?:stellen|setzen|andern|wechseln|einstellen|umstellen)",
    rf"(?:my|our|meine?|unsere?) {_SETTING} (?:is|should be|ist|soll)(?: now| jetzt)? {_VALUE}(?: sein)?{_NOW}",
    rf"{_MY}{_SETTING} ?(?:=|:|->|→) ?{_VALUE}",
    rf"(?:make|use) {_VALUE} (?:as |for )?(?:my|the|our) {_SETTING}{_NOW}",
    rf"use {_VALUE} (?:as|for) {_SETTING}{_NOW}",
    rf"use (?:the )?{_VALUE} {_SETTING}{_NOW}",
    rf"(?:nutze?|nimm|verwende?|benutze?) {_VALUE} als {_MY}{_SETTING}",
)
_RESET = forms_of(
    rf"(?:reset|unset|clear|delete|remove|forget|restore) {_MY}{_SETTING}(?: (?:back )?to (?:the )?(?:default|standard))?",
    rf"(?:set|put|change|switch) {_MY}{_SETTING} back",
    rf"(?:setze?|stelle?) {_MY}{_SETTING}(?: bitte)? zuruck",
    rf"(?:losche?|entferne?|vergiss) {_MY}{_SETTING}",
    rf"{_MY}{_SETTING} (?:zurucksetzen|loschen|entfernen)",
)
_WEEK_BEGINS = forms_of(
    rf"(?:(?:my|the|our) )?weeks? (?:should |shall )?(?:starts?|begins?) (?:on |with )?{_VALUE}{_NOW}",
    rf"(?:start|begin) (?:my|the|our) weeks? (?:on|with) {_VALUE}{_NOW}",
    rf"(?:(?:die|meine|unsere) )?wochen? (?:beginnt|startet|fangt)(?: bei mir| immer)? (?:am |mit )?{_VALUE}(?: an)?",
    rf"(?:(?:die|meine|unsere) )?woche (?:soll )?(?:am |mit ){_VALUE} (?:beginnen|starten|anfangen)(?: lassen)?",
)
_PAID = forms_of(
    rf"(?:i am|im|i['’´`]m|i get|we get|i am getting) (?:always |usually )?paid (?:on |at )?{_VALUE}",
    rf"(?:i|we) get (?:my|our) (?:salary|pay|wages?|paycheck) (?:on |at )?{_VALUE}",
    rf"(?:my|our) (?:salary|pay|wages?|paycheck) (?:comes(?: in)?|arrives|is paid|gets paid) (?:on |at )?{_VALUE}",
    rf"(?:payday|zahltag) (?:is|ist)(?: on| immer)? {_VALUE}",
    rf"ich (?:bekomme?|kriege?|erhalte?) (?:immer )?{_MY}(?:gehalt|lohn) {_VALUE}",
    rf"ich (?:bekomme?|kriege?|erhalte?) (?:immer )?{_VALUE} {_MY}(?:gehalt|lohn)",
    rf"{_MY}(?:gehalt|lohn) (?:kommt|gibt es|wird)(?: immer)? {_VALUE}(?: (?:gezahlt|uberwiesen|bezahlt))?",
    rf"ich werde(?: immer)? {_VALUE} bezahlt",
)
_USED = forms_of(
    rf"(?:use|switch to|change to|go with|i use|work in|count in|calculate in) (?:the )?{_VALUE}"
    rf"(?: (?:numbers|formats?|conventions|style|as default|by default))?{_NOW}",
    rf"(?:nutze?|nimm|verwende?|benutze?|rechne in|wechs(?:el|le) zu) {_VALUE}(?: (?:als standard|schreibweise|format))?",
)
_TIME_OF = forms_of(
    rf"(?:use|switch to|change to|go by) {_VALUE} time{_NOW}",
    rf"(?:i am|im|i['’´`]m|we are) (?:in|on) (?:the )?{_VALUE} time(?: zone)?{_NOW}",
    rf"(?:nutze?|nimm|verwende?|benutze?) (?:die )?{_VALUE} (?:orts)?zeit",
    rf"ich bin in der zeitzone {_VALUE}",
)
#: Ways of saying a setting without its name: only with a value that it can have.
_IMPLIED = (
    *((form, ("week_start",)) for form in _WEEK_BEGINS),
    *((form, ("payday",)) for form in _PAID),
    *((form, ("time_zone",)) for form in _TIME_OF),
    *((form, ("currency", "locale")) for form in _USED),
)
_DEFAULT = any_of(r"(?:the |its |den |die )?(?:default|standard|standardwert)(?: value)?", "none", "nothing", "nichts")

_SETTINGS = r"(?:settings|preferences|options|einstellungen|optionen)"
_SHOW_ALL = forms_of(
    r"(?:(?:show|list|give|tell|display|read|see|view|zeige?|liste|nenne?)(?: (?:me|mir))?(?: auf)? )?"
    rf"(?:(?:my|your|the|all|current|meine|deine|die|alle|aktuellen) )*{_SETTINGS}(?: (?:an|auf))?",
    rf"(?:what|which) (?:are |is )?(?:(?:my|the|your|current) )*{_SETTINGS}(?: (?:are|do|can|have|did) (?:there|i|you|we)"
    r"(?: (?:have|made?|change|set|got))?)?",
    r"what (?:can|could) i (?:set|change|configure)",
    r"what (?:did|have) i set(?: up)?",
    rf"(?:was sind|welche|wie sind) (?:(?:meine|die|deine) )*{_SETTINGS}(?: (?:habe ich|gibt es|hast du))?(?: gemacht)?",
    r"was kann ich einstellen",
)
_SHOW_ONE = forms_of(
    rf"(?:what|which|when)(?:['’´`]?s| is) {_MY}(?:current )?{_SETTING}(?: set to)?",
    rf"(?:show|tell)(?: me)? {_MY}{_SETTING}",
    rf"(?:what|which) {_SETTING} (?:do|did|have|am) (?:i|you) (?:use|using|have|set|in|on|assume)",
    rf"(?:in )?(?:what|which) {_SETTING} am i(?: in)?",
    rf"(?:my|meine?) {_SETTING}",
    rf"(?:was|wie|wann|welche[rs]?) ist {_MY}{_SETTING}(?: eingestellt)?",
    rf"(?:in )?welche[rns]? {_SETTING} (?:habe ich|bin ich|nutzt du|verwendest du|ist eingestellt)",
    rf"zeige?(?: mir)? {_MY}{_SETTING}",
    r"(?:when|on (?:what|which) day|what day) does (?:my|the) (?P<setting>week (?:start|begin))(?: on)?",
    r"(?:wann|an welchem tag) (?:beginnt|startet) (?:meine|die) (?P<setting>woche)",
)


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
    return re.sub(r" (?:time|zeit)$", "", words, flags=re.IGNORECASE) if setting == "time_zone" else words


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
