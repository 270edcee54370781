"""The commands about the installation and the person's own data: settings, model, export, made-up data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.cli.configuration import shown
from bots.cli.export import save
from bots.contracts import Duty
from bots.desk.settings import SAVE
from bots.table_file import export_text
from bots.terminal import show_pairs
from graph.models.model import ModelUnavailable
from language.catalogue import say, translated
from ledger.deletion import export_rows
from ledger.preferences import PREFERENCES
from tools.wording import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.console.session import Session


async def settings(session: Session, words: Sequence[str]) -> None:
    """``/settings``: what can be set, and how it is."""
    del words
    await session.ask(Duty("settings"))
    session.say("/set NAME VALUE changes one, for example /set locale de_DE; /set NAME default takes it back.", "dim")


async def change_setting(session: Session, words: Sequence[str]) -> None:
    """``/set NAME VALUE``."""
    if len(words) < 2:
        names = ", ".join(PREFERENCES)
        session.say(say("Which one, and to what? /set NAME VALUE, where NAME is {names}.", names=names))
        return
    await session.ask(Duty(SAVE, {words[0]: " ".join(words[1:])}))
    session.platform.language = (await session.context()).language


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


async def sample(session: Session, words: Sequence[str]) -> None:
    """``/sample``: bring made-up data into an empty ledger; the command itself is the yes."""
    del words
    await session.ask(Duty("sample"), shown=False)
    reply = session.platform.last.reply if session.platform.last else None
    rows = reply.rows() if reply else ()
    yes = next((action for row in rows for action in row if action.action == "confirm"), None)
    if yes is not None:
        await session.press(yes)
    elif reply is not None:
        session.platform.show(reply)


async def _ollama(url: str) -> str:
    from graph.models.ollama import list_models

    try:
        models = await list_models(url)
    except ModelUnavailable:
        return say("{url} does not answer, so the built-in planner does", url=shown(url))
    return say("{url} answers, with {count} models", url=shown(url), count=str(len(models)))
