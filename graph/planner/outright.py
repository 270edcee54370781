"""What a sentence asks for outright: a tool that is found by sentences of its own and by no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.asking_back import OUTRIGHT
from graph.planner.filling import fill
from graph.planner.plan import Plan
from tools.calls import Call
from tools.slots.sentences import SentenceSlot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.planner.reading import Reading
    from tools.registry import Tool


def asked_in_sentences(tool: Tool) -> bool:
    """Whether a tool is found by sentences that ask for it outright, and by no other."""
    return any(isinstance(slot, SentenceSlot) for slot in tool.slots.values())


def _is_asked(tool: Tool, reading: Reading) -> bool:
    """Whether a tool is what the sentence asks for outright."""
    slots = {slot.name for slot in tool.slots.values() if isinstance(slot, SentenceSlot)}
    return any(mention.slot in slots for mention in reading.mentions)


def asked(reading: Reading, tools: Mapping[str, Tool]) -> Plan:
    """Return the call of the tool that a sentence asks for outright."""
    tool = next((tool for tool in tools.values() if _is_asked(tool, reading)), None)
    if tool is None:
        return Plan("none", confidence=OUTRIGHT, question="The tool for that is switched off.")
    return Plan("calls", ((Call(tool.name, fill(tool, reading)),),), OUTRIGHT)
