"""What is said of a tool that failed: to the person, to whoever called it, and in the log, and never what it held."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

import structlog

from ledger.errors import LedgerError
from tools.errors import Kind, ToolError, ToolQuit, UnserialisableResult

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure by its kind, with a reason for whoever called the tool and a sentence for the person.

    ``detail`` is what the tool's author needs and is in no ledger: the exception's type, and where it was raised.
    """

    kind: Kind
    reason: str
    message: str
    detail: str = ""
    choices: tuple[str, ...] = ()


def failure_of(error: Exception) -> Failure:
    """Return what may be said of an error."""
    match error:
        case LedgerError():
            return Failure("ToolFailed", "The ledger could not answer that.", error.message, choices=_choices(error))
        case UnserialisableResult():
            return Failure(error.kind, error.reason, error.message, f"a value of type {error.type}")
        case ToolQuit():
            return Failure(error.kind, error.reason, error.message, error.how)
        case ToolError():
            return Failure(error.kind, error.reason, error.message)
    return Failure(ToolError.kind, ToolError.reason, ToolError.message, f"{type(error).__name__}{_where(error)}")


def logged(failure: Failure, tool: str) -> Failure:
    """Put a failure into the log, and return it."""
    _log.warning("tool failed", tool=tool, kind=failure.kind, detail=failure.detail)
    return failure


def _choices(error: LedgerError) -> tuple[str, ...]:
    return tuple(str(each) for each in getattr(error, "choices", ()))


def _where(error: Exception) -> str:
    """Return the file and line of a failure; its message and values stay out of the log."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" at {frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno}" if frames else ""
