"""What can go wrong with tools.

    TypeError
    ├── UnusableSelector          there is no selector at an import path; names the path
    └── ToolDefinitionError       a function can't become a tool; names the function and the parameter
        ├── NotCallable           it can't be called, has no name or no readable signature
        ├── MissingHint           a parameter has no type annotation
        ├── PositionalOnly        a parameter can't be passed by name
        ├── UnsupportedHint       a type that has no JSON form, or a constraint that doesn't fit its type
        ├── UnresolvedHint        an annotation names something that doesn't exist where the function was written
        └── SchemaMismatch        a given schema isn't in OpenAI's form or doesn't fit the function

    ValueError
    ├── UnusableVectors           an embedder's answer can't be compared; all tools are offered then
    ├── UnreadableNames           a model's answer names no tools; likewise
    └── InvalidArguments          arguments that can't be turned into what the function takes; carries the problems

    Exception
    └── UnserialisableResult      a tool returned neither a text nor a result; names the type

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


class UnusableSelector(TypeError):
    """There is no selector at an import path; the message is one sentence for whoever set it."""

    def __init__(self, path: str, reason: str) -> None:
        """Say which path, and what is wrong there."""
        super().__init__(f"The selector {path} can't be used: {reason}.")
        self.path = path


class UnusableVectors(ValueError):
    """An embedder answered with too few vectors, ones of different lengths or ones without direction."""


class UnreadableNames(ValueError):
    """A model that was asked for names of tools answered with something else."""


class InvalidArguments(ValueError):
    """Arguments that don't fit the function; ``problems`` says which and why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep the problems; the message is their reasons."""
        super().__init__("; ".join(problem.reason for problem in problems))
        self.problems = tuple(problems)


class UnserialisableResult(Exception):
    """A tool returned neither a text nor a :class:`tools.results.Result`; ``kind`` is the type's name."""

    def __init__(self, kind: str) -> None:
        """Keep the name."""
        super().__init__(kind)
        self.kind = kind
