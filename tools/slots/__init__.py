"""Parameter types that find themselves in a sentence and check themselves.

A tool's parameter is annotated with one of the types below; what they are for a schema and for a model is a text, a
number or a list of texts.
"""

from __future__ import annotations

from typing import Annotated

from tools.slots.amounts import AmountSlot, LimitSlot
from tools.slots.choices import BY, KIND, MEASURE, OPERATION, PER, SORT
from tools.slots.names import AccountSlot, CategorySlot, MerchantSlot
from tools.slots.period import PeriodSlot
from tools.slots.query import QuerySlot
from tools.slots.slot import Checked, Mention, Slot

PeriodPhrase = Annotated[str, PeriodSlot()]
StartDate = Annotated[str, PeriodSlot("start")]
EndDate = Annotated[str, PeriodSlot("end")]
Categories = Annotated[str | list[str], CategorySlot()]
Merchants = Annotated[str | list[str], MerchantSlot()]
Accounts = Annotated[str | list[str], AccountSlot()]
Over = Annotated[str, AmountSlot("over")]
Under = Annotated[str, AmountSlot("under")]
Limit = Annotated[int, LimitSlot()]
Measure = Annotated[str, MEASURE]
By = Annotated[str, BY]
Per = Annotated[str, PER]
KindOfMovement = Annotated[str, KIND]
Sort = Annotated[str, SORT]
Operation = Annotated[str, OPERATION]
Query = Annotated[str, QuerySlot()]

__all__ = [
    "Accounts",
    "By",
    "Categories",
    "Checked",
    "EndDate",
    "KindOfMovement",
    "Limit",
    "Measure",
    "Mention",
    "Merchants",
    "Operation",
    "Over",
    "Per",
    "PeriodPhrase",
    "Query",
    "Slot",
    "Sort",
    "StartDate",
    "Under",
]
