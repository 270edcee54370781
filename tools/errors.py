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

    ToolError                     a tool that ran has no result that can be used; says so in a sentence for the person
    ├── ToolTimedOut              it took longer than it may
    ├── ToolBusy                  it was not started, since others of the person's or too many go on
    ├── ToolQuit                  it ended itself as if it were the program; names how
    ├── UnserialisableResult      it returned neither a text nor a result; names the type
    ├── NotProposed               it writes, and returned no change to be confirmed
    ├── UndeclaredChange          it returned a change, and is not marked as writing
    ├── WriteRefused              it tried to write before the person has said yes
    └── CallEnded                 it tried to read on after its call had ended

Definition errors are for the author of a tool and are raised when it is registered. ``InvalidArguments`` holds one
plain sentence a problem, fit for the model and the person alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.schema.validation import Problem

#: What a failure is called towards a model and in the trace.
Kind = Literal[
    "ToolFailed", "ToolTimeout", "ToolBusy", "UnserialisableResult", "NotProposed", "UndeclaredChange", "WriteRefused"
]


class ToolDefinitionError(TypeError):
    """Base of all reasons why a function can't become a tool."""

    def __init__(self, reason: str, function: str = "", parameter: str = "") -> None:
        """Say what is wrong: with the function, with one parameter of it, or in a whole sentence of its own."""
        where = f"{function}: parameter '{parameter}' " if parameter else f"{function} " if function else ""
        super().__init__(where + reason)
        self.reason = reason
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


class ToolError(Exception):
    """Base of what goes wrong with a tool that is run; ``message`` is for the person, ``reason`` for who called it."""

    message = "That did not work; the reason is in the log."
    reason = "The tool failed."
    kind: Kind = "ToolFailed"


class ToolTimedOut(ToolError):
    """A tool took longer than it may."""

    kind = "ToolTimeout"
    message = "That took too long, so I stopped it."

    def __init__(self, limit: float) -> None:
        """Name the limit in seconds."""
        super().__init__(limit)
        self.reason = f"The tool was stopped after {limit:g} seconds."


class ToolBusy(ToolError):
    """A tool was not started, since others go on; the message says whose."""

    kind = "ToolBusy"
    reason = "Too many tools are running."

    def __init__(self, message: str) -> None:
        """Keep the sentence."""
        super().__init__(message)
        self.message = message


class ToolQuit(ToolError):
    """A tool raised what ends a program or a task; ``how`` is the exception's name."""

    def __init__(self, how: str) -> None:
        """Keep the name."""
        super().__init__(how)
        self.how = how


class UnserialisableResult(ToolError):
    """A tool returned neither a text nor a :class:`tools.results.Result`; ``type`` is the type's name."""

    kind = "UnserialisableResult"
    reason = "The tool returned nothing that can be shown."

    def __init__(self, type_: str) -> None:
        """Keep the name."""
        super().__init__(type_)
        self.type = type_


class NotProposed(ToolError):
    """A tool that writes returned something else than the change that a person is to confirm."""

    kind = "NotProposed"
    message = "That tool changes things without asking first, so I don't show what it says."
    reason = "The tool writes, and returned no change to be confirmed."


class UndeclaredChange(ToolError):
    """A tool returned a change, though it is not marked as one that writes."""

    kind = "UndeclaredChange"
    message = "That tool wants to change something and is not marked as one that does, so I don't let it."
    reason = "The tool returned a change, and is not marked with writes=True."


class WriteRefused(ToolError):
    """A tool tried to write to the ledger while it ran; only the work of a confirmed change may."""

    kind = "WriteRefused"
    message = "That tool tried to change something before you said yes, so I stopped it."
    reason = "The tool tried to write before the person confirmed anything."


class CallEnded(ToolError):
    """A tool used the ledger after its call had ended."""
