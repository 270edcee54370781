"""The schema of a typed function, in the OpenAI function format."""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any

from tools.errors import MissingHint
from tools.schema.docstrings import describe_function
from tools.schema.hints import HintReader, Reading, read_object
from tools.schema.signature import MISSING, Parameter, function_name, names_in_reach, plain_function, tool_parameters

if TYPE_CHECKING:
    from collections.abc import Callable


def tool_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the function's schema; raises a ToolDefinitionError that names the function and the parameter."""
    name = function_name(function)
    docstring = inspect.getdoc(plain_function(function))
    fields = []
    for parameter in tool_parameters(function):
        if parameter.injected:
            continue
        if parameter.hint is MISSING:
            raise MissingHint(_missing(parameter.name), name, parameter.name)
        fields.append((parameter, read_hint(function, parameter)))
    described: dict[str, Any] = {"name": name}
    if description := describe_function(docstring):
        described["description"] = description
    parameters = copy.deepcopy(read_object(fields, dict, docstring).schema)
    return {"type": "function", "function": {**described, "parameters": parameters}}


def _missing(parameter: str) -> str:
    reason = "has no type annotation; every parameter of a tool needs one"
    return f"{reason} (register the method of an object, not that of its class)" if parameter == "self" else reason


def read_hint(function: Callable[..., Any], parameter: Parameter) -> Reading:
    """Return the schema of one parameter's hint and its conversion; raises UnsupportedHint or UnresolvedHint."""
    return HintReader(function_name(function), parameter.name, names_in_reach(function)).read(parameter.hint)
