"""What the program writes of itself stands in the documentation as it says it."""

from __future__ import annotations

import re

from tests.support.pages import DOCS, ROOT, TOUR, pages


async def test_the_pages_say_what_the_program_says() -> None:
    """README's first answers and the tour are conversations anew; ``make pages`` writes them."""
    outdated = [path.name for path, text in (await pages()).items() if path.read_text("utf-8") != text]
    assert outdated == [], "run make pages"


def test_the_tour_shows_the_same_in_both_languages() -> None:
    assert {len(script) for script in TOUR.values()} == {len(TOUR["en"])}
    page = (DOCS / "tour.md").read_text("utf-8")
    assert re.findall(r"^> (.+)$", page, re.MULTILINE) == [*TOUR["en"], *TOUR["de"]]


def test_readme_leads_to_them() -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    for name in ("tour.md", "what-you-can-ask.md", "bank-files.md"):
        assert f"(docs/{name})" in page
