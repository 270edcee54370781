"""What the tests' Discord refuses: messages and commands beyond Discord's published numbers, at n and n + 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from tests.support.discord_server import APP, GENERAL, TOKEN, DiscordServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Api = Callable[..., Awaitable[tuple[int, Any]]]

MESSAGES = f"/channels/{GENERAL}/messages"


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def api(server: DiscordServer) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {TOKEN}"}) as session:

        async def ask(method: str, path: str, body: Any = None) -> tuple[int, Any]:
            async with session.request(method, server.api_url + path, json=body) as answer:
                return answer.status, await answer.json()

        yield ask


def codes(tree: Any) -> list[str]:
    """The names of all errors in a tree."""
    if isinstance(tree, list):
        return [each["code"] for each in tree]
    return [code for value in tree.values() for code in codes(value)]


def button(number: int, **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": str(number), "custom_id": f"b{number}", **more}


def row(*inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(inner)}


def menu(**more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "m", "options": [{"label": "a", "value": "a"}], **more}


def field(name: int = 1, value: int = 1) -> dict[str, str]:
    return {"name": "n" * name, "value": "v" * value}


def text(size: int) -> dict[str, Any]:
    return {"type": 10, "content": "t" * size}


LONG, BAD = "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_BAD_LENGTH"
V2 = 1 << 15
LIMITS: list[tuple[str, Callable[[int], dict[str, Any]], int, str, str]] = [
    ("content", lambda n: {"content": "x" * n}, 2000, "content", LONG),
    ("nonce", lambda n: {"content": "x", "nonce": "n" * n}, 25, "nonce", "NONCE_TYPE_TOO_LONG"),
    ("embeds", lambda n: {"embeds": [{"title": "x"}] * n}, 10, "embeds", LONG),
    ("embed title", lambda n: {"embeds": [{"title": "x" * n}]}, 256, "embeds.0.title", LONG),
    ("embed words", lambda n: {"embeds": [{"description": "x" * n}]}, 4096, "embeds.0.description", LONG),
    ("embed fields", lambda n: {"embeds": [{"fields": [field()] * n}]}, 25, "embeds.0.fields", LONG),
    ("field name", lambda n: {"embeds": [{"fields": [field(name=n)]}]}, 256, "embeds.0.fields.0.name", BAD),
    ("field value", lambda n: {"embeds": [{"fields": [field(value=n)]}]}, 1024, "embeds.0.fields.0.value", BAD),
    ("footer", lambda n: {"embeds": [{"footer": {"text": "x" * n}}]}, 2048, "embeds.0.footer.text", BAD),
    (
        "all embeds",
        lambda n: {"embeds": [{"description": "x" * 4000}, {"description": "x" * (n - 4000)}]},
        6000,
        "embeds",
        "MAX_EMBED_SIZE_EXCEEDED",
    ),
    ("rows", lambda n: {"components": [row(button(i)) for i in range(n)]}, 5, "components", LONG),
    ("buttons", lambda n: {"components": [row(*map(button, range(n)))]}, 5, "components.0.components", BAD),
    ("label", lambda n: {"components": [row(button(1, label="x" * n))]}, 80, "components.0.components.0.label", LONG),
    (
        "custom id",
        lambda n: {"components": [row(button(1, custom_id="x" * n))]},
        100,
        "components.0.components.0.custom_id",
        BAD,
    ),
    (
        "options",
        lambda n: {"components": [row(menu(options=[{"label": "a", "value": str(i)} for i in range(n)]))]},
        25,
        "components.0.components.0.options",
        BAD,
    ),
    (
        "placeholder",
        lambda n: {"components": [row(menu(placeholder="x" * n))]},
        150,
        "components.0.components.0.placeholder",
        LONG,
    ),
    (
        "v2 parts",
        lambda n: {"flags": V2, "components": [text(1)] * n},
        40,
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    (
        "v2 words",
        lambda n: {"flags": V2, "components": [text(2000), text(n - 2000)]},
        4000,
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
]


@pytest.mark.parametrize(
    ("make", "most", "path", "code"), [each[1:] for each in LIMITS], ids=[each[0] for each in LIMITS]
)
async def test_limits_are_kept_to_the_character(api: Api, make: Any, most: int, path: str, code: str) -> None:
    assert (await api("POST", MESSAGES, make(most)))[0] == 200
    status, answer = await api("POST", MESSAGES, make(most + 1))
    assert (status, answer["code"], answer["message"]) == (400, 50035, "Invalid Form Body")
    node = answer["errors"]
    for key in path.split("."):
        node = node[key]
    assert [each["code"] for each in node["_errors"]] == [code]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x", "components": [text(1)]}, "UNION_TYPE_CHOICES"),
        ({"content": "x", "flags": V2, "components": [text(1)]}, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"),
        ({"components": [row(button(1)), row(button(1))]}, "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ({"components": [row(menu(), button(1))]}, "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
        ({"components": [row({"type": 2, "style": 5, "label": "x", "url": "ftp://x"})]}, "URL_TYPE_INVALID_SCHEME"),
        ({"components": [row({"type": 2, "style": 1, "label": "x"})]}, "BASE_TYPE_REQUIRED"),
        (
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        ),
        (
            {"flags": V2, "components": [{"type": 13, "file": {"url": "attachment://no"}}]},
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
        ),
        ({"flags": V2, "components": [{"type": 9, "components": [text(1)]}]}, "BASE_TYPE_REQUIRED"),
        ({"flags": V2, "components": [{"type": 17, "components": []}]}, "BASE_TYPE_BAD_LENGTH"),
        (
            {"flags": V2, "components": [{"type": 17, "accent_color": 1 << 24, "components": [text(1)]}]},
            "NUMBER_TYPE_MAX",
        ),
        ({"flags": V2, "components": [{**text(1), "id": 7}, {**text(1), "id": 7}]}, "COMPONENT_ID_DUPLICATED"),
    ],
)
async def test_what_does_not_go_together_is_refused(api: Api, body: dict[str, Any], code: str) -> None:
    status, answer = await api("POST", MESSAGES, body)
    assert (status, answer["code"]) == (400, 50035)
    assert code in codes(answer["errors"])


async def test_nothing_is_no_message_and_an_edit_to_nothing_changes_nothing(server: DiscordServer, api: Api) -> None:
    assert (await api("POST", MESSAGES, {"content": "  "}))[1]["code"] == 50006
    _, message = await api("POST", MESSAGES, {"content": "stays"})
    assert (await api("PATCH", f"{MESSAGES}/{message['id']}", {"content": ""}))[1]["code"] == 50006
    assert [(seen.text, seen.edited) for seen in server.answers_to("ana")] == [("stays", False)]


# -- application commands


COMMAND = {
    "name": "ask",
    "description": "Ask",
    "options": [{"type": 3, "name": "q", "description": "Q", "required": True}],
}
COMMANDS = f"/applications/{APP}/commands"


async def test_commands_are_overwritten_and_only_new_ones_count(server: DiscordServer, api: Api) -> None:
    _, first = await api("PUT", COMMANDS, [COMMAND])
    _, again = await api("PUT", COMMANDS, [COMMAND | {"description": "Ask me"}, {"name": "Explain", "type": 3}])
    assert (again[0]["id"], again[0]["description"]) == (first[0]["id"], "Ask me")
    assert server.creates == {None: 2}
    assert [each["name"] for each in (await api("GET", COMMANDS))[1]] == ["ask", "Explain"]
    server.creates[None] = 200
    assert (await api("PUT", COMMANDS, [COMMAND]))[0] == 200
    assert (await api("PUT", COMMANDS, [COMMAND | {"name": "other"}]))[1]["code"] == 30034


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "Ask"}, "APPLICATION_COMMAND_INVALID_NAME"),
        ({"name": "a" * 33}, BAD),
        ({"description": "d" * 101}, BAD),
        ({"options": [{"type": 3, "name": f"q{i}", "description": "Q"} for i in range(26)]}, LONG),
        ({"options": [{"type": 3, "name": "q", "description": "Q"}, *COMMAND["options"]]}, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"),  # type: ignore[misc]
        ({"options": [{"type": 3, "name": "p", "description": "Q"}, *COMMAND["options"]]}, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"),  # type: ignore[misc]
        ({"options": [{"type": 3, "name": "q", "description": "Q", "choices": [{"name": "n", "value": "v" * 101}]}]}, BAD),
        ({"options": [{"type": 1, "name": f"s{i}", "description": "d" * 100, "options": [{"type": 3, "name": f"o{j}", "description": "d" * 98} for j in range(3)]} for i in range(20)]}, "APPLICATION_COMMAND_TOO_LARGE"),
    ],
)  # fmt: skip
async def test_bad_commands_are_refused(api: Api, change: dict[str, Any], code: str) -> None:
    status, answer = await api("PUT", COMMANDS, [COMMAND | change])
    assert (status, answer["code"]) == (400, 50035)
    assert code in codes(answer["errors"]["0"])
