"""What went to somebody and came from them: one less the other, and what is still owed of what was lent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language import cues
from ledger.private_people import is_person
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning


def nets_both_ways(asking: Asking) -> bool:
    """Whether it is asked how much more went to one name than came from it, or the other way round."""
    return asking.says(cues.BOTH_WAYS) and len(names_of(asking.about.get("merchant"))) == 1


def asks_what_is_owed(asking: Asking) -> bool:
    """Whether it is asked what a person who is named still owes of what they were lent, and when or for what that was."""
    told = bool(asking.periods) or asking.has("text")
    return _is_of_persons(names_of(asking.about.get("merchant"))) and told


def left_between(said: Asking, base: Meaning) -> Meaning | None:
    """Return what is left between whoever asks and the one name that stands, when what went the other way is taken off.

    Of what was lent at some time, it is what has not come back since.
    """
    base = base.without("means")  # it may come back another way
    one = base.about.keys() <= {"merchant", "text"} and len(names_of(base.about.get("merchant"))) == 1
    if not one:
        return None
    if said.says(cues.OWES_ME) and base.of in ("spending", "all") and _is_of_persons(names_of(base.about["merchant"])):
        return base.but(act="owed", of="spending", by=None) if base.periods or "text" in base.about else None
    both = said.says(cues.BOTH_WAYS) or (
        said.says(cues.TAKEN_OFF) and (said.says(cues.TO_SOMEBODY) or said.says(cues.TO_ME))
    )
    alone = base.about.keys() == {"merchant"} and base.of in ("spending", "income")
    return base.but(act="total", of="left", periods=said.periods or base.periods) if both and alone else None


def _is_of_persons(names: Sequence[str]) -> bool:
    """Whether those who are named are persons, as a shop is lent nothing."""
    return bool(names) and all(map(is_person, names))
