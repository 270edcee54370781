"""What a share is of: of what is named in all that it is a part of, or of what somebody was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from language import cues
from tools.slots.names import names_of

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from tools.slots.slot import Mention

_INCOME = frozenset({"income", "salary"})


def share_meant(asking: Asking) -> Meaning | None:
    """Return the share of what is named in all that it is a part of; of nothing that is named, the share of income."""
    of_income = asking.says(cues.OF_INCOME)
    if not asking.named:
        return _share_of_income(asking)
    part = asking.meaning("share")
    of_pay = _share_of_somebodys_pay(asking)
    if of_pay:
        return of_pay
    if asking.of in _INCOME and asking.has("category") and asking.ruled_of not in _INCOME:
        whole = asking.meaning("total", of=_whole_income(asking)).without(*SUBJECTS)
        return part.but(of="spending", whole=whole)  # "what percent of what I earned went on rent?"
    names = names_of(part.about.get("merchant"))
    parts = asking.reading.of("merchant")
    if len(parts) > 1 and len(names) > 1 and _is_apart(asking, parts[-1]):
        return part.on(merchant=parts[-1].value).but(
            whole=part.but(act="total")
        )  # "of Tesco and Lidl, how much was Lidl?"
    smaller = "merchant" if "merchant" in part.about else "category"
    whole = part.but(act="total").without(smaller, "text")
    if of_income and asking.of not in _INCOME:
        account = ("account",) if asking.of == "savings" else ()  # it is where the savings go, not where pay comes in
        whole = whole.but(of=_whole_income(asking)).without(*SUBJECTS, *account)
    return part.but(whole=whole)


def _share_of_income(asking: Asking) -> Meaning | None:
    """Return the share of income that was saved, that was left, or that was spent."""
    if asking.of == "savings":
        whole = asking.meaning("total", of=_whole_income(asking)).without("account")
        return asking.meaning("share", whole=whole)
    if not asking.says(cues.OF_INCOME):
        return None
    return asking.meaning("savings_rate" if asking.said("show") == "left" else "share")


def _share_of_somebodys_pay(asking: Asking) -> Meaning | None:
    """Return the share of what somebody paid that went to a category ("what percent of my Acme pay went to rent?")."""
    if not (asking.says(cues.OF_INCOME) and asking.has("merchant") and asking.has("category")):
        return None
    payer, spent = asking.reading.of("merchant"), asking.reading.of("category")
    if not payer or not spent or payer[0].start > spent[0].start:
        return None
    whole = asking.meaning("total", of="income").without("category")
    return asking.meaning("share", of="spending", whole=whole).without("merchant")


def _whole_income(asking: Asking) -> str:
    """Return which income a share is of: what an employer pays where that is said."""
    return "salary" if asking.says(cues.WAGES) else "income"


def _is_apart(asking: Asking, mention: Mention) -> bool:
    """Whether a name is said again ("of Tesco and Lidl, how much was Lidl?"), or is one of a house ("of Uber, Uber Eats")."""
    earlier = {name for each in asking.reading.of("merchant")[:-1] for name in names_of(each.value)}
    own = set(names_of(mention.value))
    return own <= earlier or all(any(name.startswith(f"{house} ") for house in earlier) for name in own)
