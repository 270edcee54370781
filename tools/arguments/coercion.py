"""Arguments fitted to a tool's schema where what was meant is plain, then checked strictly.

Small models write ``"10"`` for 10, ``"null"`` for nothing, ``startDate`` for ``start_date``. Whatever has one plain
meaning is changed and noted; whatever has none, or two, is left as it is and refused with a reason. Nothing is
invented: no number is clamped, no argument made up, and none but an empty one is dropped.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.arguments.nearness import nearest
from tools.arguments.scalars import fit_text, is_number, read_boolean, read_integer, read_number
from tools.schema.flattening import inline_schema, parameters_schema
from tools.schema.validation import Problem, child, find_problems, is_open, item_schemas, same
from tools.schema.wording import shorten

_NOTHING = {"", "null", "none", "nil", "undefined", "n/a"}
_WRAPPERS = {"arguments", "parameters", "args", "kwargs", "input"}
_SCALARS = {"string", "integer", "number", "boolean", "null"}
_CONTAINERS = {"array": list, "object": dict}
_LONGEST_LITERAL = 4000


@dataclass(frozen=True, slots=True)
class Coerced:
    """Arguments as they will be checked by others and run, what was changed in them, and why they can't be run.

    ``changes`` hold the values ("limit: "10" → 10") and are for the person's own trace only, never for a log.
    """

    arguments: dict[str, Any]
    changes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def coerce_arguments(schema: Mapping[str, Any], arguments: Any) -> Coerced:
    """Fit the arguments to the schema (OpenAI's function format or the parameters alone); never raises.

    ``arguments`` should be an object; the text of one is read, and nothing at all is an object without keys.
    """
    wanted = parameters_schema(dict(schema))
    if "$defs" in wanted or "definitions" in wanted:
        wanted = inline_schema(wanted)
    changes: list[str] = []
    try:
        given = _read_object(arguments, wanted, changes)
        if given is None:
            reason = f"the arguments must be a JSON object, not {shorten(arguments)}"
            return Coerced({}, (), (Problem("", reason, "an object"),))
        fitted = _fit_object(given, wanted, "", changes)
        return Coerced(fitted, tuple(changes), tuple(find_problems(fitted, wanted)))
    except RecursionError:
        return Coerced({}, (), (Problem("", "the arguments are nested too deeply", "an object"),))


def _read_object(arguments: Any, schema: Mapping[str, Any], changes: list[str]) -> Mapping[str, Any] | None:
    if arguments is None or (isinstance(arguments, str) and arguments.strip().casefold() in _NOTHING):
        return {}
    given: Any = _parsed(_parsed(arguments, dict), list)
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    if not isinstance(given, Mapping):
        return None
    if given is not arguments:
        changes.append("the arguments: read as an object")
    said = [name for name, value in given.items() if not _is_empty(value)]
    if len(said) == 1 and said[0] in _WRAPPERS and said[0] not in schema.get("properties", {}):
        inner: Any = _parsed(given[said[0]], dict)
        if isinstance(inner, Mapping):
            changes.append(f"the arguments: taken out of {said[0]}")
            given = inner
    return dict(given)


def _parsed(value: Any, kind: type) -> Any:
    """Return what a text holds if it is an object or list written as JSON or as a Python literal, else the value."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text.startswith("{" if kind is dict else "["):
        return value
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _python_literal(text)
    return found if isinstance(found, kind) else value


def _python_literal(text: str) -> Any:
    if len(text) > _LONGEST_LITERAL:
        return None
    try:
        # Through JSON, so that sets, bytes and tuples don't get in.
        return json.loads(json.dumps(ast.literal_eval(text), allow_nan=False))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _fit(value: Any, schema: Mapping[str, Any], path: str, changes: list[str]) -> Any:
    """Return the value in the shape that the schema wants if its meaning is plain, else the value."""
    members = schema.get("anyOf") or schema.get("oneOf")
    kind = schema.get("type")
    if isinstance(kind, list):
        members = [{**schema, "type": one} for one in kind]
    if members:
        return _fit_union(value, members, path, changes)
    if kind == "object":
        given = _parsed(_only_one(value, Mapping), dict)
        if not isinstance(given, Mapping):
            return value
        if given is not value:
            changes.append(f"{path}: {shorten(value)} → {shorten(given)}")
        return _fit_object(given, schema, path, changes)
    if kind == "array":
        return _fit_array(value, schema, path, changes)
    fitted = _fit_scalar(value, schema)
    if fitted is not value and (type(fitted) is not type(value) or not same(fitted, value)):
        changes.append(f"{path}: {shorten(value)} → {shorten(fitted)}")
    return fitted


def _fit_union(value: Any, members: list[dict[str, Any]], path: str, changes: list[str]) -> Any:
    solid = [member for member in members if member.get("type") != "null"]
    if len(solid) < len(members) and _is_nothing(value, members):
        if value is not None:
            changes.append(f"{path}: {shorten(value)} → null")
        return None
    if len(solid) == 1:
        return _fit(value, solid[0], path, changes)
    # The text of a list is meant as a list, though it is a valid string.
    written = [member for member in solid if _parsed(value, _CONTAINERS.get(str(member.get("type")), str)) is not value]
    if not written and any(not find_problems(value, member) for member in solid):
        return value
    for member in [*written, *sorted(solid, key=_rank)]:
        tried: list[str] = []
        fitted = _fit(value, member, path, tried)
        if not find_problems(fitted, member):
            changes += tried
            return fitted
    return value


def _rank(member: Mapping[str, Any]) -> int:
    """Order the members of a union for a value that is none of them: "1" is a number before it is a yes."""
    return {"array": 1, "object": 1, "boolean": 2}.get(str(member.get("type")), 0)


def _is_nothing(value: Any, members: list[dict[str, Any]]) -> bool:
    """Whether the value stands for none at all, unless it is one of the choices."""
    if value is None:
        return True
    if not isinstance(value, str) or value.strip().casefold() not in _NOTHING:
        return False
    return not any(value in member.get("enum", ()) for member in members)


def _only_one(value: Any, kind: type) -> Any:
    """Return the item of a list of one, if it is of that kind."""
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list | kind):
        value = value[0]
    return value


def _fit_scalar(value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if kind in _SCALARS or "enum" in schema:
        value = _only_one(value, object)
        # Some models send a copy of the parameter's schema with the value inside.
        if isinstance(value, Mapping) and "value" in value and value.keys() <= {"type", "value", "description"}:
            value = value["value"]
    match kind:
        case "integer":
            value = read_integer(value)
        case "number":
            value = read_number(value)
        case "boolean":
            value = read_boolean(value)
        case "string":
            value = fit_text(value, schema.get("format", ""))
        case "null" if _is_nothing(value, []):
            value = None
    return _choose(value, schema["enum"]) if "enum" in schema else value


def _choose(value: Any, choices: list[Any]) -> Any:
    """Return the choice that the value is or plainly means."""
    for choice in choices:
        if same(value, choice):
            return choice
    if not isinstance(value, str) and not is_number(value):
        return value
    written = {choice if isinstance(choice, str) else json.dumps(choice): choice for choice in choices}
    if len(written) < len(choices):  # 1 and "1" are both choices: no spelling tells them apart
        return value
    text = str(value).strip()
    name = text if text in written else nearest(text, list(written), abbreviated=True)
    return value if name is None else written[name]


def _fit_array(value: Any, schema: Mapping[str, Any], path: str, changes: list[str]) -> Any:
    given = _parsed(value, list)
    if not isinstance(given, list):
        given = _wrapped(given, schema)
        if given is None:
            return value
    if given is not value:
        changes.append(f"{path}: {shorten(value)} → {shorten(given)}")
    fitted = [
        _fit(one, wanted, f"{path}[{at}]", changes)
        for at, (one, wanted) in enumerate(zip(given, item_schemas(schema), strict=False))
    ]
    if not schema.get("uniqueItems"):
        return fitted
    once: list[Any] = []
    for one in fitted:
        if not any(same(one, other) for other in once):
            once.append(one)
    if len(once) < len(fitted):
        changes.append(f"{path}: repeated items left out")
    return once


def _wrapped(value: Any, schema: Mapping[str, Any]) -> list[Any] | None:
    """Return the list that a single value stands for: its items, if they are choices, or itself."""
    if _is_nothing(value, []):
        return None
    item = next(item_schemas(schema))
    parts = re.split(r"\s*[,;]\s*", value.strip()) if isinstance(value, str) and "enum" in item else []
    for candidate in ([value], parts):
        fitted = [_fit(one, item, "", []) for one in candidate]
        if candidate and not any(find_problems(one, item) for one in fitted):
            return candidate
    return None


def _fit_object(given: Mapping[str, Any], schema: Mapping[str, Any], path: str, changes: list[str]) -> dict[str, Any]:
    properties, extra = schema.get("properties", {}), schema.get("additionalProperties")
    fitted: dict[str, Any] = {}
    for name, value in given.items():
        if name in properties:
            fitted |= _fit_property(name, value, schema, path, changes)
        elif is_open(schema):
            where = child(path, shorten(name, quoted=False))
            fitted[name] = _fit(value, extra, where, changes) if isinstance(extra, Mapping) else value
    for name, value in given.items():
        if name in properties or name in fitted:
            continue
        where = child(path, shorten(name, quoted=False))
        meant = nearest(str(name), list(properties))
        if meant is not None and meant not in fitted:
            changes.append(f"{where} → {meant}")
            fitted |= _fit_property(meant, value, schema, path, changes)
        elif _is_empty(value) or (meant is not None and same(_fit(value, properties[meant], "", []), fitted[meant])):
            changes.append(f"{where}: {shorten(value)} dropped")
        else:
            fitted[name] = value  # a stranger, which validation refuses
    return fitted


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _fit_property(name: str, value: Any, schema: Mapping[str, Any], path: str, changes: list[str]) -> dict[str, Any]:
    """Return the property with its fitted value, or nothing if it is optional and says nothing."""
    wanted, where = schema["properties"][name], child(path, name)
    optional = name not in schema.get("required", ())
    noted: list[str] = []
    fitted = value if optional and _may_drop(value, wanted) else _fit(value, wanted, where, noted)
    if optional and _may_drop(fitted, wanted):
        changes.append(f"{where}: {shorten(value)} dropped")
        return {}
    changes += noted
    return {name: fitted}


def _may_drop(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether an optional argument says nothing; null is kept where it differs from the default."""
    members = schema.get("anyOf") or [schema]
    if not _is_nothing(value, members):
        return False
    kinds = schema.get("type")
    nullable = "null" in kinds if isinstance(kinds, list) else any(one.get("type") == "null" for one in members)
    return not nullable or schema.get("default") is None
