"""Files of tools of somebody's own that write, rightly and in every wrong way; what their work does leaves a mark."""

from __future__ import annotations

from pathlib import Path

#: What each body does when it is called for its proposal; only the first two propose anything.
BODIES = {
    "proposing": "return shown(change)",
    "noting": "return shown(Change(noted(context), '{{text}} DONE4711.'))",
    "telling": "return 'DONE4711'",
    "listing": "return {{'done': 'DONE4711'}}",
    "nothing": "return None",
    "claiming": "return Result('DONE4711')",
    "bare": "return change",
    "plain_work": "return shown(Change(plain_work, 'DONE4711'))",
    "no_work": "return shown(Change(None, 'DONE4711'))",
    "raising": "raise ValueError('DONE4711')",
    "leaving": "raise SystemExit(0)",
    "breaking": "raise KeyboardInterrupt",
    "waiting": "wait(); return shown(change)",
}
RIGHT = ("proposing", "noting")
#: Tools whose proposal is right, and whose work fails.
FAILING = {"work_raises": "raise ValueError('DONE4711')", "work_leaves": "raise SystemExit(0)"}
SENTENCES = dict(
    zip(
        [f"{way}_{name}" for name in (*BODIES, *FAILING) for way in ("sync", "async")],
        (
            f"{verb} the {thing}"
            for thing in ("silverware", "greenhouse", "chimney", "lighthouse", "piano")
            for verb in ("Polish", "Varnish", "Demolish", "Wallpaper", "Illuminate", "Fumigate")
        ),
        strict=True,
    )
)

#: The file in the tools' folder without which those that wait go on waiting, however often their file was loaded.
GATE = "gate"

_HEAD = """
import time
from pathlib import Path
from ledger.memories import add_memory
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Result

PROBE = Path({probe!r})
GATE = Path({gate!r})

def wait():
    while not GATE.exists():
        time.sleep(0.01)

def mark():
    with PROBE.open("a") as file:
        file.write("x")

async def work(connection):
    mark()

def plain_work(connection):
    mark()

def noted(context):
    async def work(connection):
        await add_memory(connection, context.ledger, "a note of one's own")
        mark()
    return work

def shown(change):
    return Result("Shall I?", names={{"text": "It is"}}, change=change)

change = Change(work, "DONE4711.")
"""
_TOOL = """
@tool(app="own", examples=({sentence!r},), writes=True)
{define} {name}(context: ToolContext, word: str = "x") -> Result:
    \"\"\"{sentence}.\"\"\"
    {body}
"""
_FAILING = """
async def {name}_work(connection):
    await connection.execute(__import__("sqlalchemy").text("DELETE FROM settings"))
    {body}
"""


def write_own_tools(folder: Path) -> tuple[Path, Path]:
    """Write the file; return it and the file that the work of its changes leaves a mark in."""
    probe, path = folder / "probe", folder / "own_tools_that_write.py"
    text = _HEAD.format(probe=str(probe), gate=str(folder / GATE))
    for name, body in FAILING.items():
        text += _FAILING.format(name=name, body=body)
    for name, body in (BODIES | {name: f"return shown(Change({name}_work, 'DONE4711'))" for name in FAILING}).items():
        for way, define in (("sync", "def"), ("async", "async def")):
            full = f"{way}_{name}"
            text += _TOOL.format(sentence=SENTENCES[full], define=define, name=full, body=body.format())
    path.write_text(text, encoding="utf-8")
    return path, probe
