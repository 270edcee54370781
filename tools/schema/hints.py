"""Type hints read into a JSON schema and the way back: from the JSON value to what the hint promises.

Both come from one walk, so whatever can be described can also be converted. Everything is inlined: a class that holds
itself is described once and is a plain object below, where its values are checked when they are converted.
"""

from __future__ import annotations

import collections.abc as abstract
import json
import types
from dataclasses import dataclass, is_dataclass, replace
from dataclasses import fields as fields_of
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, Union, get_args, get_origin
from uuid import UUID

from tools.errors import ToolDefinitionError, UnresolvedHint, UnsupportedHint
from tools.schema.docstrings import describe_parameters
from tools.schema.metadata import annotate
from tools.schema.signature import MISSING, UNRESOLVED, Parameter, class_fields, is_typed_dict, resolve
from tools.schema.validation import find_problems, same

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Reading:
    """A hint's schema, and the function that turns a valid JSON value into the hinted type."""

    schema: dict[str, Any]
    convert: Callable[[Any], Any]

    @property
    def takes_none(self) -> bool:
        """Whether None is one of the alternatives, so that leaving the value out means None."""
        return any(member.get("type") == "null" for member in self.schema.get("anyOf", ()))


def _same(value: Any) -> Any:
    return value


_SCALARS: dict[Any, tuple[dict[str, Any], Callable[[Any], Any]]] = {
    Any: ({}, _same),
    object: ({}, _same),
    str: ({"type": "string"}, _same),
    int: ({"type": "integer"}, int),
    float: ({"type": "number"}, float),
    bool: ({"type": "boolean"}, _same),
    types.NoneType: ({"type": "null"}, _same),
    date: ({"type": "string", "format": "date"}, date.fromisoformat),
    datetime: ({"type": "string", "format": "date-time"}, datetime.fromisoformat),
    time: ({"type": "string", "format": "time"}, time.fromisoformat),
    Decimal: ({"type": "string", "format": "decimal"}, Decimal),
    UUID: ({"type": "string", "format": "uuid"}, UUID),
}
_COLLECTIONS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (list, list),
    (abstract.Sequence, list),
    (abstract.MutableSequence, list),
    (abstract.Collection, list),
    (abstract.Iterable, list),
    (set, set),
    (abstract.MutableSet, set),
    (frozenset, frozenset),
    (abstract.Set, frozenset),
)
_MAPPINGS = (dict, abstract.Mapping, abstract.MutableMapping)
_NULL = Reading({"type": "null"}, _same)
_JSON_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", types.NoneType: "null"}


