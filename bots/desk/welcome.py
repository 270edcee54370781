"""The one-time greeting, the help page, and made-up data to try things out with."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from bots.confirming import Done
from bots.desk.commands import COMMANDS
from bots.desk.importing import UNDO, bringing
from bots.desk.replies import aside, offering, said
from bots.desk.talking import COMPUTED, PRIVATE, WHAT_I_AM, about_theme, talk_handlers, theme_buttons
from bots.errors import NO_CHANGES, ActionRefused
from bots.import_words import counted
from bots.notices import Notice, Suggestion
from graph.examples import THEMES, examples_for
from graph.reply import Action, Actions
from language.catalogue import joined, say, translated
from ledger.errors import LedgerGone
from ledger.imports import import_files
from ledger.preferences import store_preference
from ledger.sample import SAMPLE_NAME, sample_csv
from ledger.statement_writer import SourceFile
from ledger.steps import current_revision
from tools.calls import Call

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.confirming import Settlement, Work
    from bots.contracts import Message
    from bots.desk.commands import Command
    from bots.desk.desk import Desk, Handler
    from bots.desk.replies import Part
    from bots.history import Recollection
    from bots.notices import Notify
    from graph.turn import TurnOutcome
    from language.catalogue import Template
    from ledger.imports import ImportReport
    from ledger.people import Person

#: Kept among the person's settings, and no preference: nothing lists it, and deleting the person's data deletes it.
_WELCOMED = "welcomed"
_SAMPLE: Literal["sample"] = "sample"
_SAMPLE_WORDS = ("beispiel", "beispieldaten")
#: The occasion on which someone new is greeted.
WELCOME = "welcome"
_BUTTONS = 3
#: How many more examples the help page lists.
_LISTED = 3
#: What the examples from the ledger leave out, as tools' own examples say it.
_ALSO = ("Remember that my rent is due on the 3rd", "Set my time zone to Berlin")

_SETTINGS = "“settings” shows your time zone, currency and the rest; “help” shows what can be asked."
_DELETING = (
    "“forget conversations” deletes what was said, “forget everything” also your transactions, settings and notes."
)
_NOT_EMPTY = "Your ledger holds transactions already, and made-up ones would be mixed with them, so I left them out."


def welcome_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that greet, help, and offer made-up data."""
    return {
        **dict.fromkeys(("help", "hilfe"), partial(_help, desk)),
        **dict.fromkeys((_SAMPLE, *_SAMPLE_WORDS), partial(_offer_sample, desk)),
        **talk_handlers(desk),
    }


def welcome_notices(desk: Desk) -> dict[str, Notify]:
    """Return what is said to someone new."""
    return {WELCOME: partial(_welcome, desk)}


def welcome_works(desk: Desk) -> dict[str, Work]:
    """Return the work that brings made-up data in; it goes as any import does."""
    return {_SAMPLE: partial(_import_sample, desk)}


async def is_new(desk: Desk, person: Person) -> bool:
    """Whether a person was not greeted yet."""
    return _WELCOMED not in await (await desk.repository(person)).settings()


async def _welcome(desk: Desk, place: Message) -> Notice:
    """Greet a person, and note that they are no longer new, unless they deleted everything meanwhile."""
    repository = await desk.repository(place.person)

    async def note() -> None:
        with suppress(LedgerGone):
            async with desk.store.write() as connection:
                await current_revision(connection, repository.ledger_id)
                await store_preference(connection, repository, _WELCOMED, place.received_at.date().isoformat())

    language = await desk.language(place)
    context = replace(await desk.context(place.person), language=language)
    suggestions: tuple[Suggestion, ...] = (Suggestion("Try with made-up data", _SAMPLE),)
    if context.vocabulary.count or not desk.writes:
        examples = [example.label for example in examples_for(context)[:_BUTTONS]]
        suggestions = tuple(Suggestion(example, "ask", example) for example in examples)  # a notice is stored nowhere
    return Notice(WHAT_I_AM, (COMPUTED, PRIVATE, bringing(place.surface), _SETTINGS), suggestions, language, note)


async def _help(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what can be asked; with the name of a command, how that is used, and with a theme's, what can be asked of it."""
    name = str(message.values.get("value", ""))
    command = COMMANDS.get(name.casefold())
    if command is not None:
        return aside(said(_of(command), say("For example: {line}", line=command.example)), recollection)
    language = await desk.language(message, recollection)
    context = replace(await desk.context(message.person), language=language)
    theme = next((theme for theme in THEMES if theme.key == name), None)
    if theme is not None:
        return about_theme(theme, context, recollection)
    examples = examples_for(context)
    pressed = _BUTTONS if context.vocabulary.count else 0
    also = (translated(each, language) for each in _ALSO)
    listed = (example.label for example in examples[pressed : pressed + _LISTED])
    asked = "\n".join(f"· {example}" for example in (*listed, *also))
    before = "" if message.surface.terminal else "/money "
    commands = joined((say("· {command}", command=_of(each, before)) for each in COMMANDS.values()), "\n")
    after = say("Commands:\n{commands}", commands=commands)
    parts: list[Part] = [asked, after, bringing(message.surface), _DELETING, PRIVATE]
    reply = said("Ask in your own words, in English or German, for example:", *parts)
    reply = offering(reply, examples[:pressed])
    return aside(replace(reply, blocks=(*reply.blocks, theme_buttons())), recollection)


async def _offer_sample(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Offer made-up data to someone who has none of their own."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    if (await desk.context(message.person)).vocabulary.count:
        return aside(said(_NOT_EMPTY, kind="refuse"), recollection)
    headline = "Fill your ledger with two years of one made-up household?"
    buttons = Actions((Action("Fill my ledger", "confirm"), Action("Cancel", "cancel")))
    return aside(
        said(headline, "It can be taken back at any time.", buttons, kind="clarify"),
        recollection,
        Call(_SAMPLE, {}),
    )


async def _import_sample(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    """Bring made-up data into a ledger that is still empty."""
    del call
    recalled = await desk.history.recall(message.conversation, about=message.about)
    language = await desk.language(message, recalled)
    context = replace(await desk.context(message.person), language=language)
    if not desk.writes or context.vocabulary.count:
        raise ActionRefused(NO_CHANGES if not desk.writes else _NOT_EMPTY)

    async def within(connection: AsyncConnection, report: ImportReport) -> None:
        filled = replace(context, vocabulary=await context.ledger.vocabulary_within(connection))
        added = counted(sum(file.added for file in report.files), "made-up transaction", context.locale)
        reply = said(say("{transactions} imported.", transactions=added), "Ask away, for example:")
        reply = offering(reply, examples_for(filled)[:_BUTTONS])
        await settle(connection, Done(reply, Call(UNDO, {"batch": report.batch})))

    await import_files(context.ledger, [SourceFile(SAMPLE_NAME, sample_csv(context.today))], within=within)
    await desk.catch_up()


def _of(command: Command, before: str = "") -> Template:
    return say("{usage}: {meaning}", usage=f"{before}{command.usage}", meaning=say(command.meaning))
