"""The one-time greeting, the help page, and made-up data to try things out with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bots.confirming import STOP, Done
from bots.desk.commands import COMMANDS
from bots.desk.importing import BRINGING, UNDO
from bots.desk.replies import aside, said
from bots.desk.settings import NO_CHANGES
from bots.errors import ActionRefused
from bots.import_words import counted
from graph.nodes.explain import examples_for
from graph.reply import Action, Actions, Audience
from ledger.imports import import_files
from ledger.preferences import store_preference
from ledger.sample import SAMPLE_NAME, sample_csv
from ledger.statement_writer import SourceFile
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.confirming import Consume, Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.desk.replies import Part
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from ledger.people import Person

#: Kept among the person's settings, and no preference: nothing lists it, and deleting the person's data deletes it.
_WELCOMED = "welcomed"
_SAMPLE = "sample"
_BUTTONS = 3
#: How many more examples the help page lists.
_LISTED = 3
#: What the examples from the ledger leave out, as tools' own examples say it.
_ALSO = ("Remember that my rent is due on the 3rd", "Set my time zone to Berlin")

PRIVATE = (
    "Only you see your figures. Your transactions stay on the machine that I run on; "
    "what is said and dropped here is kept by this platform as any other message."
)
_WHAT_I_AM = "I answer questions about your own money."
_COMPUTED = (
    "Every figure is computed from the bank files that you bring; a language model, where there is one, computes none."
)
_SETTINGS = "“settings” shows your time zone, currency and the rest; “help” shows what can be asked."
_DELETING = (
    "“forget conversations” deletes what was said, “forget everything” also your transactions, settings and notes."
)
#: What is said besides questions, and what to say to it.
_COURTESIES = {
    "Hello. Ask about your money in your own words; “help” shows what can be asked.": (
        *("hi", "hi there", "hello", "hey", "good morning", "good evening"),
        *("hallo", "moin", "servus", "guten morgen", "guten tag", "guten abend"),
    ),
    "You're welcome.": (
        *("thanks", "thank you", "thanks a lot", "many thanks", "thx", "ty", "cheers"),
        *("danke", "danke schön", "dankeschön", "vielen dank", "merci"),
    ),
    "There is nothing to stop.": STOP,
}
_NOT_EMPTY = "Your ledger holds transactions already, and made-up ones would be mixed with them, so I left them out."


def welcome_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that greet, help, and offer made-up data."""
    return {
        "help": partial(_help, desk),
        "welcome": partial(_welcome, desk),
        _SAMPLE: partial(_offer_sample, desk),
        **{words: partial(_reply_to_courtesy, line) for line, all_words in _COURTESIES.items() for words in all_words},
    }


def welcome_works(desk: Desk) -> dict[str, Work]:
    """Return the work that brings made-up data in; it goes as any import does."""
    return {_SAMPLE: partial(_import_sample, desk)}


async def _reply_to_courtesy(line: str, _message: Message, recollection: Recollection) -> TurnOutcome:
    return aside(said(line), recollection)


async def is_new(desk: Desk, person: Person) -> bool:
    """Whether a person was not greeted yet."""
    return _WELCOMED not in await (await desk.repository(person)).settings()


async def _welcome(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Greet a person, and note that they are no longer new."""
    repository = await desk.repository(message.person)
    if message.audience is Audience.PRIVATE:  # elsewhere they are not shown it
        async with desk.store.write() as connection:
            await store_preference(connection, repository, _WELCOMED, message.received_at.date().isoformat())
    context = await desk.context(message.person)
    parts = [_COMPUTED, PRIVATE, BRINGING, _SETTINGS]
    if context.vocabulary.count or not desk.writes:
        return aside(said(_WHAT_I_AM, *parts, _questions(examples_for(context))), recollection)
    return aside(said(_WHAT_I_AM, *parts, _sample_button(), kind="clarify"), recollection, Call(_SAMPLE, {}))


async def _help(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what can be asked; with the name of a command, how that is used."""
    name = str(message.call.arguments.get("value", "")) if message.call else ""
    command = COMMANDS.get(name.casefold())
    if command is not None:
        return aside(said(f"{command.usage}: {command.meaning}", f"For example: {command.example}"), recollection)
    context = await desk.context(message.person)
    examples = examples_for(context)
    pressed = _BUTTONS if context.vocabulary.count else 0
    asked = "\n".join(f"· {example}" for example in (*examples[pressed : pressed + _LISTED], *_ALSO))
    commands = "\n".join(f"· {each.usage}: {each.meaning}" for each in COMMANDS.values())
    parts: list[Part] = [asked, f"After /money:\n{commands}", BRINGING, _DELETING, PRIVATE]
    if pressed:
        parts.append(_questions(examples))
    return aside(said("Ask in your own words, in English or German, for example:", *parts), recollection)


async def _offer_sample(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Offer made-up data to someone who has none of their own."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    if (await desk.context(message.person)).vocabulary.count:
        return aside(said(_NOT_EMPTY, kind="refuse"), recollection)
    headline = "Fill your ledger with two years of one made-up household?"
    return aside(
        said(headline, "It can be taken back at any time.", _sample_button(), kind="clarify"),
        recollection,
        Call(_SAMPLE, {}),
    )


async def _import_sample(desk: Desk, message: Message, call: Call, consume: Consume) -> Done:
    """Bring made-up data into a ledger that is still empty."""
    del call
    context = await desk.context(message.person)
    if not desk.writes or context.vocabulary.count:
        raise ActionRefused(NO_CHANGES if not desk.writes else _NOT_EMPTY)
    files = [SourceFile(SAMPLE_NAME, sample_csv(context.today))]
    report = await import_files(context.ledger, files, within=consume)
    await desk.catch_up()
    added = counted(sum(file.added for file in report.files), "made-up transaction", context.locale)
    examples = examples_for(await desk.context(message.person))
    reply = said(f"{added} imported.", "Ask away, for example:", _questions(examples))
    return Done(reply, Call(UNDO, {"batch": report.batch}))


def _questions(examples: Sequence[str]) -> Actions:
    return Actions(tuple(Action(example, "ask", example) for example in examples[:_BUTTONS]))


def _sample_button() -> Actions:
    return Actions((Action("Try with made-up data", "confirm"),))
