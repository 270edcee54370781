"""Answers to interactions over REST: callbacks, the original answer, follow-ups.

https://docs.discord.com/developers/interactions/receiving-and-responding: three seconds to answer, fifteen minutes for the
token, whether an answer is ephemeral is said with the first answer and stays.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.bodies import Upload, check_body, fill
from tests.support.discord_fake.command_rules import STRING, check_choices
from tests.support.discord_fake.components import check_modal
from tests.support.discord_fake.delivery import ANSWER_SECONDS
from tests.support.discord_fake.refusals import Problems, Refusal
from tests.support.discord_fake.routes import Ask, route
from tests.support.discord_fake.state import APP, BOT, COMPONENTS_V2, EPHEMERAL, LOADING, Interaction, Message, Modal

if TYPE_CHECKING:
    from tests.support.discord_server import DiscordServer

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
_MOST_FOLLOW_UPS = 5


def _answers(interaction: Interaction) -> tuple[int, ...]:
    """The callback types that an interaction can be answered with."""
    if interaction.kind == 4:
        return (CHOICES,)
    on_message = (DEFER_UPDATE, UPDATE) if interaction.source else ()
    return (MESSAGE, DEFER, *on_message, *((MODAL,) if interaction.kind != 5 else ()))


@route("POST", "/interactions/{interaction}/{token}/callback", open=True)
async def callback(server: DiscordServer, ask: Ask) -> Any:
    interaction = server.interactions.get(ask.params["token"])
    if interaction is None or interaction.id != ask.params["interaction"]:
        raise Refusal(10062)
    if interaction.answer_type is not None:
        raise Refusal(40060)
    if time.monotonic() - interaction.started > ANSWER_SECONDS:
        raise Refusal(10062)
    answer_type, data = ask.data.get("type"), ask.data.get("data") or {}
    problems = Problems()
    problems.choice(("type",), answer_type, _answers(interaction))
    problems.raise_any()
    message = _answer(server, interaction, answer_type, Upload(data, ask.upload.files))
    interaction.answer_type = answer_type
    if message is not None and answer_type in {MESSAGE, DEFER}:
        await server.tell_message("MESSAGE_CREATE", message)
    elif message is not None and answer_type == UPDATE:
        await server.tell_message("MESSAGE_UPDATE", message)
    interaction.sent.acknowledge(answer_type, data)
    if ask.query.get("with_response", "").lower() not in {"true", "1"}:
        return None
    return _callback_object(server, interaction, answer_type, message)


def _answer(server: DiscordServer, interaction: Interaction, answer_type: int, upload: Upload) -> Message | None:
    if answer_type == MODAL:
        problems = Problems()
        check_modal(problems, ("data",), upload.data)
        problems.raise_any()
        modal = Modal(upload.data["title"], upload.data["custom_id"], upload.data["components"], interaction)
        server.world.users[interaction.user].modal = modal
        return None
    if answer_type == CHOICES:
        problems = Problems()
        check_choices(problems, ("data", "choices"), upload.data.get("choices"), _focused_kind(interaction))
        problems.raise_any()
        return None
    if answer_type == DEFER_UPDATE:
        interaction.original = interaction.source
        return interaction.source
    if answer_type == UPDATE:
        assert interaction.source
        check_body(upload, ("data",), message=interaction.source)
        server.fill_again(interaction.source, upload)
        interaction.original = interaction.source
        return interaction.source
    message = _new(server, interaction, upload.data.get("flags") or 0)
    if answer_type == DEFER:
        message.flags |= LOADING
    else:
        check_body(upload, ("data",))
        fill(message, server.world, upload)
    interaction.original = message
    server.world.post(message, default=("users",))
    return message


def _focused_kind(interaction: Interaction) -> int:
    options = interaction.payload["data"].get("options") or []
    while options and options[0]["type"] in {1, 2}:
        options = options[0].get("options") or []
    return next((each["type"] for each in options if each.get("focused")), STRING)


def _new(server: DiscordServer, interaction: Interaction, flags: int) -> Message:
    """A message of an interaction; in a private channel without the app it is still told to its people."""
    message = Message(server.world.new_id(), interaction.channel, BOT, interaction=interaction)
    if interaction.original is None and interaction.kind == 2:
        message.kind = 23 if interaction.payload["data"]["type"] in {2, 3} else 20
    elif interaction.source and interaction.original is None:
        message.reply_to, message.kind = interaction.source, 19
    if flags & EPHEMERAL:
        message.flags |= EPHEMERAL
        message.ephemeral_to = interaction.user
    interaction.made.append(message)
    return message


def _callback_object(server: DiscordServer, interaction: Interaction, answer_type: int, message: Message | None) -> Any:
    told: dict[str, Any] = {"id": interaction.id, "type": interaction.kind}
    resource: dict[str, Any] = {"type": answer_type}
    if message is not None:
        told["response_message_id"] = message.id
        told["response_message_loading"] = message.is_loading
        told["response_message_ephemeral"] = message.ephemeral_to is not None
    if message is not None and answer_type != DEFER_UPDATE:
        resource["message"] = server.wire.message(message)
    return {"interaction": told, "resource": resource}


# -- the token


def _of_token(server: DiscordServer, ask: Ask) -> Interaction:
    interaction = server.interactions.get(ask.params["token"])
    if interaction is None or ask.params["app"] != APP:
        raise Refusal(10015)
    if time.monotonic() - interaction.started > server.token_seconds:
        raise Refusal(50027)
    if interaction.answer_type is None:
        raise Refusal(10015)
    return interaction


def _message(interaction: Interaction, number: str) -> Message:
    """The answer or follow-up that a route names."""
    if number == "@original":
        found = interaction.original
    else:
        known = [*interaction.made, *([interaction.source] if interaction.source else [])]
        found = next((each for each in known if each.id == number), None)
    if found is None or found.deleted:
        raise Refusal(10008)
    return found


@route("POST", "/webhooks/{app}/{token}", open=True)
async def follow_up(server: DiscordServer, ask: Ask) -> Any:
    interaction = _of_token(server, ask)
    original = interaction.original
    if original is not None and original.is_loading and not original.deleted:
        # The first follow-up after a defer is the deferred answer itself; its ephemeral flag is the defer's.
        await _edit(server, original, ask.upload)
        return server.wire.message(original)
    check_body(ask.upload)
    if interaction.user_install_only and interaction.follow_ups >= _MOST_FOLLOW_UPS:
        raise Refusal(40094)
    guild = server.world.guilds.get(server.world.channels[interaction.channel].guild or "")
    hushed = EPHEMERAL if interaction.user_install_only and guild and not guild.external_apps else 0
    message = _new(server, interaction, (ask.data.get("flags") or 0) | hushed)
    try:
        fill(message, server.world, ask.upload)
    except Refusal:
        interaction.made.remove(message)
        raise
    interaction.follow_ups += 1
    message.reply_to = message.reply_to or original
    message.kind = 19 if message.reply_to else 0
    server.world.post(message, default=("users",))
    await server.tell_message("MESSAGE_CREATE", message)
    return server.wire.message(message)


@route("GET", "/webhooks/{app}/{token}/messages/{message}", open=True)
async def get_answer(server: DiscordServer, ask: Ask) -> Any:
    return server.wire.message(_message(_of_token(server, ask), ask.params["message"]))


@route("PATCH", "/webhooks/{app}/{token}/messages/{message}", open=True)
async def edit_answer(server: DiscordServer, ask: Ask) -> Any:
    message = _message(_of_token(server, ask), ask.params["message"])
    await _edit(server, message, ask.upload)
    return server.wire.message(message)


async def _edit(server: DiscordServer, message: Message, upload: Upload) -> None:
    """Edit; what fills a deferred answer is no edit to its reader, and lets its mentions notify."""
    if not message.is_loading:
        await server.change(message, upload)
        return
    check_body(upload, v2=bool((upload.data.get("flags") or 0) & COMPONENTS_V2))
    fill(message, server.world, upload)
    message.flags &= ~LOADING
    server.world.count_mentions(message, ("users",))
    await server.tell_message("MESSAGE_UPDATE", message)


@route("DELETE", "/webhooks/{app}/{token}/messages/{message}", open=True)
async def delete_answer(server: DiscordServer, ask: Ask) -> Any:
    await server.take_down(_message(_of_token(server, ask), ask.params["message"]))
