"""What is said to those who greet, thank, or ask how to go about it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bots.confirming import NO, STOP, YES
from bots.desk.bank_guide import NO_CONNECTION, guide
from bots.desk.importing import FORMATS, bringing
from bots.desk.replies import aside, offering, said
from graph.examples import THEMES, questions_of
from graph.reply import Action, Actions, Text
from language.catalogue import joined, say

if TYPE_CHECKING:
    from bots.contracts import Content, Message
    from bots.desk.desk import Desk, Handler
    from bots.desk.replies import Part
    from bots.history import Recollection
    from graph.examples import Theme
    from graph.turn import TurnOutcome
    from tools.context import ToolContext

PRIVATE = (
    "Only you see your figures. Your transactions stay on the machine that I run on; "
    "what is said and dropped here is kept by this platform as any other message."
)
WHAT_I_AM = "I answer questions about your own money."
COMPUTED = (
    "Every figure is computed from the bank files that you bring; a language model, where there is one, computes none."
)
_HELLO = "Hello. Ask about your money in your own words; “help” shows what can be asked."
_LINES = {
    "thanks": "You're welcome.",
    "farewell": "Goodbye.",
    "how_to_language": (
        "Ask in English or German: the answer comes in the language of the question. "
        "“Set my locale to German” also sets that of everything else, and how amounts and dates are written."
    ),
}
_DELETING = "{command} deletes your conversations, or everything that is yours; you are asked first."
_UNDOING = "“undo” takes back the last change or import. You see what would go before it does."
_UNDOING_HERE = "“undo” takes back the last change, and /undo the last import. You see what would go before it does."
_NOTHING_TO_STOP = "There is nothing to stop."
_NOTHING_TO_CONFIRM = "Nothing waits for a yes or no."
_OWN_WORDS = "Ask in your own words, in English or German, for example:"
#: How many questions of each theme are listed where there are no buttons for the others.
_LISTED = 2


def talk_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers of what is said beside questions, by the kind of it; ``desk`` tells what its ledger can answer."""
    return {
        "greeting": _greet,
        **{kind: partial(_reply, line) for kind, line in _LINES.items()},
        **dict.fromkeys(YES | NO, _answer_nothing),
        **dict.fromkeys(STOP, partial(_reply, _NOTHING_TO_STOP)),
        "who_are_you": _introduce,
        "what_to_ask": partial(_show_themes, desk),
        "how_to_delete": _tell_of_deleting,
        "how_to_undo": _tell_of_undoing,
        "readable_files": _tell_of_formats,
        "bank_file": _tell_of_files,
        "connect_bank": partial(_tell_of_files, first=NO_CONNECTION),
    }


async def _reply(line: str, _message: Message, recollection: Recollection) -> TurnOutcome:
    return aside(said(line), recollection)


async def _answer_nothing(message: Message, recollection: Recollection) -> TurnOutcome | Content:
    """Say that a yes or no answers nothing, unless a question was asked that is no proposal."""
    if recollection.past and recollection.past[-1].kind == "clarify":
        return message.content
    return aside(said(_NOTHING_TO_CONFIRM), recollection)


async def _greet(message: Message, recollection: Recollection) -> TurnOutcome:
    """Greet back, with a way on for who would rather press than type."""
    ask = Actions((Action("What I can ask", "help"),))
    return aside(said(_HELLO, *(() if message.surface.terminal else (ask,))), recollection)


async def _introduce(message: Message, recollection: Recollection) -> TurnOutcome:
    privacy = () if message.surface.terminal else (PRIVATE,)
    return aside(said(WHAT_I_AM, COMPUTED, *privacy, bringing(message.surface)), recollection)


async def _tell_of_deleting(message: Message, recollection: Recollection) -> TurnOutcome:
    return aside(said(say(_DELETING, command=say(message.surface.forgetting))), recollection)


async def _tell_of_undoing(message: Message, recollection: Recollection) -> TurnOutcome:
    return aside(said(_UNDOING_HERE if message.surface.terminal else _UNDOING), recollection)


async def _tell_of_formats(message: Message, recollection: Recollection) -> TurnOutcome:
    return aside(said(FORMATS, bringing(message.surface)), recollection)


async def _tell_of_files(message: Message, recollection: Recollection, *, first: str = "") -> TurnOutcome:
    headline, *steps = guide(message.text, message.surface)
    return aside(said(first or headline, *steps), recollection)


async def _show_themes(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what can be asked, by theme: a question of each with a button for more, or some of each where buttons aren't shown."""
    language = await desk.language(message, recollection)
    context = replace(await desk.context(message.person), language=language)
    if message.surface.terminal:
        parts: list[Part] = [_listed(theme, context) for theme in THEMES]
    else:
        parts = ["\n".join(f"· {questions_of(theme, context)[0].label}" for theme in THEMES), theme_buttons()]
    if not context.vocabulary.count:
        parts.append(bringing(message.surface))
    return aside(said(_OWN_WORDS, *parts), recollection)


def theme_buttons() -> Actions:
    """Return a button for each theme."""
    return Actions(tuple(Action(say(theme.title), "help", theme.key) for theme in THEMES))


def about_theme(theme: Theme, context: ToolContext, recollection: Recollection) -> TurnOutcome:
    """Show the questions of a theme, each as a button where there is something to ask about."""
    questions = questions_of(theme, context)
    if context.vocabulary.count:
        return aside(offering(said(say(theme.title)), questions), recollection)
    listed = "\n".join(f"· {question.label}" for question in questions)
    return aside(said(say(theme.title), listed), recollection)


def _listed(theme: Theme, context: ToolContext) -> Text:
    questions = (say("· {question}", question=each.label) for each in questions_of(theme, context)[:_LISTED])
    return Text(joined((say(theme.title), *questions), "\n"))
