"""The people's side of interactions: commands, autocomplete, buttons, menus, context menus, forms."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.command_rules import ATTACHMENT, BOOLEAN, GROUP, INTEGER, NUMBER, STRING, SUBCOMMAND
from tests.support.discord_fake.components import asked
from tests.support.discord_fake.delivery import ANSWER_SECONDS, Sent
from tests.support.discord_fake.people import People
from tests.support.discord_fake.rendering import walk
from tests.support.discord_fake.state import (
    APP,
    BOT,
    DM,
    PERMISSIONS,
    Channel,
    Guild,
    Interaction,
    Message,
    Modal,
    Seen,
    User,
)
from tests.support.discord_fake.wire import bits

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
_USER_SELECT = 5


@dataclass(frozen=True)
class Choice:
    """One suggestion of an autocomplete."""

    name: str
    value: str | int | float


@dataclass(frozen=True)
class Field:
    """One entry of a form; ``kind`` is the component's type."""

    label: str
    custom_id: str
    kind: int
    value: str = ""
    required: bool = True
    options: tuple[tuple[str, str], ...] = ()
    description: str = ""


@dataclass(frozen=True)
class SeenModal:
    """The form in front of someone."""

    title: str
    custom_id: str
    fields: tuple[Field, ...]
    text: str = ""


