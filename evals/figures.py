"""What a question's figures are, as the question files write them: a measure over the rows of a ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

KINDS = ("purchase", "refund", "fee", "interest", "transfer", "card_payment", "cash", "loan_payment", "income")
_OF_TWO = ("difference", "change", "ratio")
#: What each measure names beside itself.
_KEYS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("spent", "count", "average", "largest", "smallest", "income", "net", "rows", "row_sum", "daily_average",
         "first_date", "last_date"),
        ("where",),
    ),
    **dict.fromkeys(("top", "top_name"), ("by", "rank", "lowest", "where")),
    **dict.fromkeys(_OF_TWO, ("a", "b")),
    "sum": ("of",),
    "per": ("unit", "where"),
    "share": ("part", "whole", "of"),
    "fixed": ("value", "unit"),
}  # fmt: skip
_GROUPS = ("merchant", "category", "month", "day")
_INTERVALS = ("day", "week", "month", "year")
_UNITS = ("money", "percent", "number", "text")
_NAMES = ("category", "merchant", "account", "kind", "not_category", "not_merchant")
_AMOUNTS = {"min": "least", "max": "most", "over": "over", "under": "under"}


class Malformed(ValueError):
    """A question or label that can't be read; the sentence says where and why."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which rows are meant: every condition that is given must hold. Amounts are without sign, dates inclusive."""

    category: tuple[str, ...] = ()
    merchant: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    not_category: tuple[str, ...] = ()
    not_merchant: tuple[str, ...] = ()
    start: date | None = None
    end: date | None = None
    least: Decimal | None = None
    most: Decimal | None = None
    over: Decimal | None = None
    under: Decimal | None = None
    weekday: tuple[int, ...] = ()
    text: str = ""
    drop_largest: int = 0
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: a measure of rows, of other figures (``parts``), or a fixed value.

    ``whole`` and ``of`` belong to a share, ``by``, ``rank`` and ``lowest`` to the top of groups, ``interval`` to an
    average per day, week, month or year, ``fixed`` and ``unit`` to a value that no ledger gives.
    """

    measure: str
    where: Where = Where()
    whole: Where = Where()
    of: str = "spent"
    parts: tuple[Figure, ...] = ()
    by: str = ""
    rank: int = 1
    lowest: bool = False
    interval: str = ""
    fixed: str = ""
    unit: str = ""

    def scopes(self) -> Iterator[Where]:
        """Yield the rows that it looks at, those of its parts included."""
        if self.parts:
            for part in self.parts:
                yield from part.scopes()
        elif self.measure != "fixed":
            yield self.where
            if self.measure == "share":
                yield self.whole


def read_figure(made: Any) -> Figure:
    """Read a figure as JSON has it; raises Malformed."""
    given = _object(made, "a figure")
    measure = given.get("measure")
    if not isinstance(measure, str) or measure not in _KEYS:
        raise Malformed(f"there is no measure {measure!r}")
    _only(given, ("measure", *_KEYS[measure]))
    where = read_where(given.get("part" if measure == "share" else "where", {}))
    if measure in _OF_TWO:
        return Figure(measure, parts=(read_figure(given.get("a")), read_figure(given.get("b"))))
    if measure == "sum":
        return Figure(measure, parts=tuple(read_figure(part) for part in _list(given.get("of"), "“of” of a sum")))
    if measure == "share":
        of = _one_of(given.get("of", "spent"), ("spent", "income"), "of")
        return Figure(measure, where, read_where(given.get("whole", {})), of)
    if measure == "fixed":
        return _read_fixed(given)
    return Figure(measure, where, **_read_group(given, measure))


def _read_group(given: Mapping[str, Any], measure: str) -> dict[str, Any]:
    """Read what measures of groups and intervals have beside their rows."""
    if measure == "per":
        return {"interval": _one_of(given.get("unit"), _INTERVALS, "unit")}
    if measure not in ("top", "top_name"):
        return {}
    rank, lowest = given.get("rank", 1), given.get("lowest", False)
    if not isinstance(lowest, bool) or _whole(rank, "rank") < 1:
        raise Malformed("“rank” counts from 1, and “lowest” is true or false")
    return {"by": _one_of(given.get("by"), _GROUPS, "by"), "rank": rank, "lowest": lowest}


def _read_fixed(given: Mapping[str, Any]) -> Figure:
    unit, value = _one_of(given.get("unit"), _UNITS, "unit"), given.get("value")
    if unit == "text":
        return Figure("fixed", fixed=_text(value, "value"), unit=unit)
    return Figure("fixed", fixed=str(_number(value, "value")), unit=unit)


def read_where(made: Any) -> Where:
    """Read the conditions as JSON has them; raises Malformed."""
    given = _object(made, "“where”")
    _only(given, (*_NAMES, *_AMOUNTS, "from", "to", "weekday", "text", "drop_largest", "currency"))
    read: dict[str, Any] = {
        name: tuple(_text(each, name) for each in _list(given.get(name, []), name)) for name in _NAMES
    }
    read |= {ours: _number(given[name], name) for name, ours in _AMOUNTS.items() if name in given}
    if unknown := set(read["kind"]) - set(KINDS):
        raise Malformed(f"there is no kind {unknown.pop()!r}")
    weekday = tuple(_whole(each, "weekday") for each in _list(given.get("weekday", []), "weekday"))
    if any(each > 6 for each in weekday):
        raise Malformed("“weekday” goes from 0, Monday, to 6")
    return Where(
        **read,
        start=read_day(given.get("from"), "from"),
        end=read_day(given.get("to"), "to"),
        weekday=weekday,
        text=_text(given.get("text", ""), "text"),
        drop_largest=_whole(given.get("drop_largest", 0), "drop_largest"),
        currency=_text(given.get("currency", ""), "currency"),
    )


def read_day(made: Any, name: str) -> date | None:
    """Read an ISO date, or None where there is none; raises Malformed."""
    if made is None:
        return None
    try:
        return date.fromisoformat(made)
    except (TypeError, ValueError) as error:
        raise Malformed(f"“{name}” is no ISO date: {made!r}") from error


def _object(made: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(made, dict):
        raise Malformed(f"{name} is no object: {made!r}")
    return made


def _list(made: Any, name: str) -> list[Any]:
    if not isinstance(made, list):
        raise Malformed(f"“{name}” is no list: {made!r}")
    return made


def _text(made: Any, name: str) -> str:
    if not isinstance(made, str):
        raise Malformed(f"“{name}” is no text: {made!r}")
    return made


def _whole(made: Any, name: str) -> int:
    if not isinstance(made, int) or isinstance(made, bool) or made < 0:
        raise Malformed(f"“{name}” is no whole number: {made!r}")
    return made


def _number(made: Any, name: str) -> Decimal:
    try:
        number = Decimal(str(made))
    except InvalidOperation as error:
        raise Malformed(f"“{name}” is no number: {made!r}") from error
    if not number.is_finite():
        raise Malformed(f"“{name}” is no number: {made!r}")
    return number


def _one_of(made: Any, known: Collection[str], name: str) -> str:
    if made not in known:
        raise Malformed(f"“{name}” is {made!r}, and not one of {', '.join(known)}")
    return str(made)


def _only(given: Mapping[str, Any], known: Collection[str]) -> None:
    if unknown := sorted(set(given) - set(known)):
        raise Malformed(f"“{unknown[0]}” does not belong here")
