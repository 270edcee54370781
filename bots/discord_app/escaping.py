r"""Text for Discord in which nothing formats, pings, links or turns around.

A backslash before a sign that would act shows the sign, so that a reader sees and copies the text as it is; and it breaks
addresses too, as none is found in ``https\://``. It does not keep ``\<@1>`` from pinging, as Discord looks for pings in
the source itself: a space of no width stands in there, as discord.py's ``escape_mentions`` does it. What is read as markup:
docs.discord.com/developers/reference#message-formatting (2026-08-06) and support.discord.com/hc/articles/210298617.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bots.cleaning import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

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
