"""Lines from a pipe: whole, whatever the bytes, and never so long that they fill the memory."""

from __future__ import annotations

import os
import threading

import pytest

from bots.console.lines import MOST_CHARACTERS, PipedLines, _Completer


@pytest.fixture
def piped():
    """Feed bytes to a pipe and read its lines."""
    opened = []

    def feed(data: bytes) -> PipedLines:
        reading, writing = os.pipe()
        opened.append(reading)

        def write() -> None:
            with os.fdopen(writing, "wb") as out:
                out.write(data)

        threading.Thread(target=write, daemon=True).start()
        return PipedLines(reading)

    yield feed
    for descriptor in opened:
        os.close(descriptor)


async def all_of(lines: PipedLines) -> list[str]:
    found = []
    while (line := await lines.read()) is not None:
        found.append(line)
    return found


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\n\r\nno end", ["one", "", "no end"]),
        ("für März?\n".encode(), ["für März?"]),
        (b"\xff\xfe\x00x\n", ["\ufffd\ufffd\x00x"]),
    ],
)
async def test_lines_come_as_they_are(piped, data, expected):
    assert await all_of(piped(data)) == expected


async def test_a_line_of_megabytes_comes_cut_and_the_next_one_whole(piped):
    long, after = await all_of(piped(b"x" * 3_000_000 + b"\nafter\n"))
    assert len(long) == MOST_CHARACTERS + 1
    assert after == "after"


@pytest.mark.parametrize("end", [b"\n", b""])
async def test_a_line_as_long_as_one_read_does_not_swallow_the_next(piped, end):
    lines = await all_of(piped(b"x" * (4 * MOST_CHARACTERS) + b"\nafter" + end))
    assert lines[1:] == ["after"]


def test_tab_completes_commands_and_paths(tmp_path):
    (tmp_path / "bank.csv").touch()
    (tmp_path / "backup").mkdir()
    complete = _Completer(("/import", "/why"))
    assert [complete("/im", state) for state in range(2)] == ["/import ", None]
    found = [complete(f"{tmp_path}/ba", state) for state in range(3)]
    assert found == [f"{tmp_path}/backup/", f"{tmp_path}/bank.csv", None]
    assert complete("word", 0) is None
