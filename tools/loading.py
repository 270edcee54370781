"""Loading a module of tools by its path of imports or from a file, and saying where in it something is wrong."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import ToolDefinitionError

if TYPE_CHECKING:
    from types import ModuleType


def load(source: str) -> ModuleType:
    """Import a module by its path of imports, or run a file whose name ends in ``.py``."""
    if not source.endswith(".py"):
        return importlib.import_module(source)
    path = _path_of(source)
    if not path.is_file():
        raise ToolDefinitionError("there is no such file")
    # Of two files of the same name each is a module of its own.
    name = f"extra_tools_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def unusable(source: str, error: BaseException, line: int | None = None) -> ToolDefinitionError:
    """Return an error as one sentence with the source, the line as far as that is known, and the reason."""
    line = line or _line_in(source, error)
    return ToolDefinitionError(f"{source}{f', line {line}' if line else ''}: {_reason(error)}")


def _path_of(source: str) -> Path:
    path = Path(source)
    with suppress(RuntimeError):  # the home of somebody whom this machine doesn't know
        path = path.expanduser()
    return path.absolute()


def _line_in(source: str, error: BaseException) -> int | None:
    """Return where in the source the error arose, as far as that is known."""
    path = str(_path_of(source))
    if isinstance(error, SyntaxError):
        return error.lineno if error.filename == path else None
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] if lines else None


def _reason(error: BaseException) -> str:
    if isinstance(error, ToolDefinitionError):
        return str(error)
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {' '.join(reason.split())}"
