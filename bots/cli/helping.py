"""What the command says of itself with ``--help``, in the language of the terminal."""

from __future__ import annotations

import argparse
from copy import copy
from typing import Any

from bots.cli.speaking import terminal_locale
from language.catalogue import language_of, translated
from language.tongue import DEFAULT


class Formatter(argparse.HelpFormatter):
    """Tells descriptions, headings and helps in the terminal's language."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Lay out as argparse does."""
        super().__init__(*arguments, **options)
        self._language = language_of(terminal_locale() or DEFAULT)

    def add_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Begin with the word for usage."""
        super().add_usage(usage, actions, groups, self._told("usage: ") if prefix is None else prefix)

    def add_text(self, text: str | None) -> None:
        """Add a description."""
        super().add_text(self._told(text))

    def start_section(self, heading: str | None) -> None:
        """Begin a list of arguments."""
        super().start_section(self._told(heading))

    def _expand_help(self, action: argparse.Action) -> str:
        told = copy(action)
        told.help = self._told(action.help)
        return super()._expand_help(told)

    def _told(self, text: str | None) -> str | None:
        return translated(text, self._language) if text else text
