"""One ledger for one person on several platforms: a code shown in one place and typed in the other, and how that ends."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bots.confirming import Done
from bots.contracts import Attachment, Question
from bots.desk.importing import IMPORT, import_handlers
from bots.desk.replies import aside, said
from bots.errors import NO_CHANGES, ActionRefused
from bots.import_words import counted
from bots.table_file import export_text
from graph.reply import Action, Actions
from language.catalogue import joined, say
from ledger import links
from ledger.deletion import export_rows
from ledger.errors import LinkRefused
from ledger.repository import Repository
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bots.confirming import Settlement, Work
    from bots.contracts import Content, Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from ledger.people import Person

LINK: Final = "link"
UNLINK: Final = "unlink"
_BRING: Final = "bring"
_LINK_WORDS = (LINK, "link my ledger", "verknüpfen", "verbinden")
_UNLINK_WORDS = (UNLINK, "verknüpfung lösen", "verknüpfung aufheben", "trennen")
#: What may stand before a code.
_BEFORE_CODE = ("link", "code", "verknüpfen", "verbinden", "verknüpfe", "verbinde")
_PLACES = {"slack": "Slack", "discord": "Discord", "console": "the console"}
_SHOWN = (
    "Within ten minutes, type “link {code}” in the other place where you use me: in the console, or in a direct message "
    "in Slack or Discord. It works once."
)
_WHO_TYPES = (
    "Whoever types it sees and changes this ledger: {transactions}, and your notes, settings and conversations. "
    "Show it to nobody."
)
_KEPT_THERE = "What you have in {place} is then here as well: {transactions}, with its settings and notes."
_ASIDE_HERE = "What is here is put aside: {transactions}, with its settings and notes. “unlink” brings it back."
_KEPT_HERE = "What you have here is then in {place} as well: {transactions}, with its settings and notes."
_ASIDE_THERE = "The ledger there is empty; it is put aside with its settings and notes, and “unlink” brings it back."
_NOT_LINKED = "Your ledger is used from nowhere else. “link” gives you a code for another place."
_NOTHING_ASIDE = "There are no transactions put aside that could be taken over."


def link_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers that show a code, take one, and end what it began."""
    return {
        **dict.fromkeys(_LINK_WORDS, partial(_show_or_take, desk)),
        **dict.fromkeys(_UNLINK_WORDS, partial(_offer_unlinking, desk)),
        _BRING: partial(_bring, desk),
    }


def link_works(desk: Desk) -> dict[str, Work]:
    """Return the work that links and unlinks."""
    return {LINK: partial(_link, desk), UNLINK: partial(_unlink, desk)}


def code_in(text: str) -> str | None:
    """Return the code that a text consists of: as it is shown, or in any form behind a word for what it is for."""
    text = text.strip(" .!")
    first, _, rest = text.partition(" ")
    if first.strip("/:").casefold() in _BEFORE_CODE:
        return links.read_code(rest)
    return links.read_code(text) if text.count("-") == 2 and not rest else None


async def linked_line(desk: Desk, person: Person, form: str) -> str:
    """Return a form with the other places where a person's ledger is used, or nothing where there are none."""
    others = await links.others(desk.store, person)
    return say(form, places=_places(others)) if others else ""


