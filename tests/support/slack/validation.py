"""Whether Slack would take a payload: the SDK's own validators, then the stricter shapes, then the rules on the whole."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import Any

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.messages.chunk import Chunk
from slack_sdk.models.views import View

from tests.support.slack.shapes import (
    BLOCKS,
    CHARTS_A_MESSAGE,
    GROUP,
    NATIVE,
    OPTION,
    Check,
    Need,
    Problems,
    by_type,
    cell_length,
    flag,
    items,
    one_of,
    plain,
    shape,
    string,
    wrong,
)
from tests.support.slack.state import SlackError

MESSAGE_BLOCKS, VIEW_BLOCKS = 50, 100
TEXT_CUT, UPDATE_TEXT, MARKDOWN_TEXT, STREAM_TEXT = 40_000, 4_000, 12_000, 40_000
#: Where a message that has a markdown block fails as a whole (slackapi/bolt-js#2509).
BLOCKS_TEXT = 13_200
ATTACHMENTS = 100
VIEW_BYTES = 250_000
PROMPTS, LOADING_MESSAGES, TITLE = 4, 10, 200
#: The documentation of chunks; Slack itself was seen to take more (vercel/chat#886).
CHUNK_FIELD = 256

_ONLY_MESSAGES = {"context_actions", "task_card", "plan", "markdown", "table", *NATIVE, "file"}
_ONLY_MODALS = {"alert"}
_CHECK_BLOCK = by_type(BLOCKS, "block")


class Rules:
    """What this workspace's Slack can show; tests switch it."""

    native_blocks = True
    """Whether data_table and data_visualization are known."""
    native_in_views = False
    """Whether they may stand in App Home; the documentation's captures disagree."""

    def __init__(self, files: Any) -> None:
        self._files = files

    def message_blocks(self, blocks: Any, *, most: int = MESSAGE_BLOCKS) -> list[dict[str, Any]]:
        """Return the blocks of a message, or raise what Slack would answer."""
        if blocks is None:
            return []
        problems = self.problems(blocks, "message", most)
        if problems:
            raise SlackError("invalid_blocks", errors=problems, response_metadata=_metadata(problems))
        markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
        if markdown > MARKDOWN_TEXT or (markdown and _length(blocks) > BLOCKS_TEXT):
            raise SlackError("msg_blocks_too_long")
        return list(blocks)

    def problems(self, blocks: Any, surface: str, most: int) -> Problems:
        problems: Problems = []
        items(self._block(surface), most, 0)(problems, "/blocks", blocks)
        if not problems:
            _check_together(problems, blocks)
        return problems

    def _block(self, surface: str) -> Any:
        def check(problems: Problems, where: str, block: Any) -> None:
            before = len(problems)
            _CHECK_BLOCK(problems, where, block)
            if len(problems) > before:
                return None
            kind = block["type"]
            in_view = surface != "message"
            native = kind in NATIVE and self.native_blocks and (not in_view or self.native_in_views)
            placed = native or kind not in (_ONLY_MESSAGES if in_view else _ONLY_MODALS)
            if not placed or (kind in NATIVE and not native) or (surface == "home" and kind in _ONLY_MODALS):
                return wrong(problems, where, f"unsupported type: {kind}")
            self._sources(problems, where, block)
            return _ask_sdk(problems, where, block)

        return check

    def _sources(self, problems: Problems, where: str, block: dict[str, Any]) -> None:
        """A section says something; a picture is one URL or one file that Slack has."""
        if block["type"] == "section" and not (block.get("text") or block.get("fields")):
            wrong(problems, where, "missing required field: text")
        pictures = [block, block.get("accessory"), *(block.get("elements") or [])]
        for picture in pictures:
            if isinstance(picture, dict) and picture.get("type") == "image":
                if ("image_url" in picture) == ("slack_file" in picture):
                    wrong(problems, where, "either image_url or slack_file is needed")
                file = picture.get("slack_file") or {}
                known = {each for one in self._files.values() if one.completed for each in (one.id, one.url)}
                if file and (file.get("id") or file.get("url")) not in known:
                    wrong(problems, where, "invalid slack file")

    def view(self, view: Any) -> dict[str, Any]:
        """Return a home or a modal that Slack would show, or raise what it would answer."""
        if not isinstance(view, dict) or view.get("type") not in {"home", "modal"}:
            raise _bad_view(["must be a view [json-pointer:/view]"])
        if len(json.dumps(view)) > VIEW_BYTES:
            raise SlackError("view_too_large")
        problems: Problems = []
        _VIEWS[view["type"]](problems, "/view", view)
        if not problems:
            problems = self.problems(view["blocks"], view["type"], VIEW_BLOCKS)
        asks = not problems and any(block["type"] == "input" for block in view["blocks"])
        if asks and view["type"] == "modal" and not view.get("submit"):
            wrong(problems, "/view", "missing required field: submit")
        if not problems and view["blocks"]:
            try:
                View(**view).validate_json()
            except (SlackObjectFormationError, TypeError) as error:
                wrong(problems, "/view", str(error))
        if problems:
            raise _bad_view(problems)
        return view

    def chunks(self, chunks: Any) -> list[dict[str, Any]]:
        """Return a stream's chunks, or raise what Slack would answer."""
        problems: Problems = []
        items(_CHUNK, 10**6, 0)(problems, "/chunks", chunks)
        if problems or any(Chunk.parse(chunk) is None for chunk in chunks):
            raise SlackError("invalid_chunks", response_metadata=_metadata(problems))
        for chunk in chunks:
            if chunk["type"] == "markdown_text" and len(chunk["text"]) > MARKDOWN_TEXT:
                raise SlackError("msg_too_long")
            if chunk["type"] == "blocks":
                self.message_blocks(chunk["blocks"])
        return list(chunks)


