"""The turn as a LangGraph state machine: select → validate → call_tool ⟲ → explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.graph import END, START, StateGraph

from graph.nodes.call_tool import call_tool
from graph.nodes.explain import explain
from graph.nodes.select import select
from graph.nodes.validate import validate
from graph.state import State, Turn

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

#: Supersteps that one round takes at most: select, validate, call_tool, and a repaired select and validate.
_STEPS_PER_ROUND = 3


def build_graph() -> CompiledStateGraph[State, Turn, State, State]:
    """Compile the graph; it keeps nothing between turns (no checkpointer, no node cache)."""
    graph = StateGraph(State, context_schema=Turn)
    for node in (select, validate, call_tool, explain):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "select")
    graph.add_conditional_edges("select", _after_select, ["validate", "explain"])
    graph.add_conditional_edges("validate", _after_validate, ["call_tool", "select", "explain"])
    graph.add_edge("call_tool", "select")
    graph.add_edge("explain", END)
    return graph.compile()


def recursion_limit(max_rounds: int, repairs: int) -> int:
    """Return enough supersteps for every round and repair; our own cap ends a turn long before."""
    return _STEPS_PER_ROUND * (max_rounds + 1) + 2 * (repairs + 2) + 4


def _after_select(state: State) -> str:
    return "validate" if state.get("proposals") else "explain"


def _after_validate(state: State) -> str:
    if state.get("checked"):
        return "call_tool"
    return "select" if state.get("rejections") else "explain"
