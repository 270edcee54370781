"""What docs/tools.md claims is shown by tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TITLE = "## What others do, and what we do"


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs/tools.md").read_text(encoding="utf-8")))
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = {name for source in sources for name in re.findall(r"def (test_\w+)\(", source)}
    assert len(named) > 50
    assert named - there == set()


def test_every_row_says_how_we_compare() -> None:
    page = (ROOT / "docs/tools.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*)\|$", page.partition(f"\n{TITLE}\n")[2], re.MULTILINE)
    rows = [row for row in rows if row[0] != "capability"]
    assert len(rows) > 80
    verdicts = r"Same|More|Otherwise|Left out|Here|Comes? with|As above|Splitting|The 33"
    assert [row for row in rows if not re.match(verdicts, row[1])] == []
    assert [row[0] for row in rows if not row[2].strip() and not re.match(r"Left out|Comes? with|Here", row[1])] == []