@dataclass(frozen=True, slots=True)
class HintReader:
    """Reads the hints of one parameter; ``names`` resolves forward references, ``within`` is what is being read."""

    function: str
    parameter: str
    names: Mapping[str, Any]
    within: tuple[Any, ...] = ()

    def read(self, hint: Any) -> Reading:
        """Return the hint's schema and conversion; raises UnsupportedHint or UnresolvedHint."""
        while hasattr(hint, "__supertype__"):  # NewType
            hint = hint.__supertype__
        hint = getattr(hint, "__forward_arg__", hint)
        origin, parts = get_origin(hint), get_args(hint)
        return (
            self._read_form(hint, origin, parts)
            or self._read_scalar(hint)
            or self._read_container(hint, origin or hint, parts)
            or self._read_class(hint)
        )

    def _read_form(self, hint: Any, origin: Any, parts: tuple[Any, ...]) -> Reading | None:
        if origin is Annotated:
            return self._read_annotated(parts[0], hint.__metadata__)
        if origin is Union or origin is types.UnionType:
            return _union([self.read(part) for part in parts])
        if origin is Literal:
            return self._read_choice(hint, [(part.value if isinstance(part, Enum) else part, part) for part in parts])
        if hasattr(hint, "__value__") and not isinstance(hint, type):  # an alias made by a type statement
            return self._read_named(hint, {}, lambda inside: inside.read_alias(hint.__name__, hint.__value__))
        if isinstance(hint, str):  # what is left of an alias that holds itself
            return self._read_named(hint, {}, lambda inside: inside.read_alias(hint, hint))
        return None

    def read_alias(self, name: str, value: Any) -> Reading:
        """Return what an alias stands for, which may be written as text."""
        try:
            return self.read(resolve(value, self.names))
        except UNRESOLVED as error:
            if isinstance(error, ToolDefinitionError):
                raise
            raise self._unresolved(name, error) from error

    def _read_scalar(self, hint: Any) -> Reading | None:
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self._read_enum(hint)
        if isinstance(hint, abstract.Hashable) and hint in _SCALARS:
            schema, convert = _SCALARS[hint]
            return Reading(dict(schema), convert)
        return None

    def _read_annotated(self, base: Any, metadata: tuple[Any, ...]) -> Reading:
        reading = self.read(base)
        for meta in metadata:
            try:
                reading = replace(reading, schema=annotate(reading.schema, meta))
            except ValueError as error:
                reason = f"has a constraint that can't hold: {error}"
                raise UnsupportedHint(reason, self.function, self.parameter) from error
        return reading

    def _read_choice(self, hint: Any, meanings: Sequence[tuple[Any, Any]]) -> Reading:
        """Read a closed choice, given as pairs of the JSON value and what it stands for."""
        kinds = {_JSON_NAMES.get(type(plain), "") for plain, _ in meanings}
        if "" in kinds or not kinds:
            self._refuse(hint)
        schema: dict[str, Any] = {"type": kinds.pop()} if len(kinds) == 1 and kinds != {"null"} else {}
        return Reading(
            {**schema, "enum": [plain for plain, _ in meanings]},
            lambda value: next(meaning for plain, meaning in meanings if same(plain, value)),
        )

    def _read_enum(self, hint: type[Enum]) -> Reading:
        return self._read_choice(hint, [(_plain_member(member), member) for member in hint])

    def _read_container(self, hint: Any, origin: Any, parts: tuple[Any, ...]) -> Reading | None:
        if origin is tuple:
            return self._read_tuple(hint, parts)
        if origin in _MAPPINGS:
            return self._read_mapping(hint, parts)
        make = next((kind for known, kind in _COLLECTIONS if origin is known), None)
        if make is None:
            return None
        item = self.read(parts[0] if parts else Any)
        schema = {"type": "array", "items": item.schema} | ({} if make is list else {"uniqueItems": True})
        return Reading(schema, lambda value: make(item.convert(one) for one in value))

    def _read_tuple(self, hint: Any, parts: tuple[Any, ...]) -> Reading:
        if not hasattr(hint, "__args__"):
            return Reading({"type": "array"}, tuple)
        if len(parts) == 2 and parts[1] is Ellipsis:
            item = self.read(parts[0])
            return Reading({"type": "array", "items": item.schema}, lambda value: tuple(map(item.convert, value)))
        items = [self.read(part) for part in parts]
        prefix = {"prefixItems": [item.schema for item in items]} if items else {}
        schema = {"type": "array", **prefix, "minItems": len(items), "maxItems": len(items)}
        return Reading(schema, lambda value: tuple(item.convert(one) for item, one in zip(items, value, strict=True)))

    def _read_mapping(self, hint: Any, parts: tuple[Any, ...]) -> Reading:
        if not parts:
            return Reading({"type": "object"}, dict)
        key, value = self.read(parts[0]), self.read(parts[1])
        schema: dict[str, Any] = {"type": "object", "additionalProperties": value.schema}
        if key.schema.get("type") == "integer" and "enum" not in key.schema:
            schema["propertyNames"] = {"pattern": "^-?[0-9]+$"}
        elif key.schema.get("type") != "string" and key.schema:
            self._refuse(hint)  # the keys of a JSON object are strings
        elif len(key.schema) > 1:
            schema["propertyNames"] = key.schema
        return Reading(schema, lambda given: {key.convert(name): value.convert(one) for name, one in given.items()})

    def _read_class(self, hint: Any) -> Reading:
        if not isinstance(hint, type):
            self._refuse(hint)
        return self._read_named(hint, {"type": "object"}, lambda inside: inside.read_fields(hint))

    def _read_named(self, hint: Any, unspecific: dict[str, Any], read: Callable[[HintReader], Reading]) -> Reading:
        """Read something that may hold itself; inside itself it is described as unspecific."""
        if hint not in self.within:
            return read(replace(self, within=(*self.within, hint)))
        fresh = replace(self, within=())

        def convert(value: Any) -> Any:
            reading = fresh.read(hint)
            problems = find_problems(value, reading.schema)
            if problems:
                raise ValueError(problems[0].reason)
            return reading.convert(value)

        return Reading(unspecific, convert)

    def read_fields(self, cls: type) -> Reading:
        """Return the closed object of a class's fields."""
        try:
            fields = class_fields(cls, self.names)
        except UNRESOLVED as error:
            raise self._unresolved(cls.__name__, error) from error
        if is_typed_dict(cls):
            return read_object([(field, self.read(field.hint)) for field in fields], dict, vars(cls).get("__doc__"))
        if not fields:
            self._refuse(cls)
        return read_object([(field, self.read(field.hint)) for field in fields], cls, vars(cls).get("__doc__"))

    def _unresolved(self, name: str, error: Exception) -> UnresolvedHint:
        reason = f"has the type {name}, a hint of which can't be resolved ({error})"
        return UnresolvedHint(reason, self.function, self.parameter)

    def _refuse(self, hint: Any) -> NoReturn:
        shown = hint.__qualname__ if isinstance(hint, type) else repr(hint)
        known = (
            "str, int, float, bool, date, Decimal, Literal, an Enum, or a list, dict, TypedDict or dataclass of them"
        )
        reason = f"has an unsupported type hint: {shown} has no JSON form; use {known}"
        raise UnsupportedHint(reason, self.function, self.parameter)


