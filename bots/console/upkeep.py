"""The commands about the installation and the person's own data: status, settings, model, export, deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.cli.configuration import shown
from bots.cli.export import save
from bots.console.proposals import propose
from bots.contracts import Question
from bots.desk.commands import read_command
from bots.export_text import export_text
from bots.history import History
from bots.import_words import counted
from bots.terminal import show_pairs, show_table
from graph.answers import told_table
from graph.models.model import ModelUnavailable
from language.catalogue import say, translated
from ledger.deletion import export_rows, forget_person
from ledger.errors import PreferenceRefused
from ledger.preferences import PREFERENCES, set_preference, show_preference
from tools.calls import Call
from tools.results import Column, Table
from tools.wording import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.console.proposals import Within
    from bots.console.session import Session


async def status(session: Session, words: Sequence[str]) -> None:
    """``/status``: what is in the ledger."""
    del words
    await session.ask("", Call("ledger-status", {}))


async def accounts(session: Session, words: Sequence[str]) -> None:
    """``/accounts``, and what is to change of one: ``/accounts rename Visa to My card``."""
    asked = read_command(f"accounts {' '.join(words)}")
    await (session.ask(asked.text) if isinstance(asked, Question) else session.ask("", asked))


async def settings(session: Session, words: Sequence[str]) -> None:
    """``/settings``: what can be set, and how it is."""
    del words
    made = await (await session.repository()).settings()
    rows = tuple(
        (name, show_preference(name, made[name]) if name in made else say("default"), say(preference.meaning))
        for name, preference in PREFERENCES.items()
    )
    table = Table((Column("Setting"), Column("Value"), Column("What it says")), rows)
    show_table(told_table(table, session.language), session.console)
    session.say("/set NAME VALUE changes one, for example /set locale de_DE; /set NAME default takes it back.", "dim")


async def change_setting(session: Session, words: Sequence[str]) -> None:
    """``/set NAME VALUE``."""
    if len(words) < 2:
        names = ", ".join(PREFERENCES)
        session.say(say("Which one, and to what? /set NAME VALUE, where NAME is {names}.", names=names))
        return
    name, value = words[0], " ".join(words[1:])
    try:
        key, stored = await set_preference(await session.repository(), name, value)
    except PreferenceRefused as error:
        session.say(error.message, "red")
        if error.choices:
            session.say(say("Near it: {choices}.", choices=", ".join(error.choices)))
        return
    context = await session.context()
    session.locale, session.language = context.locale, context.language
    now = say("the default") if stored is None else show_preference(key, stored)
    session.say(say("{setting} is now {value}.", setting=key, value=now))


async def model(session: Session, words: Sequence[str]) -> None:
    """``/model``: which model answers now, and when it is asked."""
    del words
    chosen = session.app.settings
    current = None if chosen.routing == "builtin" else await session.app.models.current()
    pairs = [("Now", current.name if current is not None else say("builtin: no language model is asked"))]
    if current is not None:
        asked = say("for every question" if chosen.routing == "model" else "where the built-in planner is not sure")
        elsewhere = current.name.startswith("openai:")
        server = shown(chosen.openai.url) if elsewhere else await _ollama(chosen.ollama_url)
        pairs += [("Server", server), ("Asked", asked)]
    pairs.append(("Setting", f"MONEY_MINDER_MODEL={chosen.model}, MONEY_MINDER_ROUTING={chosen.routing}"))
    told = [(translated(name, session.language), translated(say(text), session.language)) for name, text in pairs]
    show_pairs(told, session.console)


async def export(session: Session, words: Sequence[str]) -> None:
    """``/export PATH``: write every transaction to a new file, as JSON where the name ends so, else as CSV."""
    if not words:
        session.say("Where to? /export PATH, for example /export ~/money.csv")
        return
    path = " ".join(words)
    rows = await export_rows(await session.repository())
    save(path, export_text(rows, as_json=path.casefold().endswith(".json")))
    count = number(len(rows), session.locale)
    session.say(say("{count} transactions written to {path}; only you can read the file.", count=count, path=path))


async def forget(session: Session, words: Sequence[str]) -> None:
    """``/forget conversations`` or ``/forget everything``: delete, after a yes."""
    what = words[0].casefold() if words else ""
    if what == "conversations":
        await propose(session, "forget", {"what": what}, say("Delete all your conversations? This can't be undone."),
                      lambda within: _forget_conversations(session, within))  # fmt: skip
    elif what == "everything":
        count = number((await session.context()).vocabulary.count, session.locale)
        form = "This deletes {count} transactions, all imports, conversations, settings and notes of yours."
        session.say(say(form, count=count))
        await propose(session, "forget", {"what": what}, say("Delete everything? This can't be undone."),
                      lambda within: _forget_everything(session, within))  # fmt: skip
    else:
        session.say("What? /forget conversations, or /forget everything (ledger, conversations, settings and notes).")


async def _forget_conversations(session: Session, within: Within) -> None:
    turns = await History(session.app.store).forget(session.person, first=within)
    session.last = None
    gone = counted(turns, "turn", session.locale)
    session.say(say("Deleted: {turns} of conversation.", turns=gone))


async def _forget_everything(session: Session, within: Within) -> None:
    removed = await forget_person(session.app.store, session.person, first=within)
    session.last = None
    session.locale = (await session.context()).locale
    count = number(removed, session.locale)
    session.say(say("Deleted: {count} transactions, all conversations, settings and notes.", count=count))
    await session.app.indexing.catch_up()


async def _ollama(url: str) -> str:
    from graph.models.ollama import list_models

    try:
        models = await list_models(url)
    except ModelUnavailable:
        return say("{url} does not answer, so the built-in planner does", url=shown(url))
    return say("{url} answers, with {count} models", url=shown(url), count=str(len(models)))
