"""Running one tool with checked arguments."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

from tools.arguments import to_python
from tools.errors import UnserialisableResult
from tools.results import Result
from tools.schema import tool_parameters

if TYPE_CHECKING:
    from tools.context import ToolContext
    from tools.registry import Tool


async def run_tool(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> Result:
    """Call the function with Python values; a sync one runs in a thread, a text becomes a result without facts.

    Raises:
        UnserialisableResult: it returned something else.
    """
    values: dict[str, Any] = to_python(tool.function, arguments)
    values |= {parameter.name: context for parameter in tool_parameters(tool.function) if parameter.injected}
    if inspect.iscoroutinefunction(tool.function):
        value = await tool.function(**values)
    else:
        value = await asyncio.to_thread(tool.function, **values)
        if inspect.isawaitable(value):  # an object whose call is async
            value = await value
    if isinstance(value, Result):
        return value
    if not isinstance(value, str):
        raise UnserialisableResult(type(value).__name__)
    return Result("{text}", names={"text": value})
