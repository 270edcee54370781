"""What a workspace's administrators say for everybody in it; whether somebody is one the platform is asked at each step."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bots.confirming import NOT_AS_SHOWN, Done
from bots.desk.forgetting import forget_in_index
from bots.desk.replies import aside, said
from bots.errors import NO_CHANGES, ActionRefused, SendFailed, SendRefused
from bots.history import storable
from bots.holdings import packed
from bots.import_words import counted, people_of
from bots.workspaces import EVERYONE, LONGEST_KEPT, Rules, Workspaces, lay_down, member_ids
from graph.reply import Action, Actions, File
from language.catalogue import joined, say
from ledger import links
from ledger.deletion import forget_people
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.confirming import Settlement, Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.desk.replies import Kind
    from bots.history import Recollection
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.people import Person

WORKSPACE: Final = "workspace"
_WORDS = (WORKSPACE, "arbeitsbereich")
_DELETE: Final = "delete"
_OFFERED = (90, 365)
_MOST_NAMED = 20
#: A larger archive is for the command, which writes a file.
_MOST_BYTES = 20_000_000

_NOT_YOURS = "Only administrators of this workspace can see and change what holds for everybody in it."
_NOT_TOLD = (
    "I can't find out right now whether you administer this workspace, so I do nothing. Please try again in a minute."
)
_NOT_GIVEN = "Whoever runs me has not left that to the administrators of a workspace."
_HOW = (
    "“/money workspace people U012AB3CD U034EF5GH” lets only these members use me, and “/money workspace people everyone” "
    "all again. “/money workspace keep 90” says for how many days conversations are kept, and “keep 0” sets no limit."
)
_HOLDS = "This holds for everybody in this workspace now"
_NOT_UNDERSTOOD = "I did not understand which rule that is."
_KEEP_LESS = (
    "Everybody's older conversations in this workspace are then deleted, within six hours. This can't be undone."
)
_DELETES = (
    "Transactions, conversations, notes and settings of everybody here go, and the rules of this workspace. "
    "What is written in chats stays there. This can't be undone."
)
_TOO_LARGE = "That is too much for a message. Whoever runs me can write it to a file: money-minder workspace --export."


def workspace_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that show and change the rules, export, and ask before anything is deleted."""
    return dict.fromkeys(_WORDS, partial(_answer, desk))


def workspace_works(desk: Desk) -> dict[str, Work]:
    """Return the work that deletes: conversations from some age on, or everything."""
    return {WORKSPACE: partial(_delete, desk)}