class Pressing(People):
    """Each method sends an interaction and returns it; ``acknowledged`` waits for its answer."""

    commands: dict[str | None, dict[str, dict[str, Any]]]
    interactions: dict[str, Interaction]
    size_limit: int
    lateness: float

    # -- sending

    async def _send(
        self,
        kind: int,
        user: User,
        place: Channel,
        data: dict[str, Any],
        owners: dict[str, str],
        *,
        source: Message | None = None,
    ) -> Sent:
        guild = self.world.guilds.get(place.guild or "")
        token = f"aW50ZXJhY3Rpb24{secrets.token_urlsafe(60)}"
        payload: dict[str, Any] = {
            "id": self.world.new_id(self.lateness),
            "application_id": APP,
            "type": kind,
            "data": data,
            "channel": self.wire.channel(place, for_user=user.id) | {"permissions": bits(PERMISSIONS)},
            "channel_id": place.id,
            "token": token,
            "version": 1,
            "locale": user.locale,
            "app_permissions": self._app_permissions(place),
            "entitlements": [],
            "authorizing_integration_owners": owners,
            "context": _context(place),
            "attachment_size_limit": self.size_limit,
        }
        if guild:
            payload |= {"guild_id": guild.id, "guild_locale": guild.locale}
            payload["guild"] = {"id": guild.id, "locale": guild.locale, "features": []}
            permissions = bits(self.world.permissions(user.id, place))
            payload["member"] = self.wire.member(guild, user.id) | {"permissions": permissions}
        else:
            payload["user"] = self.wire.user(user)
        if source:
            payload["message"] = self.wire.message(source)
        sent = Sent("INTERACTION_CREATE", payload, place.id)
        alone = "0" not in owners
        interaction = Interaction(payload["id"], token, kind, user.id, place.id, payload, sent, alone, source=source)
        self.interactions[token] = interaction
        sent.delivered_at = interaction.started
        interaction.started -= self.lateness
        sent.delivered = await self.gateway.dispatch("INTERACTION_CREATE", lambda _: payload)
        return sent

    def _app_permissions(self, place: Channel) -> str:
        if place.guild is None:
            return bits(["attach_files", "embed_links", "mention_everyone"])
        return bits(name for name in PERMISSIONS if self.world.may(place, name))

    def _owners(self, user: User, place: Channel, command: dict[str, Any] | None) -> dict[str, str]:
        """Who installed the app where it is used; a command only where its own kinds of installation allow it."""
        kinds = (command or {}).get("integration_types") or [0] if command else [0, 1]
        guild = self.world.guilds.get(place.guild or "")
        owners: dict[str, str] = {}
        if 0 in kinds and guild and guild.installed:
            owners["0"] = guild.id
        if 0 in kinds and _context(place) == 1:
            owners["0"] = "0"
        if 1 in kinds and user.installed:
            owners["1"] = user.id
        return owners

    # -- commands

    def _find_command(self, name: str, kind: int, guild: Guild | None) -> dict[str, Any]:
        scopes = [self.commands.get(guild.id if guild else None, {}), self.commands.get(None, {})]
        for scope in scopes:
            for command in scope.values():
                if command["name"] == name and command["type"] == kind:
                    return command
        known = sorted({command["name"] for scope in scopes for command in scope.values()})
        raise AssertionError(f"no command {name!r} is registered here, only {known}")

    def _check_offered(self, command: dict[str, Any], user: User, place: Channel) -> dict[str, str]:
        """The installations that offer a command, AssertionError where nobody's client would."""
        contexts = command.get("contexts")
        context = _context(place)
        if contexts is not None and command.get("guild_id") is None:
            assert context in contexts, f"/{command['name']} is not offered in context {context}, only in {contexts}"
        assert context == 0 or command.get("dm_permission") is not False, f"/{command['name']} is for guilds only"
        owners = self._owners(user, place, command)
        assert owners, f"the app is installed neither for {user.name} nor here in a way that offers {command['name']}"
        return owners

    async def command(
        self, user: str, command: str, options: dict[str, Any] | None = None, where: str | None = None
    ) -> Sent:
        """Use a slash command, ``money ask`` with subcommands; a file is given as ``(name, bytes)``.

        What the client would not send (a command that is not offered here, an option that does not exist, a required one
        left out) is an AssertionError.
        """
        person, place = self.world.user(user), self._place(user, where)
        data, owners = self._command_data(person, place, command, options or {}, focused=None)
        return await self._send(COMMAND, person, place, data, owners)

    def _command_data(
        self, person: User, place: Channel, command: str, options: dict[str, Any], *, focused: str | None
    ) -> tuple[dict[str, Any], dict[str, str]]:
        first, *rest = command.removeprefix("/").split()
        found = self._find_command(first, 1, self.world.guilds.get(place.guild or ""))
        owners = self._check_offered(found, person, place)
        declared, path = found.get("options") or [], []
        for word in rest:
            option = next(
                (each for each in declared if each["name"] == word and each["type"] in {SUBCOMMAND, GROUP}), None
            )
            assert option, f"/{command}: no {word!r} among {[each['name'] for each in declared]}"
            path.append(option)
            declared = option.get("options") or []
        assert not any(each["type"] in {SUBCOMMAND, GROUP} for each in declared), f"/{command} needs a subcommand"
        resolved: dict[str, Any] = {}
        given = self._given(declared, options, resolved, place, focused=focused)
        for option in reversed(path):
            given = [{"name": option["name"], "type": option["type"], "options": given}]
        data: dict[str, Any] = {"id": found["id"], "name": found["name"], "type": 1, "options": given}
        if resolved:
            data["resolved"] = resolved
        if found.get("guild_id"):
            data["guild_id"] = found["guild_id"]
        return data, owners

    def _given(
        self,
        declared: list[dict[str, Any]],
        options: dict[str, Any],
        resolved: dict[str, Any],
        place: Channel,
        *,
        focused: str | None,
    ) -> list[dict[str, Any]]:
        names = {each["name"] for each in declared}
        assert set(options) <= names, f"no option {sorted(set(options) - names)} among {sorted(names)}"
        given = []
        for option in declared:
            name = option["name"]
            if name not in options:
                assert focused or not option.get("required"), f"the option {name!r} is required"
                continue
            entry = {"name": name, "type": option["type"]}
            if name == focused:
                given.append(entry | {"value": str(options[name]), "focused": True})
                continue
            given.append(entry | {"value": self._value(option, options[name], resolved, place)})
        return given

    def _value(self, option: dict[str, Any], value: Any, resolved: dict[str, Any], place: Channel) -> Any:
        """An option's value as the client sends it, checked as the client checks it."""
        kind, name = option["type"], option["name"]
        if kind == ATTACHMENT:
            return self._attach([value], resolved, place)[0]
        if kind == STRING:
            assert isinstance(value, str), f"{name} takes a string"
            assert option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000), f"{name}: bad length"
        elif kind == INTEGER:
            assert isinstance(value, int), f"{name} takes a whole number"
        elif kind == BOOLEAN:
            assert isinstance(value, bool), f"{name} takes True or False"
        elif kind == NUMBER:
            assert isinstance(value, (int, float)), f"{name} takes a number"
        else:
            return self._resolve_user(str(value), resolved, place)
        choices = {each["name"]: each["value"] for each in option.get("choices") or []}
        if choices:
            assert value in choices or value in choices.values(), f"{name}: {value!r} is not among {choices}"
            return choices.get(value, value)
        assert value >= option["min_value"] if "min_value" in option else True, f"{name} is too small"
        assert value <= option["max_value"] if "max_value" in option else True, f"{name} is too large"
        return value

    def _attach(self, files: Sequence[tuple[str, bytes]], resolved: dict[str, Any], place: Channel) -> list[str]:
        made = self._files(files, place.id)
        resolved.setdefault("attachments", {}).update(
            {each.id: self.wire.file(each) | {"ephemeral": True} for each in made}
        )
        return [each.id for each in made]

    def _resolve_user(self, known: str, resolved: dict[str, Any], place: Channel) -> str:
        person = self.world.user(known)
        resolved.setdefault("users", {})[person.id] = self.wire.user(person)
        guild = self.world.guilds.get(place.guild or "")
        if guild and person.id in guild.members:
            member = self.wire.member(guild, person.id, with_user=False) | {"permissions": bits(PERMISSIONS)}
            resolved.setdefault("members", {})[person.id] = member
        return person.id

    async def autocomplete(
        self,
        user: str,
        command: str,
        option: str,
        value: str = "",
        others: dict[str, Any] | None = None,
        where: str | None = None,
    ) -> list[Choice]:
        """Type into an option and wait for the suggestions; AssertionError where none came within three seconds."""
        person, place = self.world.user(user), self._place(user, where)
        data, owners = self._command_data(person, place, command, {**(others or {}), option: value}, focused=option)
        sent = await self._send(AUTOCOMPLETE, person, place, data, owners)
        await sent.acknowledged(ANSWER_SECONDS + 0.5)
        return [Choice(each["name"], each["value"]) for each in sent.answer.get("choices") or []]

    async def context_menu(
        self,
        user: str,
        name: str,
        on: Seen | Sent | str | None = None,
        *,
        person: str | None = None,
        where: str | None = None,
    ) -> Sent:
        """Use a message's context menu, or another person's."""
        who = self.world.user(user)
        if on is not None:
            message = self._message(on)
            place = self.world.channels[message.channel]
            assert message.ephemeral_to in {None, who.id}, f"{user} does not see that message"
            resolved: dict[str, Any] = {"messages": {message.id: self.wire.message(message)}}
            target, kind = message.id, 3
        else:
            assert person
            place, resolved, kind = self._place(user, where), {}, 2
            target = self._resolve_user(person, resolved, place)
        assert self.world.reads(who.id, place), f"{user} does not see that channel"
        command = self._find_command(name, kind, self.world.guilds.get(place.guild or ""))
        owners = self._check_offered(command, who, place)
        data = {"id": command["id"], "name": name, "type": kind, "target_id": target, "resolved": resolved}
        return await self._send(COMMAND, who, place, data, owners)

    # -- components

    async def press(self, user: str, seen: Seen | str, what: str, *, forged: bool = False) -> Sent:
        """Press a button by its label or custom id; ``forged`` presses what the person can't see, or any custom id."""
        person, message = self.world.user(user), self._shown(user, seen, forged=forged)
        custom = what
        if not forged or any(what in {each.label, each.custom_id} for each in message.seen(self.world).buttons):
            button = message.seen(self.world).button(what)
            assert not button.url, f"{what!r} is a link: {button.url}"
            assert forged or not button.disabled, f"{what!r} is disabled"
            custom = button.custom_id
        number = next((each.get("id") for each in walk(message.components) if each.get("custom_id") == custom), 1)
        data = {"custom_id": custom, "component_type": 2, "id": number}
        return await self._component(person, message, data)

    def _shown(self, user: str, seen: Seen | str, *, forged: bool) -> Message:
        message = self._message(seen)
        reader, place = self.world.user(user).id, self.world.channels[message.channel]
        visible = self.world.reads(reader, place) and message.ephemeral_to in {None, reader}
        assert visible or forged, f"{user} does not see that message"
        assert not message.is_loading, "it is still loading"
        return message

    async def _component(self, person: User, message: Message, data: dict[str, Any]) -> Sent:
        place = self.world.channels[message.channel]
        owners = self._owners(person, place, None)
        if message.interaction:
            # Whoever authorised the command that made the message, not who presses.
            owners = message.interaction.payload["authorizing_integration_owners"]
        return await self._send(COMPONENT, person, place, data, owners, source=message)

    async def select(self, user: str, seen: Seen | str, what: str, *values: str) -> Sent:
        """Choose in the menu with this custom id or placeholder, options by label or value, people by name."""
        person, message = self.world.user(user), self._shown(user, seen, forged=False)
        place = self.world.channels[message.channel]
        menus = message.seen(self.world).menus
        menu = next((each for each in menus if what in {each.custom_id, each.placeholder}), None)
        assert menu, f"no menu {what!r} among {[each.custom_id for each in menus]}"
        assert not menu.disabled, f"{what!r} is disabled"
        assert asked(menu.raw, "min_values") <= len(values) <= asked(menu.raw, "max_values"), "not that many"
        resolved: dict[str, Any] = {}
        if menu.kind == 3:
            chosen = [_option(menu.options, each) for each in values]
        else:
            assert menu.kind == _USER_SELECT, "the fake knows menus of options and of people"
            chosen = [self._resolve_user(each, resolved, place) for each in values]
        data = {"custom_id": menu.custom_id, "component_type": menu.kind, "values": chosen, "id": menu.raw.get("id", 1)}
        return await self._component(person, message, data | ({"resolved": resolved} if resolved else {}))

    # -- forms

    def modal(self, user: str) -> SeenModal | None:
        """The form in front of someone."""
        modal = self.world.user(user).modal
        if modal is None:
            return None
        texts = [each["content"] for each in modal.components if each["type"] == 10]
        fields = tuple(_field(outer, inner) for outer, inner in _entries(modal))
        return SeenModal(modal.title, modal.custom_id, fields, "\n".join(texts))

    def close_modal(self, user: str) -> None:
        """Close the form; the app hears nothing of it."""
        self.world.user(user).modal = None

    async def submit(self, user: str, values: dict[str, Any] | None = None) -> Sent:
        """Send the form, entries by label or custom id: words, options, or a list of files ``(name, bytes)``."""
        person, values = self.world.user(user), dict(values or {})
        modal = person.modal
        assert modal, f"{user} has no form"
        place = self.world.channels[modal.source.channel]
        resolved: dict[str, Any] = {}
        components = []
        for outer, inner in _entries(modal):
            entry = _field(outer, inner)
            given = values.pop(entry.label, values.pop(entry.custom_id, None))
            filled = self._filled(entry, inner, given, resolved, place)
            told = {"type": inner["type"], "id": inner.get("id", 1), "custom_id": entry.custom_id} | filled
            components.append(
                {"type": outer["type"], "id": outer.get("id", 1)}
                | ({"component": told} if outer["type"] == 18 else {"components": [told]})
            )
        assert not values, f"no entries {sorted(values)}"
        data: dict[str, Any] = {"custom_id": modal.custom_id, "components": components}
        if resolved:
            data["resolved"] = resolved
        person.modal = None
        owners = modal.source.payload["authorizing_integration_owners"]
        return await self._send(SUBMIT, person, place, data, owners, source=modal.source.source)

    def _filled(
        self, entry: Field, raw: dict[str, Any], given: Any, resolved: dict[str, Any], place: Channel
    ) -> dict[str, Any]:
        if entry.kind == 4:
            words = str(entry.value if given is None else given)
            assert words or not entry.required, f"{entry.label!r} is required"
            assert not words or (raw.get("min_length") or 0) <= len(words) <= (raw.get("max_length") or 4000), (
                f"{entry.label!r}: bad length"
            )
            return {"value": words}
        if entry.kind == 19:
            files = given or []
            assert files or not entry.required, f"{entry.label!r} needs a file"
            assert len(files) <= asked(raw, "max_values"), f"{entry.label!r}: too many files"
            return {"values": self._attach(files, resolved, place)}
        if entry.kind in {21, 23}:
            value = given if entry.kind == 23 or given is None else _option(entry.options, given)
            assert value is not None or not entry.required or entry.kind == 23, f"{entry.label!r} is required"
            return {"value": bool(value) if entry.kind == 23 else value}
        preset = [each["value"] for each in raw.get("options", ()) if each.get("default")]
        chosen = preset if given is None else [given] if isinstance(given, str) else list(given)
        assert chosen or not entry.required, f"{entry.label!r} is required"
        if entry.kind == _USER_SELECT:
            return {"values": [self._resolve_user(each, resolved, place) for each in chosen]}
        return {"values": [_option(entry.options, each) for each in chosen]}

    async def redeliver(self, sent: Sent) -> Sent:
        """Tell of the same thing once more, under a new number, as a Gateway may after a bad resumption."""
        if sent.event == "INTERACTION_CREATE":
            await self.gateway.dispatch(sent.event, lambda _: sent.payload)
        else:
            await self.tell_message(sent.event, self._message(sent))
        return sent

    async def burst(self, *sendings: Any) -> list[Sent]:
        """Let many people act at once."""
        return list(await asyncio.gather(*sendings))


def _context(place: Channel) -> int:
    """GUILD, BOT_DM or PRIVATE_CHANNEL."""
    if place.guild:
        return 0
    return 1 if place.kind == DM and BOT in (place.people or ()) else 2


def _option(options: Sequence[tuple[str, str]], known: str) -> str:
    found = next((value for label, value in options if known in {label, value}), None)
    assert found is not None, f"no option {known!r} among {[label for label, _ in options]}"
    return found


def _entries(modal: Modal) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """A form's entries, each with the label or row around it."""
    return [
        (each, each["component"] if each["type"] == 18 else each["components"][0])
        for each in modal.components
        if each["type"] in {1, 18}
    ]


def _field(outer: dict[str, Any], inner: dict[str, Any]) -> Field:
    label = outer.get("label") or inner.get("label") or ""
    options = tuple((each["label"], each["value"]) for each in inner.get("options") or [])
    value, required = inner.get("value") or "", bool(inner.get("required", True))
    return Field(label, inner["custom_id"], inner["type"], value, required, options, outer.get("description") or "")
