"""Mutate texts at random and see that the reader of calls keeps its promises.

    python tests/fuzz/fuzz_text_calls.py --seconds 600 --seed 1 --keep

Starts from the collected texts, the variants and the kept corpus. An input that takes the reader along new lines is
mutated further. Failing inputs are added as lines to tests/data/text_calls/corpus/failed.jsonl (exit 1 if there was
any). With --keep, the smallest set of inputs that together run all lines seen becomes corpus/kept.jsonl. The unit tests
read both.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from graph.text_calls import has_call_markup, parse_tool_calls  # noqa: E402

DATA = ROOT / "tests" / "data" / "text_calls"
SOURCE = ROOT / "graph" / "text_calls"
WILD = [json.loads(line) for line in (DATA / "text_calls_wild.jsonl").read_text(encoding="utf-8").splitlines()]
VARIANTS = json.loads((DATA / "variants.json").read_text(encoding="utf-8"))
KEPT = [json.loads(line) for path in sorted((DATA / "corpus").glob("*.jsonl")) for line in path.open(encoding="ascii")]
TEXTS = [
    *(case["text"] for case in WILD if case["text"]),
    *(case["text"] for cases in VARIANTS.values() for case in cases),
    *KEPT,
]
OFFERED = sorted({name for case in WILD for name in case["offered"]} | {"web-search", "sum", "now"})
TOKENS = [
    *"{}[]()<>\"'`,:;=\\/|#*\n\r\t \x00_-.0159aé“”’｜▁◁✿\ud800",
    *("```", "```json\n", "</", "/*", "*/", "//", '"""', "\\u", "\\ud83d", "1e999", "-", "null", "None", "True", "[/"),
    *("<think>", "</think>", "[THINK]", "<tool_call>", "</tool_call>", "<function=", "<parameter=", "</parameter>"),
    *("<arg_key>", "<arg_value>", "</arg_value>", "[TOOL_CALLS]", "[ARGS]", '<|"|>', "<|message|>", "<|channel|>"),
    *("Action: ", "Action Input: ", "Observation:", "For example: ", "> ", "tool_code = ", '{"tool": "sum"}', "sum("),
    *("]<]minimax[>[", "<item>", "<tool_response>", "[BEGIN FINAL RESPONSE]", "<｜DSML｜", "<|open|>", "functools"),
]
#: Marks of thinking, of channels and of results that a model made up: they may close what stands before them.
THINKS = re.compile(
    r"think|thought|reason|analy|refle|scratch|monolog|inner|channel|unused|final|respon|result|output", re.IGNORECASE
)
#: Longer than this for an input of this size is kept as a failure too: (characters, seconds).
SLOW = (10_000, 3.0)
#: Longer inputs are not kept: they show nothing that a shorter one does not.
LONGEST_KEPT = 900
#: One input in so many is watched line by line, which takes twenty times as long.
WATCHED = 12
Lines = frozenset[tuple[str, int, int]]


def mutated(chance: random.Random, texts: list[str]) -> str:
    """Return a text made of a collected one by a few random edits."""
    text = chance.choice(texts)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 9))):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + int(chance.expovariate(0.1)))
        kind = chance.randrange(8)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + chance.choice(TOKENS) + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice(TOKENS) + text[to:]
        elif kind == 3:
            text = text[:at] + text[at:to] * chance.randrange(2, 6) + text[to:]
        elif kind == 4:
            text = text[:at]
        elif kind == 5:
            text = text[:at] + chance.choice(texts) + text[at:]
        elif kind == 6:
            other = chance.choice(texts)
            text = text[:at] + other[chance.randrange(len(other)) :]
        else:
            text = text[:at] + "".join(chance.choices(TOKENS, k=chance.randrange(1, 8))) + text[at:]
    text = text[:20_000] or " "
    return text * chance.randrange(2, 40) if chance.random() < 0.01 else text


def broken_promise(text: str) -> str | None:
    """Return which promise the reader breaks on ``text``, or None."""
    started = time.perf_counter()
    calls = parse_tool_calls(text, OFFERED)
    has_call_markup(text)
    taken = time.perf_counter() - started
    for call in calls:
        if call.name not in OFFERED:
            return f"a name that was not offered: {call.name}"
        if not isinstance(call.arguments, dict) or not all(isinstance(key, str) for key in call.arguments):
            return "arguments that are not named"
        if json.loads(json.dumps(call.arguments, allow_nan=False)) != call.arguments:
            return "arguments that are no JSON"
    if parse_tool_calls(text, OFFERED) != calls:
        return "two readings differ"
    if "</think>" not in text and parse_tool_calls("<think>" + text, OFFERED):
        return "a call from open thinking"
    if not THINKS.search(text) and parse_tool_calls(text + "\n</think>\nDone.", OFFERED):
        return "a call from thinking that the prompt opened"
    if calls and parse_tool_calls(text, ["no such tool"]):
        return "a call of another tool"
    return f"{taken:.1f} s" if taken > SLOW[1] and len(text) < SLOW[0] else None


