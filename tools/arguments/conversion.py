"""From valid JSON arguments to the Python values that a function's hints promise."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tools.errors import InvalidArguments, ToolDefinitionError
from tools.schema.function import read_hint
from tools.schema.signature import MISSING, once, takes_any_keyword, tool_parameters
from tools.schema.validation import Problem
from tools.schema.wording import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tools.schema.hints import Reading
    from tools.schema.signature import Parameter


def to_python(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return keyword arguments for the function, without those that the runner injects.

    A parameter that may be None and has no default is None where it wasn't given. Raises InvalidArguments where the
    arguments weren't validated or a class of the tool's refuses its values.
    """
    fields, open_ended = once(_plan, function)
    problems = [
        Problem(name, f"there is no parameter {name}") for name in arguments if name not in fields and not open_ended
    ]
    values: dict[str, Any] = {name: one for name, one in arguments.items() if name not in fields}
    for name, (parameter, reading) in fields.items():
        if name in arguments:
            try:
                values[name] = _convert(arguments[name], parameter, reading)
            except Exception:  # noqa: BLE001 - the constructor of a tool's own class may raise anything
                problems.append(_problem(name, "must be", reading))
        elif parameter.required and reading is not None and reading.takes_none:
            values[name] = None
        elif parameter.required:
            problems.append(_problem(name, "is required:", reading))
    if problems:
        raise InvalidArguments(problems)
    return values


def _problem(name: str, fault: str, reading: Reading | None) -> Problem:
    expected = "a value" if reading is None else describe(reading.schema)
    return Problem(name, f"{name} {fault} {expected}", expected)


def _convert(value: Any, parameter: Parameter, reading: Reading | None) -> Any:
    if reading is None or (value is None and parameter.default is None):
        return value
    return reading.convert(value)


@functools.lru_cache(maxsize=1024)
def _plan(function: Callable[..., Any]) -> tuple[dict[str, tuple[Parameter, Reading | None]], bool]:
    """Read the hints once; what has none that we can read (a given schema describes it) is passed as it is."""
    fields: dict[str, tuple[Parameter, Reading | None]] = {}
    for parameter in tool_parameters(function):
        if parameter.injected:
            continue
        reading = None
        if parameter.hint is not MISSING:
            try:
                reading = read_hint(function, parameter)
            except ToolDefinitionError:
                reading = None
        fields[parameter.name] = (parameter, reading)
    return fields, takes_any_keyword(function)
