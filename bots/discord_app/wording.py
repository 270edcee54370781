"""Discord's form of text: what is written in it, and what a person saw of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bots.cleaning import clean
from bots.payloads import list_at, look, text_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: No more of a text is read; it is what a member with Nitro may write in one message.
LONGEST = 4000

#: <@user>, <@&role>, <#channel>, </command:id>, <:emoji:id> and <t:time>.
#: https://docs.discord.com/developers/reference#message-formatting
_FORM = re.compile(r"<(?:(@!?)(\d+)|(@&|#)\d+|/([^:>]+):\d+|a?(:\w+:)\d+|t:-?\d+(?::\w)?)>")
_NAMELESS = {"@&": "@role", "#": "#channel"}
_LAYERS = 6


def plain(text: str, names: Mapping[str, str] | None = None) -> str:
    """Return the text as a person saw it, cut at LONGEST; ``names`` are the people mentioned, by id."""

    def seen(match: re.Match[str]) -> str:
        at, user, kind, command, emoji = match.groups()
        if at:
            return f"@{(names or {}).get(user, 'someone')}"
        return f"/{command}" if command else emoji or _NAMELESS.get(kind, "")

    return clean(_FORM.sub(seen, text[: 4 * LONGEST])).strip()[:LONGEST].rstrip()


def mention_of(user: str) -> str:
    """Return the pattern of a user's mentions."""
    return rf"<@!?{re.escape(user)}>"


def names_at(message: object) -> dict[str, str]:
    """Return the names of the people that a message mentions, by id."""
    people = list_at(message, "mentions")
    return {text_at(each, "id"): clean(text_at(each, "global_name") or text_at(each, "username")) for each in people}


def visible_text(message: object) -> str:
    """Return what can be read in a message: its text, its embeds, its components, and what it forwards."""
    lines = (plain(part, names_at(message)) for part in _shown(message))
    return "\n".join(dict.fromkeys(line for line in lines if line))[:LONGEST].rstrip()


def _shown(message: object) -> Iterator[str]:
    yield text_at(message, "content")
    for embed in list_at(message, "embeds"):
        yield from (text_at(embed, "author", "name"), text_at(embed, "title"), text_at(embed, "description"))
        for field in list_at(embed, "fields"):
            yield f"{text_at(field, 'name')}: {text_at(field, 'value')}"
        yield text_at(embed, "footer", "text")
    yield from _texts(list_at(message, "components"), _LAYERS)
    for forwarded in list_at(message, "message_snapshots"):
        yield from _shown(look(forwarded, "message"))


def _texts(components: list[object], layers: int) -> Iterator[str]:
    """Yield the texts among components, without those of buttons."""
    for each in components[:100] if layers else ():
        yield text_at(each, "content")
        yield from _texts(list_at(each, "components"), layers - 1)


_NO_WIDTH = "\u200b"
_PING = re.compile("@(?=everyone|here)|(?<=<)@", re.IGNORECASE)
#: An invite or a gift is shown as a card even without "https://" before it.
_CARD = re.compile(r"(?:(?<=discord)|(?<=discordapp))\.(?=[a-z])", re.IGNORECASE)
_ACTS = re.compile(
    r"""
    [\\*_`\[]                   # escape, emphasis, underline, code, link
    | ~(?=~) | (?<=~)~          # strikethrough
    | \|(?=\|) | (?<=\|)\|      # spoiler
    | <(?=\S)                   # mention, command, time, emoji, address
    | :(?=//|[^\s:]*:)          # address, emoji by its name
    """,
    re.VERBOSE,
)
#: What makes a line a heading, a quote, subtext or a list; the asterisk is escaped anywhere.
_STARTS = re.compile(r"^[^\S\n]*(?:(?=[#>]|[-+](?:[#\s]|$))|\d+(?=\.(?:\s|$)))", re.MULTILINE)
_FENCE = re.compile("`(?=`)")


def escape(text: str) -> str:
    """Return the text, cleaned, as source that shows it as it is; it begins a line, or stands where no line begins."""
    quiet = _PING.sub(f"@{_NO_WIDTH}", clean(text))
    return _STARTS.sub(r"\g<0>\\", _CARD.sub(r"\.", _ACTS.sub(r"\\\g<0>", quiet)))


def fenced(lines: Iterable[str]) -> str:
    """Return lines as a block of code, in a font of one width and without markup, that nothing in them can end."""
    code = clean("\n".join(lines))
    for acts in (_PING, _CARD, _FENCE):
        code = acts.sub(rf"\g<0>{_NO_WIDTH}", code)
    return f"```\n{code}\n```"
