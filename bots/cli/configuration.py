"""Where settings come from: a command's options, the environment, and one file that nobody but its owner can change.

Never the working folder: whoever gets a file into it, a download say, would choose our code, servers and database.
"""

from __future__ import annotations

import difflib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import BaseModel, ValidationError
from pydantic_settings import SettingsError

from bots.errors import CommandError
from bots.settings import Settings, default_data_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails

PREFIX = "MONEY_MINDER_"
ENV_FILE = f"{PREFIX}ENV_FILE"
#: What only the tests read.
_TESTS = f"{PREFIX}TEST_"
_NAME = ".env"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
#: What is allowed where the error itself does not say it.
_ALLOWED = {
    "MODEL": "builtin, auto, ollama:NAME or openai:NAME",
    "TOOL_SELECTION__CUSTOM": "a path of imports, such as package.module:Name",
    "NOW": "an ISO date or time, such as 2026-11-21",
}
_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "path": "a path"}
_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings, and where each variable that is set was found: in the environment, or in the one file."""

    settings: Settings
    file: Path
    """What is read, if it is there."""
    is_read: bool
    sources: Mapping[str, str]
    doubts: tuple[str, ...] = ()
    """A sentence for every variable that looks like a setting and is none."""

    @property
    def unread(self) -> Path | None:
        """A file in the working folder that is left alone, if there is one."""
        here = Path.cwd() / _NAME
        return here if here.is_file() and not (self.is_read and here.samefile(self.file)) else None


def configure(options: Mapping[str, Any], env_file: str | None = None) -> Configuration:
    """Return the settings: the options of the command win over the environment, and that over the file.

    ``env_file`` is what ``--env-file`` names.

    Raises:
        CommandError: the file is not there or others may write to it, or a value can't be used.
    """
    set_here = {name.upper(): value for name, value in os.environ.items() if name.upper().startswith(PREFIX)}
    file = _file(env_file, set_here)
    is_read = file.exists()
    if is_read:
        _refuse_untrusted(file)
    elif env_file or ENV_FILE in set_here:
        raise CommandError(f"There is no file {file}.")
    written = _written(file) if is_read else set()
    sources = dict.fromkeys(written, str(file)) | dict.fromkeys(set_here, "the environment")
    given: dict[str, Any] = {"_env_file": file if is_read else None, **options}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise CommandError(" ".join(_sentence(each, options) for each in error.errors())) from error
    except SettingsError as error:
        raise CommandError(_unread_value(sources)) from error
    folder = file.parent if is_read else None
    return Configuration(_placed(settings, sources, folder), file, is_read, sources, _doubts(sources))


def variables() -> dict[str, Any]:
    """Return the default of each setting by the name of its variable."""
    found: dict[str, Any] = {}
    for name, each in Settings.model_fields.items():
        default = each.get_default(call_default_factory=True)
        if isinstance(default, BaseModel):
            parts = type(default).model_fields
            found |= {f"{PREFIX}{name.upper()}__{part.upper()}": getattr(default, part) for part in parts}
        else:
            found[f"{PREFIX}{name.upper()}"] = default
    return found


def shown(value: object) -> str:
    """Return the value of a setting without a password or query that may be in it."""
    parts = urlsplit(str(value)) if "://" in str(value) else None
    if parts is None:
        return str(value)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _file(named: str | None, set_here: Mapping[str, str]) -> Path:
    """Return the file of settings: the one that is named, or the one in the data directory."""
    if named:
        return Path(named).expanduser().absolute()
    if ENV_FILE in set_here:
        return _full_path(ENV_FILE, set_here[ENV_FILE])
    directory = set_here.get(f"{PREFIX}DATA_DIR")
    return (_full_path(f"{PREFIX}DATA_DIR", directory) if directory else default_data_dir()) / _NAME


def _full_path(name: str, text: str, folder: Path | None = None) -> Path:
    """Return a path that does not depend on the working folder; a relative one begins at the file that names it."""
    path = Path(text).expanduser()
    if path.is_absolute():
        return path
    if folder is None:
        raise CommandError(f"{name} must be a full path; “{text}” would be another file in every folder.")
    return folder / path


def _refuse_untrusted(file: Path) -> None:
    """Refuse a file that somebody else could have written or could put another one in the place of."""
    if not file.is_file():
        raise CommandError(f"{file} is not a file of settings.")
    real = file.resolve()
    for each in dict.fromkeys((file, file.parent, real, real.parent)):
        facts = each.stat()
        if facts.st_uid not in (0, os.getuid()):
            raise CommandError(f"I read no settings from {file}: {each} belongs to somebody else.")
        if facts.st_mode & _OTHERS_WRITE:
            raise CommandError(f"I read no settings from {file}: others may write to {each}. Run: chmod go-w {each}")


def _trusted_code(file: Path) -> str:
    """Return the path of a file of tools, unless anybody at all could have written it; one that is missing is told later."""
    if file.is_file():
        real = file.resolve()
        facts, around = real.stat(), real.parent.stat().st_mode
        if facts.st_uid not in (0, os.getuid()):
            raise CommandError(f"I run no tools from {file}: it belongs to somebody else.")
        if (facts.st_mode | (0 if around & stat.S_ISVTX else around)) & stat.S_IWOTH:
            raise CommandError(f"I run no tools from {file}: anybody may write to it or its folder.")
    return str(file)


def _written(file: Path) -> set[str]:
    try:
        return {name.upper() for name in dotenv_values(file) if name.upper().startswith(PREFIX)}
    except (OSError, ValueError) as error:
        raise CommandError(f"{file} can't be read as a file of settings.") from error


def _placed(settings: Settings, sources: Mapping[str, str], folder: Path | None) -> Settings:
    """Return the settings with every path whole; ``folder`` is where those of the file begin."""

    def whole(field: str, text: str) -> str:
        name = f"{PREFIX}{field.upper()}"
        return str(_full_path(name, text, folder if sources.get(name) != "the environment" else None))

    changes: dict[str, Any] = {}
    if f"{PREFIX}DATA_DIR" in sources:
        changes["data_dir"] = Path(whole("data_dir", str(settings.data_dir)))
    if settings.database_url and "://" not in settings.database_url:
        changes["database_url"] = whole("database_url", settings.database_url)
    for part in ("openai", "slack"):
        held = getattr(settings, part)
        if held.key_file:
            key_file = Path(whole(f"{part}__key_file", str(held.key_file)))
            changes[part] = held.model_copy(update={"key_file": key_file})
    if settings.extra_tools:
        parts = [part.strip() for part in settings.extra_tools.split(",")]
        files = [_trusted_code(Path(whole("extra_tools", part))) if part.endswith(".py") else part for part in parts]
        changes["extra_tools"] = ",".join(files)
    return settings.model_copy(update=changes)


def _doubts(sources: Mapping[str, str]) -> tuple[str, ...]:
    known = {*variables(), ENV_FILE, *(f"{PREFIX}{name.upper()}" for name in Settings.model_fields)}
    return tuple(
        f"{name} is not a setting{_near(name, known)} (set in {where})."
        for name, where in sorted(sources.items())
        if name not in known and not name.startswith(_TESTS)
    )


def _near(name: str, known: set[str]) -> str:
    bare = [each.removeprefix(PREFIX) for each in sorted(known)]
    found = difflib.get_close_matches(name.removeprefix(PREFIX), bare, 1, 0.7)
    return f"; did you mean {PREFIX}{found[0]}?" if found else ""


def _sentence(error: ErrorDetails, options: Mapping[str, Any]) -> str:
    """Say which value can't be used, why, and what can; never a value that may be a secret."""
    path = [str(part).upper() for part in error["loc"]]
    name = f"--{path[0].lower()}" if path[0].lower() in options else f"{PREFIX}{'__'.join(path)}"
    return f"{name} can't be used: {_reason(error, '__'.join(path))}."


def _reason(error: ErrorDetails, field: str) -> str:
    kind, context, given = error["type"], error.get("ctx", {}), error["input"]
    shown = f"“{given}” is not " if isinstance(given, str | int | float) and "_TOKEN" not in field else "it is not "
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        return f"{shown}{context['expected'].replace(chr(39), '')}"
    if field in _ALLOWED:
        return f"{shown}{_ALLOWED[field]}"
    bound = next((name for name in _BOUNDS if name in context), None)
    if bound is not None:
        return f"{shown}{_BOUNDS[bound]} {context[bound]}"
    what = _KINDS.get(kind.partition("_")[0])
    return f"{shown}{what}" if what else "it has not the form of such a value"


def _unread_value(sources: Mapping[str, str]) -> str:
    """Say which group of settings is set as a whole, and badly; its parts have variables of their own."""
    groups = [name for name in sources if any(each.startswith(f"{name}__") for each in variables())]
    names = " and ".join(sorted(groups)) or "A group of settings"
    return f"{names} can't be used: set its parts one by one, such as {groups[0] if groups else PREFIX}__…."