def lines_run(text: str) -> Lines:
    """Return the steps from line to line that the reader takes on ``text``."""
    steps: set[tuple[str, int, int]] = set()

    def watch(frame: FrameType, _event: str, _argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(str(SOURCE)):
            return None
        name, before = Path(frame.f_code.co_filename).name, 0

        def step(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal before
            if event == "line":
                steps.add((name, before, frame.f_lineno))
                before = frame.f_lineno
            return step

        return step

    sys.settrace(watch)
    try:
        parse_tool_calls(text, OFFERED)
    finally:
        sys.settrace(None)
    return frozenset(steps)


def count_lines() -> int:
    """Return how many lines the functions of the reader have."""
    found: set[tuple[str, int]] = set()

    def walk(code: CodeType, name: str) -> None:
        for inner in (constant for constant in code.co_consts if isinstance(constant, CodeType)):
            if inner.co_flags & 0x2:  # a function, not a class body
                found.update((name, line) for _, _, line in inner.co_lines() if line and line != inner.co_firstlineno)
            walk(inner, name)

    for path in SOURCE.glob("*.py"):
        walk(compile(path.read_text(encoding="utf-8"), str(path), "exec"), path.name)
    return len(found)


def smallest(inputs: dict[str, Lines]) -> list[str]:
    """Return few short inputs that together take every step that all of them take."""
    wanted = set().union(*inputs.values())
    kept: list[str] = []
    while wanted:
        best = max(sorted(inputs), key=lambda text: (len(inputs[text] & wanted), -len(text)))
        kept.append(best)
        wanted -= inputs[best]
    return kept


class Fuzzing:
    """One run: what was tried, what failed, and which inputs took new steps."""

    def __init__(self, seed: int) -> None:
        """Watch the collected texts first."""
        self.chance = random.Random(seed)
        self.tried = self.called = 0
        self.failed: list[str] = []
        self.slowest = (0.0, "")
        self.inputs = {text: lines_run(text) for text in TEXTS if len(text) <= LONGEST_KEPT}
        self.seen: set[tuple[str, int, int]] = set().union(*self.inputs.values())
        self.texts = list(TEXTS)

    def try_one(self) -> None:
        """Try one more input."""
        text = mutated(self.chance, self.texts)
        self.tried += 1
        started = time.perf_counter()
        try:
            broken = broken_promise(text)
            self.called += bool(parse_tool_calls(text, OFFERED))
        except Exception as error:  # noqa: BLE001  (the promise is that none comes)
            broken = f"{type(error).__name__}: {error}"
        self.slowest = max(self.slowest, ((time.perf_counter() - started) / (len(text) + 100), text))
        if broken:
            self.failed.append(text)
            print(f"{broken}\n  {text[:300]!r}", flush=True)
        elif self.tried % WATCHED == 0 and len(text) <= LONGEST_KEPT and (steps := lines_run(text)) - self.seen:
            self.seen |= steps
            self.inputs[text] = steps
            self.texts.append(text)

    def report(self) -> str:
        """Return the numbers."""
        lines = len({(name, line) for name, _, line in self.seen})
        return (
            f"{self.tried} inputs, {self.called} with calls, {len(self.failed)} broken promises; {lines} of {count_lines()} "
            f"lines and {len(self.seen)} steps between them run, {len(self.texts) - len(TEXTS)} inputs with new steps; "
            f"slowest: {self.slowest[0] * 1e6:.0f} µs a character, {self.slowest[1][:80]!r}"
        )


def write(name: str, texts: list[str]) -> None:
    """Write inputs as lines of JSON."""
    (DATA / "corpus" / name).write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="ascii")


def main() -> int:
    """Fuzz until the time is over."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", action="store_true", help="replace the corpus by the smallest one with all steps")
    chosen = options.parse_args()
    fuzzing = Fuzzing(chosen.seed)
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        fuzzing.try_one()
    if fuzzing.failed:
        write("failed.jsonl", fuzzing.failed)
    if chosen.keep:
        write("kept.jsonl", smallest(fuzzing.inputs))
    print(fuzzing.report())
    return 1 if fuzzing.failed else 0


if __name__ == "__main__":
    sys.exit(main())
