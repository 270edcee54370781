"""What a message asks of the agent: its words, the call that it names, or what its button stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from bots.contracts import Message
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
