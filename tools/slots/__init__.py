"""Parameter types that find themselves in a sentence and check themselves.

A tool's parameter is annotated with one of the types below; what they are for a schema and for a model is a text, a
number or a list of texts.
"""

from __future__ import annotations

from typing import Annotated

from tools.slots.account_changes import (
    ACCOUNT_NAME,
    ACCOUNT_TYPE,
    DELETED_ACCOUNT,
    INTO_ACCOUNT,
    LISTED_ACCOUNTS,
    MERGED_ACCOUNT,
    RENAMED_ACCOUNT,
    TYPED_ACCOUNT,
)
from tools.slots.amounts import AmountSlot, ExcludedLargestSlot, LimitSlot
from tools.slots.assignments import (
    ASSIGNED_CATEGORY,
    ASSIGNED_MERCHANT,
    GUESS_TOPIC,
    RELEASED_MERCHANT,
    RULE_TOPIC,
    UNSURE_TOPIC,
)
from tools.slots.choices import BY, MEANS, MEASURE, OPERATION, PER, SHOW, SORT
from tools.slots.entries import (
    ENTRY_ACCOUNT,
    ENTRY_AMOUNT,
    ENTRY_CATEGORY,
    ENTRY_DAY,
    ENTRY_DIRECTION,
    ENTRY_WHAT,
)
from tools.slots.ignoring import COUNTED_AGAIN, IGNORED
from tools.slots.kinds import KIND
from tools.slots.modes import LEFT_MODE, MODE
from tools.slots.names import AccountSlot, CategorySlot, ExcludedSlot, MerchantSlot, SidesSlot
from tools.slots.notes import FORGOTTEN, NOTE, TOPIC
from tools.slots.period import PeriodSlot
from tools.slots.query import QuerySlot
from tools.slots.row_changes import (
    CHANGED_FIELD,
    CHANGED_ROW,
    CHANGED_VALUE,
    DELETED_ROW,
    LISTED_CHANGES,
    PARTS,
    SPLIT_ROW,
    UNDONE_CHANGE,
)
from tools.slots.row_links import (
    ASKED_ROW,
    KEPT_ROW,
    MERGED_ROW,
    MERGED_WITH,
    PURCHASE_ROW,
    REFUND_ROW,
    TRANSFER_ACCOUNT,
    TRANSFER_OTHER,
    TRANSFER_ROW,
    UNLINKED_FROM,
    UNLINKED_ROW,
)
from tools.slots.settings import ASKED_SETTING, SETTING, VALUE
from tools.slots.slot import Checked, Mention, Slot

