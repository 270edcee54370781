"""A form's questions as data, which each platform draws in its own way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from language.catalogue import said_in, translated

OUT_OF_DATE: Final = "This form is out of date. Please close it and open it again."


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a form: what can be chosen and what is, or a line of text where there is nothing to choose from.

    Where ``several`` can be chosen, what is chosen stands with commas between.
    """

    name: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    """What comes back, and what is read."""
    chosen: str = ""
    example: str = ""
    several: bool = False
    hint: str = ""
    required: bool = False
    longest: int = 0
    """How many characters a line of text may have, 0 for as many as a platform's own forms take."""

    @property
    def all_chosen(self) -> tuple[str, ...]:
        """The values of all options that are chosen."""
        return tuple(filter(None, self.chosen.split(","))) if self.several else (self.chosen,)

    def told(self, language: str) -> Field:
        """Return the question in a language; an option that is no message of ours is somebody's data."""
        return replace(
            self,
            label=translated(self.label, language),
            options=tuple((value, said_in(language, text)) for value, text in self.options),
            example=said_in(language, self.example),
            hint=translated(self.hint, language),
        )


def told_problems(wrong: dict[str, str], language: str) -> dict[str, str]:
    """Return what is wrong with a form, by the field that it is about, in a language."""
    return {name: translated(sentence, language) for name, sentence in wrong.items()}
