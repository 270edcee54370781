"""What can go wrong with tools.

    TypeError
    └── ToolDefinitionError       a function can't become a tool; names the function and the parameter
        ├── NotCallable           it can't be called, has no name or no readable signature
        ├── MissingHint           a parameter has no type annotation
        ├── PositionalOnly        a parameter can't be passed by name
        ├── UnsupportedHint       a type that has no JSON form, or a constraint that doesn't fit its type
        ├── UnresolvedHint        an annotation names something that doesn't exist where the function was written
        └── SchemaMismatch        a given schema isn't in OpenAI's form or doesn't fit the function

    ValueError
    └── InvalidArguments          arguments that can't be turned into what the function takes; carries the problems

Definition errors are for the author of a tool and are raised when it is registered. ``InvalidArguments`` holds one
plain sentence a problem, fit for the model and the person alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.schema.validation import Problem


class ToolDefinitionError(TypeError):
    """Base of all reasons why a function can't become a tool."""

    def __init__(self, reason: str, function: str = "", parameter: str = "") -> None:
        """Say what is wrong: with the function, with one parameter of it, or in a whole sentence of its own."""
        where = f"{function}: parameter '{parameter}' " if parameter else f"{function} " if function else ""
        super().__init__(where + reason)
        self.function = function
        self.parameter = parameter


class NotCallable(ToolDefinitionError):
    """The thing can't be called, has no name or hides its signature."""


class MissingHint(ToolDefinitionError):
    """A parameter has no type annotation."""


class PositionalOnly(ToolDefinitionError):
    """A parameter can't be passed by name, and a model's arguments have nothing but names."""


class UnsupportedHint(ToolDefinitionError):
    """A parameter's type has no JSON form, or a constraint doesn't fit its type."""


class UnresolvedHint(ToolDefinitionError):
    """A parameter's annotation names something that can't be found."""


class SchemaMismatch(ToolDefinitionError):
    """A given schema isn't in OpenAI's form or doesn't fit the function's signature."""


class InvalidArguments(ValueError):
    """Arguments that don't fit the function; ``problems`` says which and why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep the problems; the message is their reasons."""
        super().__init__("; ".join(problem.reason for problem in problems))
        self.problems = tuple(problems)
