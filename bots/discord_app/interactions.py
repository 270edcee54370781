"""Interactions: commands, presses, forms, and options that are being typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, get_args

from bots.audience import Place
from bots.cleaning import clean
from bots.contracts import Attachment, ConversationKey, Duty, Question, pressed
from bots.discord_app import commands
from bots.discord_app.bodies import (
    ELSEWHERE,
    THREADS,
    Asked,
    Form,
    Inbound,
    Interaction,
    Opening,
    Submitted,
    Suggesting,
    Surroundings,
    Turning,
    compose,
    id_at,
    number_at,
    token_at,
)
from bots.discord_app.buttons import PAGE, find_action, page_meant, parse_custom_id, reply_shown
from bots.discord_app.files import reference_by_address
from bots.discord_app.posts import EPHEMERAL
from bots.discord_app.routes import Route
from bots.discord_app.wording import LONGEST, plain, visible_text
from bots.payloads import Unreadable, list_at, look, text_at
from ledger.people import Person

if TYPE_CHECKING:
    from collections.abc import Mapping

# https://docs.discord.com/developers/interactions/receiving-and-responding
_COMMAND, _COMPONENT, _AUTOCOMPLETE, _MODAL = 2, 3, 4, 5
_IN_SERVER, _WITH_US, _ELSEWHERE = 0, 1, 2
_MESSAGE_COMMAND = 3
THINK: Final = {"type": 5}
THINK_ALONE: Final = {"type": 5, "data": {"flags": EPHEMERAL}}

#: The id of a form that we open begins with this, and ends with which it is.
FORM: Final = "mm-form:"
_NUMBER = re.compile("[0-9]{1,20}", re.ASCII)
_FORMS: dict[str, Form] = {name: name for name in get_args(Form)}
_SERVER_INSTALL = "0"
# https://docs.discord.com/developers/topics/permissions
_SEND_MESSAGES, _SEND_IN_THREADS = 1 << 11, 1 << 38


def read_interaction(body: Mapping[str, Any], surroundings: Surroundings) -> Inbound | None:
    """Return what an interaction asks for, or None where it is none of ours; raises Unreadable."""
    if id_at(body, "application_id") != surroundings.application:
        return None
    match look(body, "type"):
        case kind if kind == _COMMAND:
            return _command(body, surroundings)
        case kind if kind == _COMPONENT:
            return _press(body, surroundings)
        case kind if kind == _AUTOCOMPLETE:
            return _typing(body, surroundings)
        case kind if kind == _MODAL:
            return _submission(body, surroundings)
    return None


def _command(body: Mapping[str, Any], surroundings: Surroundings) -> Inbound | None:
    interaction = _interaction(body, surroundings)
    if look(body, "data", "type") == _MESSAGE_COMMAND:
        return _explain(body, interaction, surroundings)
    subcommand = next(iter(list_at(body, "data", "options")), None)
    name = text_at(subcommand, "name")
    if text_at(body, "data", "name") != commands.NAME or not name:
        return None
    options = list_at(subcommand, "options")
    files = [
        _file(look(body, "data", "resolved", "attachments", text_at(each, "value")))
        for each in options
        if text_at(each, "name") in commands.FILES
    ]
    if name == "import" and not files:
        return Opening(interaction, "import")
    given = {text_at(each, "name"): text_at(each, "value") for each in options}
    content = Question() if files else commands.asked(name, given)
    message = compose(interaction, surroundings.now(), kind="command", content=content, attachments=tuple(files))
    return Asked(interaction, message, _thinking(interaction))


def _explain(body: Mapping[str, Any], interaction: Interaction, surroundings: Surroundings) -> Asked | None:
    """Return the question about a charge that a message tells of, or for the receipt of an answer of ours."""
    if text_at(body, "data", "name") != commands.EXPLAIN:
        return None
    target = look(body, "data", "resolved", "messages", id_at(body, "data", "target_id"))
    ours = look(target, "author", "id") == surroundings.bot_user
    # Of ours, what has no buttons may be what somebody shared: their figures are nobody else's to keep.
    about = (reply_shown(target) or "") if ours else None
    content = Duty("receipt") if ours else Duty("charge", {"text": visible_text(target)})
    message = compose(interaction, surroundings.now(), kind="command", content=content, about=about)
    return Asked(interaction, message, _thinking(interaction))


def _press(body: Mapping[str, Any], surroundings: Surroundings) -> Inbound | None:
    """Return what a button says that was pressed or chosen from a menu; what was too long to carry is completed later."""
    chosen = next(iter(list_at(body, "data", "values")), None)
    button = parse_custom_id(chosen if isinstance(chosen, str) else text_at(body, "data", "custom_id"))
    if button is None:
        return None
    interaction = _interaction(body, surroundings)
    if button.action == PAGE:
        meant, shown = page_meant(button), look(body, "message")
        if meant is None or not isinstance(shown, dict):
            return None
        message = compose(interaction, surroundings.now(), kind="button", about=button.about)
        return Turning(interaction, message, *meant, shown)
    action = find_action(button, None)
    if button.action == "columns" and action is not None and not action.value.endswith(":0"):
        message = compose(interaction, surroundings.now(), kind="button", content=pressed(action), about=button.about)
        return Opening(interaction, "columns", message)
    if button.action in _FORMS and button.action != "columns":
        return Opening(interaction, _FORMS[button.action])
    content = Question() if action is None else pressed(action)
    message = compose(interaction, surroundings.now(), kind="button", content=content, about=button.about)
    return Asked(interaction, message, _thinking(interaction), button)


def _typing(body: Mapping[str, Any], surroundings: Surroundings) -> Suggesting | None:
    subcommand = next(iter(list_at(body, "data", "options")), None)
    option = next((each for each in list_at(subcommand, "options") if look(each, "focused") is True), None)
    if option is None:
        return None
    typed = clean(text_at(option, "value")).strip()[:LONGEST]
    return Suggesting(_interaction(body, surroundings), text_at(option, "name"), typed)


def _submission(body: Mapping[str, Any], surroundings: Surroundings) -> Submitted | None:
    """Return what a form was filled in with; its fields stand in labels, one each."""
    custom_id = text_at(body, "data", "custom_id")
    name, _, carried = custom_id.removeprefix(FORM).partition(":")
    form = _FORMS.get(name) if custom_id.startswith(FORM) else None
    if form is None:
        return None
    interaction = _interaction(body, surroundings)
    values: dict[str, str] = {}
    files: list[Attachment] = []
    for label in list_at(body, "data", "components"):
        field = look(label, "component")
        chosen = list_at(field, "values")
        held = look(body, "data", "resolved", "attachments")
        found = [look(held, each) for each in chosen if isinstance(each, str)]
        files += (_file(each) for each in found if each is not None)
        several = ",".join(each for each in chosen if isinstance(each, str))
        values[text_at(field, "custom_id")] = clean(text_at(field, "value") or several)[:LONGEST]
    about, _, value = carried.partition(":")
    message = compose(
        interaction,
        surroundings.now(),
        kind="button",
        attachments=tuple(files),
        content=Duty(form, {"value": value} if value else {}),
        about=about or None,
    )
    return Submitted(interaction, form, values, message, _thinking(interaction))


def _interaction(body: Mapping[str, Any], surroundings: Surroundings) -> Interaction:
    """Read who and where. In a server the person is a member's user; a place that we don't know is none of ours."""
    in_guild = look(body, "guild_id") is not None
    user = id_at(body, "member", "user", "id") if in_guild else id_at(body, "user", "id")
    channel = id_at(body, "channel_id") if look(body, "channel_id") else id_at(body, "channel", "id")
    guild = id_at(body, "guild_id") if in_guild else ""
    context = look(body, "context")
    place = Place.UNKNOWN
    if in_guild and context in (_IN_SERVER, None):
        place = Place.CHANNEL
    elif not in_guild and context in (_WITH_US, _ELSEWHERE):
        place = Place.DIRECT if context == _WITH_US else Place.CHANNEL
    person = Person("discord", "", user)
    token = token_at(body, "token")
    route = Route(
        application=surroundings.application,
        token=token,
        channel=channel,
        at=surroundings.wall(),
        follow_ups=place is Place.DIRECT or look(body, "authorizing_integration_owners", _SERVER_INSTALL) is not None,
        largest_file=number_at(body, "attachment_size_limit"),
        may_write=_may_write(body) if in_guild else True,
        interaction=id_at(body, "id"),
        source=text_at(body, "message", "id"),
    )
    team = guild or ("" if place is Place.DIRECT else ELSEWHERE)
    conversation = ConversationKey("discord", team, channel, "", person)
    return Interaction(id_at(body, "id"), token, person, conversation, place, route, text_at(body, "locale")[:20])


def _may_write(body: Mapping[str, Any]) -> bool:
    """Whether a server's member may write in the channel or thread where they are."""
    permissions = text_at(body, "member", "permissions")
    needed = _SEND_IN_THREADS if look(body, "channel", "type") in THREADS else _SEND_MESSAGES
    return bool(_NUMBER.fullmatch(permissions) and int(permissions) & needed)


def _thinking(interaction: Interaction) -> dict[str, Any]:
    """Return the first answer to an interaction, which decides who sees the others."""
    return dict(THINK if interaction.place is Place.DIRECT else THINK_ALONE)


def _file(file: object) -> Attachment:
    """Return a file of an option or a form, which no message holds: there is only its address, good for a day."""
    if not text_at(file, "url"):
        raise Unreadable("resolved.attachments")
    return Attachment(
        name=plain(text_at(file, "filename"))[:255] or "file",
        size=number_at(file, "size"),
        media_type=text_at(file, "content_type")[:255] or "application/octet-stream",
        reference=reference_by_address(text_at(file, "url")),
    )
