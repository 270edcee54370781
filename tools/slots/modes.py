"""Focus modes in sentences: which one is to begin, and which to end."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from language.lexicon import patterns
from tools.focus import FOCUS_MODES
from tools.slots.sentences import Sentence, SentenceSlot, any_of, forms_of, match_core, whole
from tools.slots.slot import Checked

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from tools.slots.slot import Mention

#: What people call the modes.
_NAMES: Mapping[str, re.Pattern[str]] = {
    name: any_of(*patterns("mode_names", name)) for name in ("subscription_audit", "month_close", "plain_answers")
}
_PARTS = {
    "mode": f"(?P<mode>{'|'.join(each.pattern for each in _NAMES.values())})(?:[ -]{{focus_word}})?(?:[ -]?{{mode_word}})?",
    "a": r"(?:{article} )*",
    "now": r"(?:,? {now_on})*",
}
_START = forms_of("modes", "start", **_PARTS)
#: Ways of asking for a mode without its name.
_START_OTHERWISE = {name: forms_of("modes_meant", name) for name in _NAMES}
_END = forms_of("modes", "end", **_PARTS)


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
