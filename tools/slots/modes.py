"""Focus modes in sentences: which one is to begin, and which to end."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tools.focus import FOCUS_MODES
from tools.slots.sentences import Sentence, SentenceSlot, any_of, forms_of, match_core, whole
from tools.slots.slot import Checked

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from tools.slots.slot import Mention

#: What people call the modes.
_NAMES: Mapping[str, re.Pattern[str]] = {
    "subscription_audit": any_of(
        r"subscriptions?[ -](?:audit|review|check(?:-?up)?)", r"audit of (?:my |the )?subscriptions",
        r"abo(?:nnement)?s?[ -]?(?:prufung|audit|check|durchsicht)", r"prufung (?:der|meiner|aller) abos",
    ),
    "month_close": any_of(
        r"month(?:ly)?[ -](?:end[ -])?(?:close|closing)", r"clos(?:e|ing) (?:of )?(?:the )?month",
        r"monats-?abschlus+",
    ),
    "plain_answers": any_of(
        r"(?:plain|simple|short|brief)(?:er)?[ -](?:answers?|replies|words|mode)", r"plain english", r"headlines only",
        r"(?:einfache|kurze|knappe|schlichte)[nrm]? (?:antworten|worten?|modus)",
    ),
}  # fmt: skip
_MODE = (
    f"(?P<mode>{'|'.join(each.pattern for each in _NAMES.values())})(?:[ -](?:focus|fokus))?(?:[ -]?(?:mode|modus))?"
)
_A = r"(?:(?:a|an|the|my|our|this|ein(?:e[nmr]?)?|der|die|das|den|dem|mein(?:e[nmr]?)?|zum|ins?) )*"
_NOW = r"(?:,? (?:now|for me|from now on|again|jetzt|ab jetzt|ab sofort|wieder))*"

_START = forms_of(
    rf"(?:start|begin|activate|enable|turn on|switch on|switch (?:in)?to|change to|go (?:in)?to|enter|do|run|open|use|set|"
    rf"get|give me|make|keep to|put me in(?:to)?|time for|i need|i want|i would like|focus on)(?: with)? {_A}{_MODE}{_NOW}",
    rf"(?:turn|switch) {_A}{_MODE} on{_NOW}",
    rf"(?:starte?|beginne?|aktiviere?|mache?|offne|nutze|gib mir|wechs(?:el|le) (?:in|zu)|gehe? in)"
    rf"(?: bitte| mal)* {_A}{_MODE}{_NOW}(?: (?:starten|beginnen|machen))?",
    rf"schalte? {_A}{_MODE} (?:an|ein){_NOW}",
    rf"{_A}{_MODE} (?:starten|beginnen|aktivieren|machen|einschalten|an|on){_NOW}",
    rf"(?:answer|reply)(?: me)? (?:in|with) {_A}{_MODE}{_NOW}",
    rf"antworte(?: mir)? (?:in|mit) {_A}{_MODE}{_NOW}",
    rf"{_A}{_MODE}{_NOW}",
)
#: Ways of asking for a mode without its name.
_START_OTHERWISE = {
    "subscription_audit": forms_of(
        r"audit (?:all )?(?:my|our|the) subscriptions", r"(?:meine|die|alle) abos (?:prufen|durchgehen)"
    ),
    "month_close": forms_of(
        r"close (?:out )?(?:the|this|last|my) month", r"(?:den )?monat abschlies+en", r"schlies+e? den monat ab"
    ),
    "plain_answers": forms_of(
        r"(?:answer|reply)(?: me)? (?:more )?(?:plainly|simply|briefly)",
        r"(?:just|only) (?:the )?(?:headlines?|figures?)(?: from now on)?",
        r"keep (?:it|(?:the |your )?answers) (?:plain|simple|short|brief)", r"antworte(?: mir)? (?:einfach|kurz|knapp)er?",
    ),
}  # fmt: skip
_STOP = (
    r"(?:stop|end|leave|exit|quit|finish|deactivate|disable|turn off|switch off|close|cancel|drop|abort|get out of|"
    r"beende|verlasse|stoppe?|deaktiviere)(?: bitte)?"
)
_FOCUS = r"(?:focus(?:[ -]?modes?)?|mode|fokus(?:-?modus)?|modus)"
_END = forms_of(
    rf"{_STOP}(?: (?:with|doing))? {_A}{_MODE}{_NOW}",
    rf"{_STOP} {_A}{_FOCUS}{_NOW}",
    r"unfocus|stop focuss?ing",
    rf"(?:turn|switch) {_A}(?:{_MODE}|{_FOCUS}) off{_NOW}",
    rf"schalte? {_A}(?:{_MODE}|{_FOCUS}) (?:aus|ab){_NOW}",
    rf"{_A}(?:{_MODE}|{_FOCUS}) (?:beenden|verlassen|stoppen|ausschalten|deaktivieren|aus|off|over|done)",
    rf"(?:no|kein(?:e[nm]?)?)(?: more| mehr)? (?:{_MODE}|{_FOCUS})(?: mehr)?(?: any ?more)?",
    rf"(?:go )?back to normal(?: mode| answers)?{_NOW}",
    rf"(?:give me |use )?(?:normal|full|detailed|regular) (?:mode|answers){_NOW}",
    rf"(?:wieder )?(?:normale|ausfuhrliche|normaler) (?:antworten|modus){_NOW}",
    r"wieder normal",
)


@lru_cache(maxsize=128)
def _begun(sentence: Sentence) -> Sequence[Mention]:
    """The mode that a sentence begins."""
    if sentence.asks:
        return ()
    found = match_core(_START, sentence)
    if found is not None:
        return whole("mode", _named(found["mode"]), sentence)
    meant = next((name for name, forms in _START_OTHERWISE.items() if match_core(forms, sentence)), None)
    return whole("mode", meant, sentence) if meant else ()


@lru_cache(maxsize=128)
def _ended(sentence: Sentence) -> Sequence[Mention]:
    """The mode that a sentence ends; None where it ends whichever is on."""
    found = None if sentence.asks else match_core(_END, sentence)
    if found is None:
        return ()
    mode = found.groupdict().get("mode")
    return whole("left_mode", _named(mode) if mode else None, sentence)


def _named(words: str) -> str:
    return next(name for name, names in _NAMES.items() if names.fullmatch(words))


def _judge(value: Any) -> Checked:
    """Accept a mode's name."""
    return Checked(value) if value in FOCUS_MODES else Checked(problem="There is no such focus mode.", choices=_ALL)


_ALL = tuple(FOCUS_MODES)
MODE = SentenceSlot("mode", "Which focus mode", _begun, _judge, _ALL)
LEFT_MODE = SentenceSlot("left_mode", "Only if it is this one that is on", _ended, _judge, _ALL)