def read_object(
    fields: Sequence[tuple[Parameter, Reading]], make: Callable[..., Any], docstring: str | None
) -> Reading:
    """Return the closed object of some fields and what makes the value from them.

    What may be None and has no default needs not be given and is None then; a default of None allows null.
    """
    texts = describe_parameters(docstring)
    properties: dict[str, Any] = {}
    converts: dict[str, Callable[[Any], Any]] = {}
    required: list[str] = []
    absent: dict[str, None] = {}
    for field, given in fields:
        open_to_none = given.takes_none or not given.schema or field.default is not None
        reading = given if open_to_none else _union([given, _NULL])
        converts[field.name] = reading.convert
        properties[field.name] = reading.schema | texts.get(field.name, {}) | _shown_default(field.default)
        if field.required and reading.takes_none:
            absent[field.name] = None
        elif field.required:
            required.append(field.name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    schema |= {"required": required} if required else {}
    return Reading(
        {**schema, "additionalProperties": False},
        lambda value: make(**absent | {name: converts[name](one) for name, one in value.items()}),
    )


def _union(members: Sequence[Reading]) -> Reading:
    def convert(value: Any) -> Any:
        for member in members:
            if not find_problems(value, member.schema):
                return member.convert(value)
        raise ValueError("no member of the union takes the value")

    schemas: list[dict[str, Any]] = []
    for member in members:
        for schema in _alternatives(member.schema):
            if not any(same(schema, other) for other in schemas):
                schemas.append(schema)
    some = [schema for schema in schemas if schema.get("type") != "null"]
    if len(some) != 1 or "description" not in some[0]:
        return Reading({"anyOf": schemas}, convert)
    # The description of an Optional belongs to the parameter, not to the one alternative.
    only = {key: value for key, value in some[0].items() if key != "description"}
    nulls = [schema for schema in schemas if schema.get("type") == "null"]
    return Reading({"anyOf": [*_alternatives(only), *nulls], "description": some[0]["description"]}, convert)


def _alternatives(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the members of what is a union and nothing else, so that unions of unions stay flat."""
    return list(schema["anyOf"]) if schema.keys() == {"anyOf"} else [schema]


def _shown_default(default: Any) -> dict[str, Any]:
    """Return the default as JSON has it, or nothing where it has no JSON form."""
    if default is MISSING:
        return {}
    if hasattr(default, "_asdict"):  # a named tuple is an object to the model
        default = default._asdict()
    try:
        return {"default": json.loads(json.dumps(default, default=_plain, allow_nan=False))}
    except (TypeError, ValueError):
        return {}


def _plain_member(member: Enum) -> Any:
    """Return what stands for a member in JSON: its value, or its name where JSON lacks a value of its Enum."""
    by_value = all(type(one.value) in _JSON_NAMES for one in type(member))
    return member.value if by_value else member.name


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return _plain_member(value)
        case date() | time():
            return value.isoformat()
        case Decimal() | UUID():
            return str(value)
        case set() | frozenset():
            return sorted(value, key=str if any(isinstance(one, Enum) for one in value) else None)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {field.name: getattr(value, field.name) for field in fields_of(value) if field.init}
    raise TypeError
