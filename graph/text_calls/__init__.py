"""Tool calls that a model wrote as text instead of making them."""

from __future__ import annotations

from graph.text_calls.reading import has_call_markup, parse_tool_calls
from tools.calls import Call

__all__ = ["Call", "has_call_markup", "parse_tool_calls"]
