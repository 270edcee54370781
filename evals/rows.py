"""The rows of the scoreboard: who answers, by which routing, choosing among which tools."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL = "qwen2.5-coder:1.5b"
OLLAMA = "http://127.0.0.1:11434"
BUILTIN = "builtin"


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One way to answer; ``settings`` are the project's, and a peer has none."""

    name: str
    model: str
    routing: str
    strategy: str
    ollama: str
    settings: Mapping[str, str] = field(default_factory=dict)
    peer: bool = False

    @property
    def wants_model(self) -> bool:
        """Whether a language model must be there."""
        return self.name != BUILTIN


def board_rows(model: str, ollama: str) -> dict[str, BoardRow]:
    """Return all rows by name, for one model behind one server."""
    served = {"MODEL": f"ollama:{model}", "OLLAMA_URL": ollama}
    rows = [
        BoardRow(BUILTIN, "none", "builtin", "", "", {"MODEL": "builtin", "ROUTING": "builtin"}),
        BoardRow("auto", model, "auto", "", ollama, {**served, "ROUTING": "auto"}),
    ]
    for strategy in ("all", "keyword", "semantic"):
        settings = {**served, "ROUTING": "model", "TOOL_SELECTION__STRATEGY": strategy}
        rows.append(BoardRow(f"model-{strategy}", model, "model", strategy, ollama, settings))
    rows.append(BoardRow("create_agent", model, "langchain.agents.create_agent", "all", ollama, peer=True))
    rows.append(BoardRow("two-call", model, "two calls", "all", ollama, peer=True))
    return {row.name: row for row in rows}


#: What stands for several rows.
GROUPS = {
    "model": ("model-all", "model-keyword", "model-semantic"),
    "peers": ("create_agent", "two-call"),
    "all": (BUILTIN, "auto", "model-all", "model-keyword", "model-semantic", "create_agent", "two-call"),
}


def read_names(text: str) -> list[str]:
    """Return the rows that a list such as ``builtin,model`` names, each once; raises ValueError for an unknown one."""
    known = board_rows(MODEL, OLLAMA)
    names: dict[str, None] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        if part not in known and part not in GROUPS:
            raise ValueError(f"There is no row “{part}”; there are {', '.join((*known, *GROUPS))}.")
        names |= dict.fromkeys(GROUPS.get(part, (part,)))
    return list(names)


def missing_model(model: str, ollama: str) -> str | None:
    """Return a sentence on why the model can't be asked, or None where it can."""
    try:
        with urllib.request.urlopen(f"{ollama}/api/tags", timeout=5) as answer:  # noqa: S310 - the URL of the user's own server
            served = [each["name"] for each in json.load(answer)["models"]]
    except (OSError, ValueError, LookupError, TypeError):
        return f"No Ollama answers at {ollama}, so the rows with a model are skipped."
    if model not in served and f"{model}:latest" not in served:
        return f"{ollama} has no {model} (it has {', '.join(served) or 'none'}), so the rows with a model are skipped."
    return None
