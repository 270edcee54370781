"""What is wrong with application commands (https://docs.discord.com/developers/interactions/application-commands)."""

from __future__ import annotations

import unicodedata
from typing import Any

from tests.support.discord_fake.refusals import Problems, Refusal

Path = tuple[str | int, ...]

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
MOST = {1: 100, 2: 15, 3: 15}
MOST_SIZE = 8000


def check_commands(commands: Any) -> None:
    """Raise 50035 for what is wrong with a whole list, 30032 for too many of a kind."""
    problems = Problems()
    if not isinstance(commands, list):
        raise Refusal(50035, 400, "Invalid Form Body", errors={})
    for kind, most in MOST.items():
        if sum(each.get("type", 1) == kind for each in commands) > most:
            raise Refusal(30032, message=f"Maximum number of application commands reached ({most})")
    names: set[tuple[int, str]] = set()
    for index, command in enumerate(commands):
        check_command(problems, (index,), command)
        key = (command.get("type", 1), str(command.get("name")))
        if key in names:
            words = "Application command names must be unique"
            problems.add((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
        names.add(key)
    problems.raise_any()


def check_command(problems: Problems, path: Path, command: dict[str, Any]) -> None:
    kind = command.get("type", 1)
    problems.choice((*path, "type"), kind, (1, 2, 3, 4))
    if kind == 1:
        _check_name(problems, (*path, "name"), command.get("name"))
        problems.length((*path, "description"), command.get("description"), 100, 1)
        _check_options(problems, (*path, "options"), command.get("options") or [], depth=0)
    else:
        problems.length((*path, "name"), command.get("name"), 32, 1)
        if command.get("description"):
            words = "Context menu commands cannot have description"
            problems.add((*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_CANNOT_EXIST", words)
    for name, known in (("integration_types", (0, 1)), ("contexts", (0, 1, 2))):
        values = command.get(name)
        if values is not None:
            for index, each in enumerate(values):
                problems.choice((*path, name, index), each, known)
    if size(command) > MOST_SIZE:
        problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MOST_SIZE})")


def size(command: dict[str, Any]) -> int:
    """The characters that count: names, descriptions and values of a command, its options and their choices."""
    total = len(command.get("name") or "") + len(command.get("description") or "")
    total += sum(size(each) for each in command.get("options") or [])
    return total + sum(
        len(each.get("name") or "") + len(str(each.get("value"))) for each in command.get("choices") or []
    )


def _check_name(problems: Problems, path: Path, name: Any) -> None:
    if not problems.length(path, name, 32, 1):
        return
    good = all(
        each in "-_'" or unicodedata.category(each)[0] in "LN" or unicodedata.category(each) in {"Mn", "Mc"}
        for each in name
    )
    if not good or name != name.lower():
        problems.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_options(problems: Problems, path: Path, options: list[dict[str, Any]], *, depth: int) -> None:
    problems.count(path, options, 25)
    names: set[str] = set()
    optional = False
    nested = [each.get("type") in {SUBCOMMAND, GROUP} for each in options]
    if any(nested) and not all(nested):
        words = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        problems.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", words)
    for index, option in enumerate(options):
        here = (*path, index)
        kind = option.get("type")
        _check_name(problems, (*here, "name"), option.get("name"))
        problems.length((*here, "description"), option.get("description"), 100, 1)
        if not problems.choice((*here, "type"), kind, tuple(range(1, 12))):
            continue
        if option.get("name") in names:
            words = "Option name must be unique"
            problems.add((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", words)
        names.add(str(option.get("name")))
        if kind in {SUBCOMMAND, GROUP}:
            if depth > 1 or (depth == 1 and kind == GROUP):
                words = "Sub-command groups can only be on the first level"
                problems.add((*here, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", words)
            _check_options(
                problems, (*here, "options"), option.get("options") or [], depth=2 if kind == SUBCOMMAND else 1
            )
            continue
        if option.get("required") and optional:
            words = "Required options must be placed before non-required options"
            problems.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words)
        optional = optional or not option.get("required")
        _check_choices(problems, here, option)


def _check_choices(problems: Problems, path: Path, option: dict[str, Any]) -> None:
    choices = option.get("choices")
    if option.get("autocomplete"):
        if choices:
            words = "Option choices and autocomplete are mutually exclusive"
            problems.add((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", words)
        problems.choice((*path, "type"), option["type"], (STRING, INTEGER, NUMBER))
    for name in ("min_length", "max_length"):
        if option.get(name) is not None and not 0 <= option[name] <= 6000:
            problems.add((*path, name), "NUMBER_TYPE_MAX", "int value should be less than or equal to 6000.")
    if choices and problems.count((*path, "choices"), choices, 25):
        check_choices(problems, (*path, "choices"), choices, option["type"])


def check_choices(problems: Problems, path: Path, choices: Any, kind: int) -> None:
    """Check the choices of an option, or what an autocomplete answers with."""
    if not problems.count(path, choices, 25):
        return
    for index, choice in enumerate(choices):
        problems.length((*path, index, "name"), choice.get("name"), 100, 1)
        if kind == STRING:
            problems.length((*path, index, "value"), choice.get("value"), 100, 1)
        elif not isinstance(choice.get("value"), (int, float)):
            problems.add(
                (*path, index, "value"), "NUMBER_TYPE_COERCE", f'Value "{choice.get("value")}" is not a number.'
            )
