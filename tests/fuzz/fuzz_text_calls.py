"""Mutate the collected texts at random and see that the reader keeps its promises.

    python tests/fuzz/fuzz_text_calls.py --seconds 600 --seed 1

Failing inputs (exit 1 if there was any) and, with --keep, some whose outcome was new are added as lines to
tests/data/text_calls/corpus/kept.jsonl, which the unit tests read.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from graph.text_calls import has_call_markup, parse_tool_calls  # noqa: E402

DATA = ROOT / "tests" / "data" / "text_calls"
WILD = [json.loads(line) for line in (DATA / "text_calls_wild.jsonl").read_text(encoding="utf-8").splitlines()]
VARIANTS = json.loads((DATA / "variants.json").read_text(encoding="utf-8"))
TEXTS = [case["text"] for case in WILD if case["text"]] + [
    case["text"] for cases in VARIANTS.values() for case in cases
]
OFFERED = sorted({name for case in WILD for name in case["offered"]} | {"web-search", "sum", "now"})
TOKENS = [
    *"{}[]()<>\"'`,:;=\\/|#*\n\r\t \x00_-.0159aé“”’｜▁◁✿\ud800",
    *("```", "```json\n", "</", "/*", "*/", "//", '"""', "\\u", "\\ud83d", "1e999", "-", "null", "None", "True", "[/"),
    *("<think>", "</think>", "[THINK]", "<tool_call>", "</tool_call>", "<function=", "<parameter=", "</parameter>"),
    *("<arg_key>", "<arg_value>", "</arg_value>", "[TOOL_CALLS]", "[ARGS]", '<|"|>', "<|message|>", "<|channel|>"),
    *("Action: ", "Action Input: ", "Observation:", "For example: ", "> ", "tool_code = ", '{"tool": "sum"}', "sum("),
]
#: Longer than this for an input of this size is kept as a failure too: (characters, seconds).
SLOW = (10_000, 3.0)


def mutated(chance: random.Random) -> str:
    """Return a text made of a collected one by a few random edits."""
    text = chance.choice(TEXTS)
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
            text = text[:at] + chance.choice(TEXTS) + text[at:]
        elif kind == 6:
            other = chance.choice(TEXTS)
            text = text[:at] + other[chance.randrange(len(other)) :]
        else:
            text = text[:at] + "".join(chance.choices(TOKENS, k=chance.randrange(1, 8))) + text[at:]
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
        json.dumps(call.arguments, allow_nan=False)
    if parse_tool_calls(text, OFFERED) != calls:
        return "two readings differ"
    if "</think>" not in text and parse_tool_calls("<think>" + text, OFFERED):
        return "a call from open thinking"
    if calls and parse_tool_calls(text, ["no such tool"]):
        return "a call of another tool"
    return f"{taken:.1f} s" if taken > SLOW[1] and len(text) < SLOW[0] else None


def main() -> int:
    """Fuzz until the time is over."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", type=int, default=0, help="how many inputs with a new outcome to keep")
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    end = time.monotonic() + chosen.seconds
    tried = failed = called = 0
    slowest = (0.0, "")
    outcomes: dict[str, str] = {}
    kept: list[str] = []
    while time.monotonic() < end:
        text = mutated(chance)
        tried += 1
        started = time.perf_counter()
        try:
            broken = broken_promise(text)
            calls = parse_tool_calls(text, OFFERED)
        except Exception as error:  # noqa: BLE001  (the promise is that none comes)
            broken, calls = f"{type(error).__name__}: {error}", []
        slowest = max(slowest, ((time.perf_counter() - started) / (len(text) + 100), text))
        called += bool(calls)
        if broken:
            failed += 1
            kept.append(text)
            print(f"{broken}\n  {text[:300]!r}")
        elif len(text) < 1_500:
            outcomes.setdefault(repr([(call.name, sorted(call.arguments)) for call in calls]), text)
    kept += chance.sample(sorted(outcomes.values()), min(chosen.keep, len(outcomes)))
    with (DATA / "corpus" / "kept.jsonl").open("a", encoding="ascii") as corpus:
        corpus.writelines(json.dumps(text) + "\n" for text in kept)
    print(f"{tried} inputs, {called} with calls, {failed} broken promises; slowest per character: {slowest[1][:120]!r}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