def _check_together(problems: Problems, blocks: list[dict[str, Any]]) -> None:
    """Ids are unique, and the costly blocks few."""
    ids = [block["block_id"] for block in blocks if block.get("block_id")]
    for twice in {each for each in ids if ids.count(each) > 1} if len(set(ids)) < len(ids) else ():
        wrong(problems, "/blocks", f"`block_id` {twice} already exists")
    for index, block in enumerate(blocks):
        elements = block.get("elements") if block["type"] in {"actions", "context_actions"} else None
        named = [each["action_id"] for each in elements or [] if each.get("action_id")]
        if len(set(named)) < len(named):
            wrong(problems, f"/blocks/{index}", "`action_id` already exists for another element")
    kinds = [block["type"] for block in blocks]
    if kinds.count("data_visualization") > CHARTS_A_MESSAGE:
        wrong(problems, "/blocks", f"no more than {CHARTS_A_MESSAGE} data_visualization blocks allowed")
    if kinds.count("table") > 1:
        wrong(problems, "/blocks", "only_one_table_allowed")
    tables = [block for block in blocks if block["type"] in {"table", "data_table"}]
    if sum(cell_length(block["rows"]) for block in tables) > 10_000:
        wrong(problems, "/blocks", "the characters of all table cells cannot exceed 10,000")


#: The SDK's models are slow and look at nothing but these, so blocks that are alike in them are asked about once.
_LENGTHS = (0, 1, 30, 75, 76, 100, 150, 200, 255, 300, 2000, 3000, 4000, 12000)
_WORDS = {"type", "style", "status", "level", "width", "response_type"}
_PASSED: set[Any] = set()


def _likeness(value: Any, key: str = "") -> Any:
    if value.__class__ is dict:
        return tuple((name, _likeness(inner, name)) for name, inner in value.items())
    if value.__class__ is list:
        return tuple(_likeness(inner) for inner in value)
    if value.__class__ is str:
        return value if key in _WORDS else bisect_left(_LENGTHS, len(value))
    return value


def _ask_sdk(problems: Problems, where: str, block: dict[str, Any]) -> None:
    """What slack_sdk's own models say of it; they know no native data blocks."""
    if block["type"] in NATIVE or (alike := _likeness(block)) in _PASSED:
        return None
    try:
        parsed = Block.parse(block)
        if parsed is None:
            return wrong(problems, where, "unknown block")
        parsed.to_dict()
        _PASSED.add(alike)
    except (SlackObjectFormationError, TypeError) as error:
        wrong(problems, where, str(error))


_HOME_KEYS: dict[str, Check | Need] = {
    "blocks": Need(items(lambda *_: None, VIEW_BLOCKS, 0)),
    "private_metadata": string(3000, 0),
}
_NAMES: dict[str, Check | Need] = {"callback_id": string(255), "external_id": string(255)}
_VIEWS = {
    "home": shape(**_HOME_KEYS, **_NAMES),
    "modal": shape(
        **_HOME_KEYS,
        **_NAMES,
        title=Need(plain(24)),
        submit=plain(24),
        close=plain(24),
        clear_on_close=flag,
        notify_on_close=flag,
        submit_disabled=flag,
    ),
}
_CHUNK = by_type(
    {
        "markdown_text": shape(text=Need(string(least=0))),
        "task_update": shape(
            id=Need(string(CHUNK_FIELD)),
            title=Need(string(CHUNK_FIELD)),
            status=Need(one_of("pending", "in_progress", "complete", "error")),
            details=string(CHUNK_FIELD),
            output=string(CHUNK_FIELD),
            sources=items(lambda *_: None, 100, 0),
        ),
        "plan_update": shape(title=Need(string(CHUNK_FIELD))),
        "blocks": shape(blocks=Need(items(lambda *_: None, MESSAGE_BLOCKS))),
    },
    "chunk",
)


def _metadata(problems: Problems) -> dict[str, Any]:
    return {"messages": [f"[ERROR] {problem}" for problem in problems]}


def _bad_view(problems: Problems) -> SlackError:
    return SlackError("invalid_arguments", response_metadata=_metadata(problems))


def _length(value: Any) -> int:
    """All text in the blocks, names and values of buttons left out."""
    if isinstance(value, dict):
        return sum(
            len(inner) if key == "text" and isinstance(inner, str) else _length(inner) for key, inner in value.items()
        )
    return sum(map(_length, value)) if isinstance(value, list) else 0


def check_metadata(metadata: Any) -> None:
    """A message's metadata has a type and an object of flat facts."""
    if metadata in (None, {}):
        return
    well = isinstance(metadata, dict) and set(metadata) <= {"event_type", "event_payload", "entities"}
    kind = metadata.get("event_type") if well else None
    if not isinstance(kind, str) or not re.fullmatch(r"[\w.:-]{1,255}", kind):
        raise SlackError("invalid_metadata_format")
    if not isinstance(metadata.get("event_payload"), dict):
        raise SlackError("invalid_metadata_format")


def check_options(payload: Any) -> list[dict[str, Any]]:
    """The options of an external menu as its acknowledgement gives them; AssertionError for what Slack would not show."""
    problems: Problems = []
    shape(options=items(OPTION, 100, 0), option_groups=items(GROUP, 100, 0))(problems, "", payload)
    assert not problems, problems
    groups = [option for group in payload.get("option_groups") or [] for option in group["options"]]
    return [*(payload.get("options") or []), *groups]