async def _show_or_take(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show a new code; with one, show what it would do, and ask."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    given = f"{LINK} {message.values['value']}" if message.values.get("value") else message.text
    code = code_in(given)
    try:
        return await (_take(desk, message, code, recollection) if code else _show(desk, message, recollection))
    except LinkRefused as refused:
        return aside(said(refused.message, kind="refuse"), recollection)


async def _show(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    context = await desk.context(message.person)
    async with desk.store.write() as connection:
        code = await links.new_code(connection, message.person, context.ledger.person_id, desk.now())
    shown = links.spelled(code)
    reply = said(
        say("Your code is {code}", code=shown),
        say(_SHOWN, code=shown),
        say(_WHO_TYPES, transactions=counted(context.vocabulary.count, "transaction", context.locale)),
        await linked_line(desk, message.person, "This ledger is used in {places} as well; “unlink” ends that."),
    )
    return aside(reply, recollection)


async def _take(desk: Desk, message: Message, code: str, recollection: Recollection) -> TurnOutcome:
    """Show whose ledger would stay and what becomes of the other, and ask."""
    link = await links.offered(desk.store, message.person, code, desk.now())
    locale = await desk.locale(message.person)
    place = say(_PLACES.get(link.shown_in, link.shown_in))
    kept, left = [
        counted(await links.rows_of(desk.store, each), "transaction", locale) for each in (link.keeps, link.leaves)
    ]
    stays = say(_KEPT_HERE if link.swapped else _KEPT_THERE, place=place, transactions=kept)
    goes = _ASIDE_THERE if link.swapped else say(_ASIDE_HERE, transactions=left)
    reply = said(
        say("Use one ledger here and in {place}?", place=place),
        joined((stays, say(goes)), "\n"),
        Actions((Action("Use one ledger", "confirm"), Action("Cancel", "cancel"))),
        kind="clarify",
    )
    return aside(reply, recollection, Call(LINK, asdict(link)))


async def _link(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    """Link what was shown."""
    if not desk.writes:
        raise ActionRefused(NO_CHANGES)
    link = links.Link(**call.arguments)
    locale = await desk.locale(message.person)
    left = await links.rows_of(desk.store, link.leaves)
    place = say(_PLACES.get(link.shown_in, link.shown_in))
    done = said(say("Your ledger is now the same here and in {place}.", place=place))
    if left and not link.swapped:
        again = say("{transactions} from here are put aside.", transactions=counted(left, "transaction", locale))
        bring = Actions((Action("Take them over as an import", _BRING),))
        done = replace(done, blocks=(*done.blocks, *said("", again, bring).blocks[1:]))
    async with desk.store.write() as connection:
        await settle.use_up(connection)
        await links.join(connection, link, desk.now())
        await settle(connection, Done(done, Call(UNLINK, {})))
    await _forget_who_is_who(desk, message.person)


async def _offer_unlinking(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what would be used by itself again, and ask."""
    others = await links.others(desk.store, message.person)
    if not others:
        return aside(said(_NOT_LINKED), recollection)
    own = await links.put_aside(desk.store, message.person)
    if own is None:
        headline = say("Use this ledger no longer in {places}?", places=_places(others))
        line = say("It stays here as it is; what was put aside there comes back there.")
    else:
        rows = counted(await links.rows_of(desk.store, own[0]), "transaction", await desk.locale(message.person))
        headline = say("Use the ledger of {places} no longer here?", places=_places(others))
        line = say("It stays there as it is; what was put aside here comes back: {transactions}.", transactions=rows)
    buttons = Actions((Action("Unlink", "confirm"), Action("Cancel", "cancel")))
    return aside(said(headline, line, buttons, kind="clarify"), recollection, Call(UNLINK, {}))


async def _unlink(desk: Desk, message: Message, _call: Call, settle: Settlement) -> None:
    """Unlink, whoever began it."""
    async with desk.store.write() as connection:
        await settle.use_up(connection)
        if not await links.part(connection, message.person):
            raise ActionRefused(_NOT_LINKED)
        await settle(connection, Done(said("Unlinked: each place has a ledger of its own again.")))
    await _forget_who_is_who(desk, message.person)


async def _bring(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome | Content:
    """Show what was put aside as a file to import: what is there already is left out, and all of it can be taken back."""
    own = await links.put_aside(desk.store, message.person)
    rows = await export_rows(Repository(desk.store, *own)) if own else []
    if not rows:
        return aside(said(_NOTHING_ASIDE), recollection)
    data = export_text(rows).encode()
    file = Attachment(f"money-minder-{message.person.platform}.csv", len(data), "text/csv", data=data)
    brought = replace(message, content=Question(), attachments=(file,), ts=None)
    return await import_handlers(desk)[IMPORT](brought, recollection)


async def _forget_who_is_who(desk: Desk, person: Person) -> None:
    """Look up anew who looks at which ledger."""
    desk.store.forget_membership(person)
    for each in await links.others(desk.store, person):
        desk.store.forget_membership(each)


def _places(people: Iterable[Person]) -> str:
    """Return where people are, as one text."""
    names = list(dict.fromkeys(_PLACES.get(each.platform, each.platform) for each in people))
    *most, last = (say(name) for name in names)
    return say("{places} and {last}", places=joined(most, ", "), last=last) if most else last
