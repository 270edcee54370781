"""What the person asked to be remembered: listed, kept and forgotten."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from language.catalogue import say
from language.words import words
from ledger.errors import NoteRefused
from ledger.memories import MOST_NOTES, Memory, add_memory, clean_note, list_memories, remove_memories
from ledger.stemming import stem
from tools.calls import Call, Choice, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Result, Table
from tools.slots import ForgottenNotes, NewNotes, NoteTopic
from tools.slots.notes import ALL_NOTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.money import Money
    from tools.results import Value

_REMEMBER = "memories-remember"
_FORGET = "memories-forget"
_MOST_CHOICES = 5
_LIKELY = 60
#: What is said above notes: above one, and above several.
_KEPT = ("You asked me to remember one thing.", "You asked me to remember {count} things.")
_KEPT_ABOUT = (
    "You asked me to remember one thing about “{about}”.",
    "You asked me to remember {count} things about “{about}”.",
)
#: Words by which no note is told from another.
_SMALL = frozenset(
    "a an the i we my our me us is are was be to of on in at for with and or that this it its about do does not "
    "ich wir mein meine meinen unser unsere mich uns ist sind war zu von auf im in am an fur mit und oder dass das der die "
    "den dem ein eine es uber nicht".split()
)


@tool(
    app="memories",
    name="memories-list",
    examples=(
        "What do you remember about me?",
        "Show my notes",
        "What did I ask you to remember?",
        "What do you remember about the rent?",
        "Which notes do you keep?",
        "Was hast du dir gemerkt?",
        "Zeig mir meine Notizen",
    ),
    keywords=("notes", "memories", "remember", "Notizen", "gemerkt"),
)
async def list_notes(context: ToolContext, about: NoteTopic | None = None) -> Result:
    """The notes that the person asked to be remembered.

    Args:
        about: Only notes with these words.
    """
    notes = await list_memories(context.ledger)
    shown = _matching(notes, about) if about else notes
    names: dict[str, Value | Money] = {"count": len(shown), "about": about or ""}
    if not shown:
        found = "None of your notes is about “{about}”." if notes else "I keep no notes for you."
        return Result(found, names=names, notes=("“Remember that …” has one kept.",), kind="empty")
    one, several = _KEPT_ABOUT if about else _KEPT
    return Result(
        several if len(shown) > 1 else one,
        names=names,
        notes=("“Forget the note about …” has one forgotten.",),
        table=_table(shown),
    )


@tool(
    app="memories",
    name=_REMEMBER,
    examples=(
        "Remember that I share the rent with Anna",
        "Note that Netflix is paid by my brother",
        "Keep in mind that I moved in March",
        "Don't forget that the car is leased",
        "Merk dir, dass die Miete geteilt wird",
        "Notiere: Netflix zahlt mein Bruder",
    ),
    keywords=("remember", "note", "keep in mind", "merk dir", "notiere"),
    writes=True,
)
async def remember(context: ToolContext, note: NewNotes) -> Result:
    """Keep a note in the person's own words; only where they ask for it themselves.

    Args:
        note: What to remember.
    """
    try:
        wanted = tuple(dict.fromkeys(clean_note(each) for each in (note if isinstance(note, list) else [note])))
    except NoteRefused as refused:
        return Result(refused.message, kind="clarify")
    known = {each.text for each in await list_memories(context.ledger)}
    new = [each for each in wanted if each not in known]
    names: dict[str, Value | Money] = {"note": _quoted(new or wanted), "most": MOST_NOTES, "count": len(new)}
    if not new:
        return Result("I remember {note} already.", names=names, kind="unchanged")
    if len(known) + len(new) > MOST_NOTES:
        return Result("I keep {most} notes at most; forget one first.", names=names, kind="clarify")

    async def work(connection: AsyncConnection) -> None:
        for each in new:
            await add_memory(connection, context.ledger, each)

    undo = Call(_FORGET, {"note": new[0]}) if len(new) == 1 else None
    done = Change(work, "I will remember {note}." if len(new) == 1 else "I will remember these {count} notes.", undo)
    if len(new) == 1:
        return Result("Remember {note}?", names=names, change=done)
    return Result("Remember these {count} notes?", names=names, table=_listed(new), change=done)


@tool(
    app="memories",
    name=_FORGET,
    examples=(
        "Forget that I share the rent with Anna",
        "Forget the note about Netflix",
        "Delete my note about the rent",
        "Forget all notes",
        "Forget everything you remember",
        "Vergiss, dass die Miete geteilt wird",
        "Lösche die Notiz über Netflix",
        "Vergiss alle Notizen",
    ),
    keywords=("forget", "delete", "note", "notes", "vergiss", "lösche", "Notiz"),
    writes=True,
)
async def forget(context: ToolContext, note: ForgottenNotes) -> Result:
    """Forget a note that the person asked to be remembered, or all of them.

    Args:
        note: Words of the note, or "all".
    """
    notes = await list_memories(context.ledger)
    gone = notes if note.strip().casefold() == ALL_NOTES else _matching(notes, note)
    texts = [each.text for each in gone]
    names: dict[str, Value | Money] = {"count": len(gone), "words": note, "note": _quoted(texts)}
    if not notes:
        return Result("I keep no notes for you.", kind="empty")
    if not gone:
        return Result("None of your notes says “{words}”.", names=names, kind="clarify", choices=_near(notes, note))
    if len(gone) > 1 and gone is not notes:
        choices = _choices([each.text for each in gone])
        return Result(
            "{count} notes say “{words}”. Which one shall I forget?", names=names, kind="clarify", choices=choices
        )

    async def work(connection: AsyncConnection) -> None:
        await remove_memories(connection, context.ledger, texts)

    undo = Call(_REMEMBER, {"note": texts if len(texts) > 1 else texts[0]})
    if len(gone) == 1:
        return Result("Forget {note}?", names=names, change=Change(work, "I have forgotten {note}.", undo))
    done = Change(work, "I have forgotten all {count} notes.", undo)
    return Result("Forget all {count} notes?", names=names, table=_table(gone), change=done)


def _matching(notes: Sequence[Memory], wanted: str) -> Sequence[Memory]:
    """Return the notes meant by words: the one that is these words, else those that have all of them."""
    text = " ".join(wanted.split())
    for same in (
        [each for each in notes if each.text == text],
        [each for each in notes if each.text.casefold() == text.casefold()],
    ):
        if same:
            return same
    keys = {word.key for word in words(wanted)}
    telling = {stem(key) for key in keys - _SMALL or keys}
    return [each for each in notes if telling and telling <= {stem(word.key) for word in words(each.text)}]


def _near(notes: Sequence[Memory], wanted: str) -> tuple[Choice, ...]:
    texts = {each.text: each.text.casefold() for each in notes}
    found = process.extract(wanted.casefold(), texts, scorer=fuzz.token_set_ratio, limit=3, score_cutoff=_LIKELY)
    return _choices([str(text) for _, _, text in found])


def _choices(texts: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(
        choice_of(say("Forget the note “{note}”", note=text), _FORGET, note=text) for text in texts[:_MOST_CHOICES]
    )


def _quoted(texts: Sequence[str]) -> str:
    return say("“{word}”", word=texts[0]) if len(texts) == 1 else ""


def _table(notes: Sequence[Memory]) -> Table:
    rows = tuple((each.text, date.fromisoformat(each.created_at[:10])) for each in notes)
    return Table((Column("Note"), Column("Since", "date")), rows)


def _listed(texts: Sequence[str]) -> Table:
    return Table((Column("Note"),), tuple((text,) for text in texts))