async def _answer(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    word, _, rest = str(message.values.get("value", "")).strip().partition(" ")
    word = word.casefold()
    try:
        await _check(desk, message.person, everything=word in ("export", _DELETE))
    except ActionRefused as refused:
        return aside(said(refused.message, kind="refuse"), recollection)
    match word, rest.strip():
        case "export", "":
            return await _export(desk, message, recollection)
        case "delete", "":
            return await _offer_deleting(desk, message, recollection)
        case _:
            return await _lay_down(desk, message, recollection, word, rest)


async def _check(desk: Desk, person: Person, *, everything: bool) -> None:
    """Return if somebody may do this for their workspace.

    Raises:
        ActionRefused: they may not, or the platform does not say that they may.
    """
    adapter = desk.adapter(person.platform)
    try:
        if adapter is None or not await adapter.administers(person):
            raise ActionRefused(_NOT_YOURS)
    except (SendFailed, SendRefused) as error:
        raise ActionRefused(_NOT_TOLD) from error
    if desk.administrators == "none" or (everything and desk.administrators != "all"):
        raise ActionRefused(_NOT_GIVEN)
    if not desk.writes:
        raise ActionRefused(NO_CHANGES)


async def _lay_down(desk: Desk, message: Message, recollection: Recollection, word: str, rest: str) -> TurnOutcome:
    """Show the rules, after a change of one where one was named; what deletes conversations is asked about first."""
    person = message.person
    rules = await desk.rules(person.platform, person.team)
    if not word:
        return aside(_shown(desk, rules, "What holds for everybody in this workspace"), recollection)
    said_so = _said_of_one(word, rest, person)
    if not said_so:
        return aside(_shown(desk, rules, _NOT_UNDERSTOOD, kind="refuse"), recollection)
    changed = replace(rules, **said_so)
    if changed.keep_days and not 0 < rules.keep_days <= changed.keep_days:
        days = say("1 day" if changed.keep_days == 1 else "{count} days", count=str(changed.keep_days))
        buttons = Actions((Action("Keep less", "confirm", effect="final"), Action("Cancel", "cancel")))
        reply = said(say("Keep conversations for {days} at most?", days=days), _KEEP_LESS, buttons, kind="clarify")
        return aside(reply, recollection, Call(WORKSPACE, {"keep": changed.keep_days}))
    outcome = aside(_shown(desk, changed, _HOLDS), recollection)
    return replace(outcome, change=partial(_write_down, person, said_so))


def _said_of_one(word: str, rest: str, person: Person) -> dict[str, Any]:
    """Return what somebody says of one rule, by its name; nothing where that says nothing."""
    said_so = rest.strip().casefold()
    if word == "sharing" and said_so in ("on", "off"):
        return {"sharing": said_so == "on"}
    if word == "keep" and re.fullmatch("[0-9]{1,5}", said_so) and int(said_so) <= LONGEST_KEPT:
        return {"keep_days": int(said_so)}
    if word == "people" and said_so == EVERYONE:
        return {"admitted": frozenset()}
    named = member_ids(rest)
    if word == "people" and named:
        return {"admitted": named | {person.user}}
    return {}


async def _write_down(person: Person, said_so: Mapping[str, Any], connection: AsyncConnection) -> None:
    await connection.run_sync(lambda plain: lay_down(plain, person.platform, person.team, said_so))


def _shown(desk: Desk, rules: Rules, headline: str, kind: Kind = "answer") -> Reply:
    """Return the rules, with buttons for what can be said of them."""
    share, other = (
        ("Answers may be shared in channels.", "off") if rules.sharing else ("Nothing is shared in channels.", "on")
    )
    kept = say("Conversations are kept for as long as whoever runs me says.")
    if rules.keep_days:
        days = say("1 day" if rules.keep_days == 1 else "{count} days", count=str(rules.keep_days))
        kept = say("Conversations are kept for {days} at most.", days=days)
    who = say("Everyone may use me whom whoever runs me lets in.")
    if rules.admitted:
        named = sorted(rules.admitted)
        who = say("Of those whom whoever runs me lets in, these may use me: {ids}.", ids=", ".join(named[:_MOST_NAMED]))
        if len(named) > _MOST_NAMED:
            more = say("{count} more are named.", count=str(len(named) - _MOST_NAMED))
            who = joined((who, more), " ")
    buttons = [Action(f"Switch sharing {other}", WORKSPACE, f"sharing {other}")]
    buttons += [Action(f"Keep {days} days", WORKSPACE, f"keep {days}") for days in _OFFERED if days != rules.keep_days]
    if desk.administrators == "all":
        buttons += [Action("Export everything", WORKSPACE, "export"), Action("Delete everything", WORKSPACE, _DELETE)]
    return said(headline, joined((say(share), kept, who), "\n"), _HOW, Actions(tuple(buttons)), kind=kind)


async def _export(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Hand over everybody's transactions and balances as one archive."""
    people, line = await _people(desk, message.person)
    archive = await packed(desk.store, people)
    if len(archive) > _MOST_BYTES:
        return aside(said(_TOO_LARGE, kind="refuse"), recollection)
    locale = await desk.locale(message.person)
    reply = said(say("The transactions and balances of {people}", people=people_of(len(people), locale)), line)
    name = f"money-minder-{message.person.team}-{desk.now().date().isoformat()}.zip"
    return aside(replace(reply, blocks=(*reply.blocks, File(name, "application/zip", archive))), recollection)


async def _offer_deleting(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    people, line = await _people(desk, message.person)
    who = people_of(len(people), await desk.locale(message.person))
    buttons = Actions((Action("Delete everything", "confirm", effect="final"), Action("Cancel", "cancel")))
    reply = said(
        say("Delete everything of {people} in this workspace?", people=who), _DELETES, line, buttons, kind="clarify"
    )
    return aside(reply, recollection, Call(WORKSPACE, {"people": _digest(people)}))


async def _delete(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    """Do what was shown, in the transaction that uses the yes up first, as that would go as well."""
    person, keep = message.person, call.arguments.get("keep")
    await _check(desk, person, everything=keep is None)
    if keep is not None:
        rules = replace(await desk.rules(person.platform, person.team), keep_days=int(keep))
        async with desk.store.write() as connection:
            await settle.use_up(connection)
            await _write_down(person, {"keep_days": rules.keep_days}, connection)
            await settle(connection, Done(_shown(desk, rules, _HOLDS)))
        return
    people, line = await _people(desk, person)
    if _digest(people) != call.arguments["people"]:
        raise ActionRefused(NOT_AS_SHOWN)
    locale = await desk.locale(person)

    async def end(connection: AsyncConnection, removed: int) -> None:
        await _write_down(person, asdict(Rules()), connection)
        gone = counted(removed, "transaction", locale)
        told = say("Deleted: everything of {people} ({gone}).", people=people_of(len(people), locale), gone=gone)
        await settle(connection, Done(said(told, line, "Whoever removes me from the workspace does so in Slack.")))

    answering = (message.source, storable(message.delivery_id))
    await forget_people(desk.store, people, first=settle.use_up, within=end, answering=answering)
    await forget_in_index(desk)


async def _people(desk: Desk, person: Person) -> tuple[list[Person], str]:
    """Return the people of a workspace, but for those whose ledger is used elsewhere too, and what is said of these."""
    everybody = await Workspaces(desk.store).people(person.platform, person.team)
    for each in everybody:  # whom another process may have linked or unlinked
        await desk.store.recheck(each)
    found = [each for each in everybody if not await links.others(desk.store, each)]
    left = len(everybody) - len(found)
    locale = await desk.locale(person)
    line = (
        say("Left out: {people} whose ledger is used elsewhere as well.", people=people_of(left, locale))
        if left
        else ""
    )
    return found, line


def _digest(people: Sequence[Person]) -> str:
    """Return what tells whether these are the people of whom somebody was shown how many they are."""
    return hashlib.sha256("\n".join(each.user for each in people).encode()).hexdigest()
