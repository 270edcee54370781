"""What a message asks: whose it is, whether it ends an answer, and what of it goes to the agent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bots.confirming import STOP
from bots.contracts import Duty, Edit
from bots.desk.file_questions import CURRENCY
from bots.desk.linking import LINK, code_in
from bots.desk.replies import aside, said
from bots.errors import UnreadableRecord
from bots.import_words import read_person
from graph.turn import TurnRequest
from ledger.setting_words import read_currency
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bots.contracts import ConversationKey, Message
    from bots.history import History, Recollection
    from graph.turn import TurnOutcome
    from tools.calls import Choice

_GONE = "What this button asked is not here any more. Please ask it again."


def handler_named(text: str, recollection: Recollection) -> str:
    """Return the name of the handler that a typed text is for: itself, or the question before that it answers.

    Such a question keeps with its scope what may be said to it, as ``asks``: its name, and the answers. A code that was
    shown in another place is for linking.
    """
    if code_in(text):
        return LINK
    scope = recollection.past[-1].scope if recollection.past else None
    name, answers = scope.arguments.get("asks", ("", ())) if scope is not None else ("", ())
    typed = text.strip(" .!?/")
    answered = read_currency(typed) if name == CURRENCY else read_person(text, answers)
    return str(name) if answered else typed.casefold()


async def asked_of_agent(message: Message, recollection: Recollection, history: History) -> TurnRequest | TurnOutcome:
    """Return a turn for the agent, or its outcome where a button's reply is no longer the presser's own to look into."""
    choice = None
    if isinstance(message.content, Duty):  # of a version that had it
        return aside(said(_GONE, kind="refuse"), recollection)
    if isinstance(message.content, Edit):
        choice = await _offered(message, message.content.number, history)
        if choice is None:
            return aside(said(_GONE, kind="refuse"), recollection)
    return TurnRequest(
        person=message.person,
        conversation=str(message.conversation),
        text=message.text,
        audience=message.audience,
        surface=message.surface,
        call=message.content if isinstance(message.content, Call) else None,
        choice=choice,
        past=recollection.past,
        focus=recollection.focus,
    )


async def _offered(message: Message, number: str, history: History) -> Choice | None:
    """Return what the reply that a button stands below offers under a number; only of the presser's own conversation."""
    try:
        reply = await history.reply(message.conversation, message.about or "")
    except UnreadableRecord:
        return None
    return None if reply is None else reply.offered(number)


def is_stop(message: Message) -> bool:
    """Whether somebody wants something to end, if there is anything."""
    return message.kind == "text" and message.text.strip(" .!").casefold() in STOP


def conversation_to_stop(message: Message, going_on: Iterable[ConversationKey]) -> ConversationKey | None:
    """Return what a "stop" ends: what goes on in its conversation, or the only thing that does for its person.

    With nothing to stop it is a word like any other.
    """
    running = set(going_on)
    if message.conversation in running:
        return message.conversation
    theirs = [each for each in running if each.person == message.person]
    return theirs[0] if len(theirs) == 1 else None


OTHERS = "I answer everyone about their own money alone, so I say nothing about anybody else's."

#: A mention as it reads once a platform's form of it is taken off; what belongs to somebody ends with an "s".
_MENTION = re.compile(r"(?<![\w.@/])@\w[\w.-]*(?P<owns>['’]s\b)?")
_OWN = re.compile(r"\b(?:i|i've|i'm|my|mine|we|our|ich|mein\w*|wir|unser\w*)\b", re.IGNORECASE)
#: What sets somebody beside the asker, rather than naming whom the asker dealt with.
_BESIDE = re.compile(r"\b(?:than|as|like|and|or|vs\.?|versus|als|wie|und|oder)\s*$", re.IGNORECASE)


def is_about_another(text: str) -> bool:
    """Whether a question is about the money of somebody whom it mentions.

    Whom the asker paid or got something from is part of a question about the asker's own: "how much did I send to @bob".
    """
    for mention in _MENTION.finditer(text):
        before = text[: mention.start()]
        if mention["owns"] or not _OWN.search(before) or _BESIDE.search(before):
            return True
    return False
