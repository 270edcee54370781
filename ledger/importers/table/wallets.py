"""Alipay's and WeChat Pay's bills, whose rows are income, expense or neither (收/支), with a state that says more."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ledger.importers.table.layout import HEADER_WITHIN
from ledger.importers.table.vocabulary import fold
from ledger.transactions import STATED_KIND, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.importers.table.layout import Record

_SIDE, _STATE, _TYPES = "收 支", frozenset({"交易状态", "当前状态"}), frozenset({"交易类型", "类型"})
_TEXTS = frozenset({"交易对方", "商品", "商品说明", "商品名称"})
_IN, _OUT = "收入", "支出"
_NEITHER, _CLOSED = "不计收支", "交易关闭"
#: What a row that counts as neither says of itself, in this order: its side and its kind.
_NEUTRAL = tuple(
    (re.compile(words), side, kind)
    for words, side, kind in (
        ("退款", _IN, Kind.REFUND),
        ("收益|分红", _IN, Kind.INTEREST),
        ("信用卡还款|花呗|信用购|白条|还款", _OUT, Kind.CARD_PAYMENT),
        ("提现|转出到银行|转出-到银行", _OUT, Kind.TRANSFER),
        ("充值|赎回|卖出|转出|已收入", _IN, Kind.TRANSFER),
        ("转入|存入|买入|购买|申购|转账|已支出", _OUT, Kind.TRANSFER),
    )
)


def settled(records: Iterable[Record]) -> Iterable[Record]:
    """Return records of a wallet's bill with the side and the kind of its neutral rows; those of any other table as they are."""
    for place, (_, cells) in enumerate(islice(records, HEADER_WITHIN)):
        if (header := [fold(cell) for cell in cells]).count(_SIDE) == 1:
            return WalletRecords(records, place, header)
    return records


class WalletRecords:
    """The records of a wallet's bill, in which every row has a side or is marked as not booked."""

    def __init__(self, records: Iterable[Record], place: int, header: Sequence[str]) -> None:
        """``place`` is where the header stands, ``header`` its folded words."""
        self._records = records
        self._place = place
        self._width = len(header)
        self._side = header.index(_SIDE)
        self._state = next((column for column, word in enumerate(header) if word in _STATE), -1)
        self._texts = [column for column, word in enumerate(header) if word in _TEXTS]
        self._type = next((column for column, word in enumerate(header) if word in _TYPES), self._width)

    def __iter__(self) -> Iterator[Record]:
        """Yield every record; where there is no column of types, one is added."""
        for place, (number, cells) in enumerate(self._records):
            if place < self._place or len(cells) < self._width:
                yield number, cells
            elif place == self._place:
                yield number, cells if self._type < self._width else (*cells, "交易类型")
            else:
                yield number, self._settled([*cells, ""] if self._type == self._width else list(cells))

    def _settled(self, cells: list[str]) -> tuple[str, ...]:
        cells = ["" if cell.strip() == "/" else cell for cell in cells]
        state = cells[self._state].strip() if self._state >= 0 else ""
        if cells[self._side].strip() in {_IN, _OUT}:
            if state == _CLOSED:
                cells[self._state] = ""  # it was paid, and its refund is a row of its own
            return tuple(cells)
        said = " ".join(cells)
        found = next(((side, kind) for words, side, kind in _NEUTRAL if words.search(said)), None)
        if found is None or state == _CLOSED:
            cells[self._state] = state if state == _CLOSED else _NEITHER
        else:
            if self._texts and not any(cells[column].strip() for column in self._texts):
                cells[self._texts[-1]] = cells[self._type]
            cells[self._side], cells[self._type] = found[0], f"{STATED_KIND}{found[1]}"
        return tuple(cells)