PeriodPhrase = Annotated[str, PeriodSlot()]
StartDate = Annotated[str, PeriodSlot("start")]
EndDate = Annotated[str, PeriodSlot("end")]
Categories = Annotated[str | list[str], CategorySlot()]
Sides = Annotated[str | list[str], SidesSlot()]
Merchants = Annotated[str | list[str], MerchantSlot()]
Accounts = Annotated[str | list[str], AccountSlot()]
Excluded = Annotated[list[str], ExcludedSlot()]
ExcludedLargest = Annotated[int, ExcludedLargestSlot()]
Over = Annotated[str, AmountSlot("over")]
Under = Annotated[str, AmountSlot("under")]
Limit = Annotated[int, LimitSlot()]
Measure = Annotated[str, MEASURE]
By = Annotated[str, BY]
Per = Annotated[str, PER]
KindOfMovement = Annotated[str, KIND]
Sort = Annotated[str, SORT]
Show = Annotated[str, SHOW]
Operation = Annotated[str, OPERATION]
MeansOfPayment = Annotated[str, MEANS]
Query = Annotated[str, QuerySlot()]
Mode = Annotated[str, MODE]
LeftMode = Annotated[str, LEFT_MODE]
NewNotes = Annotated[str | list[str], NOTE]
ForgottenNotes = Annotated[str, FORGOTTEN]
NoteTopic = Annotated[str, TOPIC]
Setting = Annotated[str, SETTING]
SettingValue = Annotated[str, VALUE]
AskedSetting = Annotated[str, ASKED_SETTING]
AssignedMerchant = Annotated[str, ASSIGNED_MERCHANT]
AssignedCategory = Annotated[str, ASSIGNED_CATEGORY]
ReleasedMerchant = Annotated[str | list[str], RELEASED_MERCHANT]
RuleTopic = Annotated[str, RULE_TOPIC]
ChangedRow = Annotated[str, CHANGED_ROW]
ChangedField = Annotated[str, CHANGED_FIELD]
ChangedValue = Annotated[str, CHANGED_VALUE]
DeletedRow = Annotated[str, DELETED_ROW]
SplitRow = Annotated[str, SPLIT_ROW]
Parts = Annotated[str, PARTS]
UndoneChange = Annotated[str, UNDONE_CHANGE]
ListedChanges = Annotated[str, LISTED_CHANGES]
MergedRow = Annotated[str, MERGED_ROW]
MergedWith = Annotated[str, MERGED_WITH]
KeptRow = Annotated[str, KEPT_ROW]
RefundRow = Annotated[str, REFUND_ROW]
PurchaseRow = Annotated[str, PURCHASE_ROW]
UnlinkedRow = Annotated[str, UNLINKED_ROW]
UnlinkedFrom = Annotated[str, UNLINKED_FROM]
TransferRow = Annotated[str, TRANSFER_ROW]
TransferOther = Annotated[str, TRANSFER_OTHER]
TransferAccount = Annotated[str, TRANSFER_ACCOUNT]
AskedRow = Annotated[str, ASKED_ROW]
EntryAmount = Annotated[str, ENTRY_AMOUNT]
EntryDirection = Annotated[str, ENTRY_DIRECTION]
EntryWhat = Annotated[str, ENTRY_WHAT]
EntryDay = Annotated[str, ENTRY_DAY]
EntryAccount = Annotated[str, ENTRY_ACCOUNT]
EntryCategory = Annotated[str, ENTRY_CATEGORY]
Ignored = Annotated[str, IGNORED]
CountedAgain = Annotated[str, COUNTED_AGAIN]
RenamedAccount = Annotated[str, RENAMED_ACCOUNT]
AccountName = Annotated[str, ACCOUNT_NAME]
TypedAccount = Annotated[str, TYPED_ACCOUNT]
TypeOfAccount = Annotated[str, ACCOUNT_TYPE]
MergedAccount = Annotated[str, MERGED_ACCOUNT]
IntoAccount = Annotated[str, INTO_ACCOUNT]
DeletedAccount = Annotated[str, DELETED_ACCOUNT]
ListedAccounts = Annotated[str, LISTED_ACCOUNTS]
UnsureTopic = Annotated[str, UNSURE_TOPIC]
GuessTopic = Annotated[str, GUESS_TOPIC]

__all__ = [
    "AccountName",
    "Accounts",
    "AskedRow",
    "AskedSetting",
    "AssignedCategory",
    "AssignedMerchant",
    "By",
    "Categories",
    "ChangedField",
    "ChangedRow",
    "ChangedValue",
    "Checked",
    "CountedAgain",
    "DeletedAccount",
    "DeletedRow",
    "EndDate",
    "EntryAccount",
    "EntryAmount",
    "EntryCategory",
    "EntryDay",
    "EntryDirection",
    "EntryWhat",
    "Excluded",
    "ExcludedLargest",
    "ForgottenNotes",
    "GuessTopic",
    "Ignored",
    "IntoAccount",
    "KeptRow",
    "KindOfMovement",
    "LeftMode",
    "Limit",
    "ListedAccounts",
    "ListedChanges",
    "MeansOfPayment",
    "Measure",
    "Mention",
    "Merchants",
    "MergedAccount",
    "MergedRow",
    "MergedWith",
    "Mode",
    "NewNotes",
    "NoteTopic",
    "Operation",
    "Over",
    "Parts",
    "Per",
    "PeriodPhrase",
    "PurchaseRow",
    "Query",
    "RefundRow",
    "ReleasedMerchant",
    "RenamedAccount",
    "RuleTopic",
    "Setting",
    "SettingValue",
    "Show",
    "Sides",
    "Slot",
    "Sort",
    "SplitRow",
    "StartDate",
    "TransferAccount",
    "TransferOther",
    "TransferRow",
    "TypeOfAccount",
    "TypedAccount",
    "Under",
    "UndoneChange",
    "UnlinkedFrom",
    "UnlinkedRow",
    "UnsureTopic",
]
