"""Names offered to someone who types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from tools.slots.name_index import letters

if TYPE_CHECKING:
    from collections.abc import Sequence

_LIKELY = 70
_FEW = 10


def nearest(typed: str, known: Sequence[str]) -> list[str]:
    """Return names for what was typed: those that begin with it, that hold it, and where those are few, likely slips."""
    wanted = letters(typed)
    if not wanted:
        return list(known)
    written = [letters(name) for name in known]
    holding = [place for place, name in enumerate(written) if wanted in name]
    places = sorted(holding, key=lambda place: not written[place].startswith(wanted))
    if len(places) < _FEW:
        slips = process.extract(wanted, written, scorer=fuzz.ratio, limit=_FEW, score_cutoff=_LIKELY)
        places += [place for _, _, place in slips if place not in holding]
    return [known[place] for place in places]
