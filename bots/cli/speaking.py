"""The language of what the command says by itself: that of the person's locale, or of the terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from language.catalogue import language_of
from language.tongue import DEFAULT
from ledger.preferences import locale_of

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from ledger.repository import Repository


def terminal_locale() -> str | None:
    """Return the terminal's locale where its language is one that we speak besides English; English needs no telling."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    locale = named.partition(".")[0]
    return locale if language_of(locale) != DEFAULT else None


def at_terminal(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """Return the settings with the terminal's locale where none is set, unless others than its user are served."""
    serves = arguments.command == "run" and (settings.slack.bot_token or settings.discord.token)
    if settings.locale is not None or serves or (locale := terminal_locale()) is None:
        return settings
    return settings.model_copy(update={"locale": locale})


def language_here(settings: Settings) -> str:
    """Return the language of this installation, which is the terminal's where nothing is set."""
    return language_of(settings.locale or DEFAULT)


async def tongue(repository: Repository, settings: Settings) -> str:
    """Return the language of a person at the terminal."""
    return language_of(locale_of(await repository.settings()) or settings.locale or DEFAULT)
