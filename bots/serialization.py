"""Messages and replies as JSON texts, exactly and back.

Every JSON object has one key, which names what it is: ``{"Decimal": "1.50"}``, ``{"Fact": {…}}``. Arrays are tuples. A
field that equals its default is left out, so that a later version can add fields. Only the types listed here are made.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import math
from datetime import date, datetime
from decimal import Decimal, DecimalException
from typing import TYPE_CHECKING, Any, TypeVar

from bots.contracts import Attachment, ConversationKey, Duty, Edit, Message, Question, content_of
from bots.errors import UnreadableRecord
from graph.reply import Action, Actions, Audience, File, Reply, Settled, Text
from language.catalogue import Template
from ledger.filters import Beside, Filter
from ledger.money import Money
from ledger.people import Person
from ledger.periods.period import Period
from ledger.transactions import Flow, Kind
from tools.calls import Call, Choice, choices_from
from tools.results import Chart, Column, Fact, Scope, Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum

T = TypeVar("T")

_RECORDS: dict[str, type[Any]] = {
    record.__name__: record
    for record in (
        *(Person, ConversationKey, Attachment, Message, Question, Edit, Duty, Call, Choice),
        *(Reply, Text, Table, Column, Chart, Actions, Action, File, Settled),
        *(Fact, Scope, Filter, Beside, Period, Money),
    )
}
_ENUMS: dict[str, type[StrEnum]] = {enum.__name__: enum for enum in (Audience, Flow, Kind)}
_FIELDS = {record: dataclasses.fields(record) for record in _RECORDS.values()}


def encode(value: object) -> str:
    """Return the value as JSON text; raises TypeError for a type that is not listed here."""
    return json.dumps(_pack(value), separators=(",", ":"), allow_nan=False)


def decode(text: str, wanted: type[T]) -> T:
    """Return what :func:`encode` was given.

    Raises:
        UnreadableRecord: the text is damaged, or of a version with types that this one lacks.
    """
    try:
        value = _unpack(json.loads(text))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError, DecimalException) as error:
        raise UnreadableRecord("I can't read what I stored.") from error
    if not isinstance(value, wanted):
        raise UnreadableRecord("I can't read what I stored.")
    return value


def message_to_json(message: Message) -> str:
    """Return the message as JSON text."""
    return encode(message)


def message_from_json(text: str) -> Message:
    """Read a message back; raises UnreadableRecord."""
    return decode(text, Message)


def reply_to_json(reply: Reply) -> str:
    """Return the reply as JSON text; what its trace holds beyond plain values is kept by type name only."""
    return encode(dataclasses.replace(reply, trace=plain(reply.trace)))


def reply_from_json(text: str) -> Reply:
    """Read a reply back; raises UnreadableRecord."""
    reply = decode(text, Reply)
    return dataclasses.replace(reply, choices=choices_from(reply.choices))


def plain(value: Any) -> Any:
    """Return a trace without anything that can't be stored, so that no diagnostics can cost a person their answer."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value)) if type(value) in (list, tuple) else [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    try:
        _pack(value)
    except (TypeError, RecursionError):
        return type(value).__name__
    return value


def _pack(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str, float):
        return value
    if kind is Template:  # what is kept was told already
        return str(value)
    if kind is tuple:
        return [_pack(item) for item in value]
    if kind in _FIELDS:
        return {kind.__name__: _pack_fields(value)}
    packed = _PACKERS.get(kind)
    if packed is not None:
        return {kind.__name__: packed(value)}
    if kind.__name__ in _ENUMS:
        return {kind.__name__: value.value}
    raise TypeError(f"{kind.__name__} has no stored form")


def _pack_fields(record: Any) -> dict[str, Any]:
    packed = {}
    for field in _FIELDS[type(record)]:
        value = getattr(record, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if type(value) is not type(default) or value != default:
            packed[field.name] = _pack(value)
    return packed


def _pack_dict(value: dict[Any, Any]) -> dict[str, Any]:
    if not all(type(key) is str for key in value):
        raise TypeError("only texts can be keys in a stored form")
    return {key: _pack(item) for key, item in value.items()}


_PACKERS: dict[type, Callable[[Any], Any]] = {
    Decimal: str,
    datetime: datetime.isoformat,
    date: date.isoformat,
    bytes: lambda value: base64.b64encode(value).decode("ascii"),
    list: lambda value: [_pack(item) for item in value],
    dict: _pack_dict,
}


def _unpack(value: Any) -> Any:
    if isinstance(value, list):
        return tuple([_unpack(item) for item in value])
    if not isinstance(value, dict):
        return value
    ((name, content),) = value.items()
    if name in _RECORDS:
        fields = {key: _unpack(item) for key, item in content.items()}
        return _RECORDS[name](**(_of_message(fields) if name == "Message" else fields))
    if name in _ENUMS:
        return _ENUMS[name](content)
    return _UNPACKERS[name](content)


def _of_message(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a message's fields, those of an earlier version as they are now: it had a text, or a call for all else."""
    text, call = fields.pop("text", ""), fields.pop("call", None)
    fields.pop("phrased", None)
    fields.setdefault("content", Question(text) if call is None else content_of(call))
    return fields


def _unpack_bytes(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error


_UNPACKERS: dict[str, Callable[[Any], Any]] = {
    "Decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "bytes": _unpack_bytes,
    "list": lambda content: [_unpack(item) for item in content],
    "dict": lambda content: {key: _unpack(item) for key, item in content.items()},
}
