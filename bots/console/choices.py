"""The commands for what a person chooses for themselves: which tools are on, and what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from bots.terminal import show_table
from graph.answers import told_table
from language.catalogue import say
from ledger.errors import NoteRefused
from ledger.memories import add_memory, clean_note
from ledger.switches import switch, switched_off
from tools.calls import Call
from tools.results import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.console.session import Session
    from tools.registry import Tool

_LIKELY = 55
_ON, _OFF = "on", "off"
_HOW = "/tools off NAME switches a tool or a whole app off, /tools on NAME on again."


async def tools(session: Session, words: Sequence[str]) -> None:
    """``/tools [on|off NAME]``: list the tools by app, or switch some on or off."""
    wanted = words[0].casefold() if words else ""
    if wanted in (_ON, _OFF) and len(words) > 1:
        for name in words[1:]:
            await _switch(session, name, on=wanted == _ON)
    elif words:
        session.say(_HOW)
    else:
        await _list(session)


async def memories(session: Session, words: Sequence[str]) -> None:
    """``/memories [WORDS]``: the notes that are kept."""
    await session.ask(Call("memories-list", {"about": " ".join(words)} if words else {}))


async def remember(session: Session, words: Sequence[str]) -> None:
    """``/remember NOTE``: keep a note, exactly as it is written."""
    text = " ".join(words)
    if not text.strip():
        session.say("What? /remember NOTE, for example /remember I share the rent with Anna")
        return
    repository = await session.repository()
    try:
        async with session.app.store.write() as connection:
            new = await add_memory(connection, repository, text)
    except NoteRefused as refused:
        session.say(refused.message, "red")
        return
    session.say(say("I will remember “{note}”.", note=clean_note(text)) if new else "I remember that already.")


def _tools(session: Session) -> list[Tool]:
    return session.app.registry.offered(session.app.settings.environment)


async def _list(session: Session) -> None:
    off = await switched_off(await session.repository())
    rows = tuple(
        (tool.app, tool.name, say(_OFF if {tool.name, tool.app} & off else _ON), tool.description.partition("\n")[0])
        for tool in _tools(session)
    )
    columns = (Column("App"), Column("Tool"), Column("State"), Column("What it does"))
    show_table(told_table(Table(columns, rows), session.language), session.console, most=None)
    session.say(_HOW, "dim")


async def _switch(session: Session, name: str, *, on: bool) -> None:
    apps = {tool.name: tool.app for tool in _tools(session)}
    known = {each.casefold(): each for each in (*apps, *apps.values()) if each}
    found = known.get(name.casefold())
    if found is None:
        near = process.extractOne(name.casefold(), list(known), scorer=fuzz.ratio, score_cutoff=_LIKELY)
        form = "There is no tool or app “{name}”. /tools lists them."
        if near:
            form = "There is no tool or app “{name}”. Did you mean {near}? /tools lists them."
        session.say(say(form, name=name, near=known[near[0]] if near else ""), "red")
        return
    repository = await session.repository()
    await switch(repository, found, on)
    app = apps.get(found, "")
    if on and app in await switched_off(repository):
        session.say(say("{tool} is on, but its app is off: /tools on {app}", tool=found, app=app))
    else:
        session.say(say("{tool} is on." if on else "{tool} is off: not offered, not run.", tool=found))
