"""What is wrong with a message's body, and what of it stands.

Numbers: https://docs.discord.com/developers/resources/message (August 2026).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.components import check_message, number
from tests.support.discord_fake.refusals import Problems, Refusal
from tests.support.discord_fake.state import COMPONENTS_V2, EPHEMERAL, SILENT, SUPPRESS_EMBEDS, File, Message

if TYPE_CHECKING:
    from tests.support.discord_fake.world import World

Path = tuple[str | int, ...]

CONTENT, EMBEDS, EMBED_TOTAL, FILES, NONCE = 2000, 10, 6000, 10, 25
FILE_BYTES, REQUEST_BYTES = 10 * 1024**2, 25 * 1024**2
_URLS = {("image", "url"), ("thumbnail", "url"), ("author", "icon_url"), ("footer", "icon_url")}


@dataclass
class Upload:
    """One request's body: its JSON and the files that came with it, by field name."""

    data: dict[str, Any]
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)


def check_body(upload: Upload, path: Path = (), *, message: Message | None = None, v2: bool | None = None) -> None:
    """Raise 50035 with everything that is wrong; ``message`` is what an edit changes."""
    data, problems = upload.data, Problems()
    for _, content in upload.files.values():
        if len(content) > FILE_BYTES:
            raise Refusal(40005)
    content = data.get("content")
    if content is not None:
        problems.length((*path, "content"), content, CONTENT)
    if data.get("nonce") is not None and len(str(data["nonce"])) > NONCE:
        problems.add((*path, "nonce"), "NONCE_TYPE_TOO_LONG", f"Must be {NONCE} or fewer in length.")
    names = _file_names(problems, path, upload, message)
    if data.get("embeds") is not None:
        check_embeds(problems, (*path, "embeds"), data["embeds"], names)
    flags = data.get("flags") or 0
    if v2 is None:
        v2 = bool((flags | (message.flags if message else 0)) & COMPONENTS_V2)
    if message and message.flags & COMPONENTS_V2 and data.get("components") and not flags & COMPONENTS_V2:
        # Undocumented: the libraries say it again with every edit, and so must we.
        problems.add((*path, "flags"), "BASE_TYPE_REQUIRED", "This field is required")
    if v2:
        for name in ("content", "embeds", "poll", "sticker_ids"):
            if data.get(name):
                words = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                problems.add((*path, name), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", words)
        if message and not message.flags & COMPONENTS_V2:
            for name, old in (("content", message.content), ("embeds", message.embeds)):
                if old and name not in data:
                    words = f"The '{name}' field must be reset when using MessageFlags.IS_COMPONENTS_V2"
                    problems.add((*path, name), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", words)
    if data.get("components") is not None:
        check_message(problems, (*path, "components"), data["components"], v2=v2, files=names)
    if data.get("allowed_mentions") is not None:
        _check_allowed(problems, (*path, "allowed_mentions"), data["allowed_mentions"])
    problems.raise_any()


def _file_names(problems: Problems, path: Path, upload: Upload, message: Message | None) -> set[str]:
    """The names that ``attachment://`` may name; each described attachment must be there."""
    listed = upload.data.get("attachments")
    kept = {each.id: each.name for each in message.files} if message else {}
    names = set(kept.values()) if listed is None else set()
    names |= {attached(name) for name, _ in upload.files.values()}
    if listed is not None and problems.count((*path, "attachments"), listed, FILES):
        for index, each in enumerate(listed):
            here = str(each.get("id"))
            if here in kept:
                names.add(kept[here])
            elif f"files[{here}]" not in upload.files:
                words = "Attachment data not found"
                problems.add((*path, "attachments", index), "ATTACHMENT_NOT_FOUND", words)
            if each.get("description") is not None:
                problems.length((*path, "attachments", index, "description"), each["description"], 1024)
    if len(upload.files) > FILES:
        problems.add((*path, "files"), "BASE_TYPE_MAX_LENGTH", f"Must be {FILES} or fewer in length.")
    return names


def check_embeds(problems: Problems, path: Path, embeds: Any, files: set[str]) -> None:
    """Check embeds; 6,000 is for all of a message's together."""
    if not problems.count(path, embeds, EMBEDS):
        return
    total = 0
    for index, embed in enumerate(embeds):
        here = (*path, index)
        for name, most in (("title", 256), ("description", 4096)):
            if embed.get(name):
                problems.length((*here, name), embed[name], most)
                total += len(embed[name])
        for outer, name, most in (("footer", "text", 2048), ("author", "name", 256)):
            if embed.get(outer):
                problems.length((*here, outer, name), embed[outer].get(name), most, 1)
                total += len(embed[outer].get(name) or "")
        if embed.get("fields") is not None and problems.count((*here, "fields"), embed["fields"], 25):
            for at, entry in enumerate(embed["fields"]):
                problems.length((*here, "fields", at, "name"), entry.get("name"), 256, 1)
                problems.length((*here, "fields", at, "value"), entry.get("value"), 1024, 1)
                total += len(entry.get("name") or "") + len(entry.get("value") or "")
        color = embed.get("color")
        if color is not None and not 0 <= color <= 0xFFFFFF:
            problems.add((*here, "color"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 16777215.")
        for outer, name in _URLS:
            _check_url(problems, (*here, outer, name), (embed.get(outer) or {}).get(name), files)
        _check_url(problems, (*here, "url"), embed.get("url"), None)
        if not set(embed) - {"type", "color", "flags"}:
            problems.add(here, "EMBED_EMPTY", "Embed must not be empty")
    if total > EMBED_TOTAL:
        problems.add(path, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_TOTAL}")


def _check_url(problems: Problems, path: Path, url: Any, files: set[str] | None) -> None:
    if url is None or (isinstance(url, str) and url.startswith(("http://", "https://"))):
        return
    if files is not None and isinstance(url, str) and url.startswith("attachment://"):
        return  # One that is not there is shown as nothing, without an error.
    problems.add(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def _check_allowed(problems: Problems, path: Path, allowed: Any) -> None:
    if not isinstance(allowed, dict):
        problems.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return
    for index, each in enumerate(allowed.get("parse") or []):
        problems.choice((*path, "parse", index), each, ("users", "roles", "everyone"))
    for name in ("users", "roles"):
        if allowed.get(name):
            problems.count((*path, name), allowed[name], 100)
            if name in (allowed.get("parse") or []):
                words = f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.'
                problems.add(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", words)


# -- what of it stands


def new_files(world: World, upload: Upload, channel: str) -> list[File]:
    """The files of a request, with the names and descriptions that ``attachments`` gives them."""
    described = {str(each.get("id")): each for each in upload.data.get("attachments") or []}
    made = []
    for place, (name, content) in upload.files.items():
        facts = described.get(place.removeprefix("files[").removesuffix("]"), {})
        shown = attached(facts.get("filename") or name)
        spoiler = bool(facts.get("is_spoiler")) or shown.startswith("SPOILER_")
        made.append(
            File(world.new_id(), shown, content, channel, facts.get("description"), _content_type(shown), spoiler)
        )
        world.files[made[-1].id] = made[-1]
    return made


def attached(name: str) -> str:
    """A file's name as Discord keeps it: letters, digits, dots, dashes and low lines."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name) or "unknown"


def _content_type(name: str) -> str | None:
    known = {
        "png": "image/png",
        "csv": "text/csv; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
        "pdf": "application/pdf",
    }
    return known.get(name.rpartition(".")[2].lower())


def fill(message: Message, world: World, upload: Upload, *, links: bool = True) -> None:
    """Put a checked body into a new message, or what it names into an old one."""
    data = upload.data
    if "content" in data:
        message.content = str(data["content"] or "").strip()
    if "embeds" in data:
        message.embeds = [{"type": "rich", **each} for each in data["embeds"] or []] if links else []
    if "components" in data:
        message.components = number(data["components"] or [])
    if "allowed_mentions" in data:
        message.allowed = data["allowed_mentions"]
    if data.get("attachments") is not None:
        kept = {str(each.get("id")) for each in data["attachments"]}
        message.files = [each for each in message.files if each.id in kept]
    message.files = [*message.files, *new_files(world, upload, message.channel)]
    if data.get("flags") is not None:
        kept_flags = SUPPRESS_EMBEDS | COMPONENTS_V2 | SILENT
        message.flags = (message.flags & ~SUPPRESS_EMBEDS) | (data["flags"] & kept_flags) | (message.flags & EPHEMERAL)
    message.embed_links = links
    if not (message.content or message.embeds or message.components or message.files):
        raise Refusal(50006)
    message.changed()
