"""The turn as a LangGraph state machine: select → validate → call_tool ⟲ → explain."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar, cast

from langgraph.graph import END, START, StateGraph

from graph.nodes.call_tool import call_tool
from graph.nodes.explain import explain
from graph.nodes.select import select
from graph.nodes.validate import validate
from graph.state import State, Turn
from graph.tracing import span

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.runtime import Runtime

    from graph.tracing import Part

N = TypeVar("N", bound=Callable[..., Awaitable[State]])

#: Supersteps that one round takes at most: select, validate, call_tool, and a repaired select and validate.
_STEPS_PER_ROUND = 3


def build_graph(*, traced: bool = False) -> CompiledStateGraph[State, Turn, State, State]:
    """Compile the graph; it keeps nothing between turns (no checkpointer, no node cache).

    ``traced`` puts a span around each node; calls of tools tell of themselves.
    """
    graph = StateGraph(State, context_schema=Turn)
    graph.add_node("call_tool", call_tool)
    for node in (select, validate, explain):
        graph.add_node(node.__name__, _told(node) if traced else node)
    graph.add_edge(START, "select")
    graph.add_conditional_edges("select", _after_select, ["validate", "explain"])
    graph.add_conditional_edges("validate", _after_validate, ["call_tool", "select", "explain"])
    graph.add_edge("call_tool", "select")
    graph.add_edge("explain", END)
    return graph.compile()


def _told(node: N) -> N:
    part = cast("Part", node.__name__)

    @wraps(node)
    async def told(state: State, runtime: Runtime[Turn]) -> State:
        with span(part):
            return await node(state, runtime)

    return cast("N", told)


def recursion_limit(max_rounds: int, repairs: int) -> int:
    """Return enough supersteps for every round and repair; our own cap ends a turn long before."""
    return _STEPS_PER_ROUND * (max_rounds + 1) + 2 * (repairs + 2) + 4


def _after_select(state: State) -> str:
    return "validate" if state.get("proposals") else "explain"


def _after_validate(state: State) -> str:
    if state.get("checked"):
        return "call_tool"
    return "select" if state.get("rejections") else "explain"
