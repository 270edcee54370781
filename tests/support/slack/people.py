"""The people's side: what someone does in Slack, as the payload that reaches the app with their signed-in identity."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tests.support.slack import payloads
from tests.support.slack.delivery import COMMAND, EVENT, INTERACTIVE, Sent
from tests.support.slack.rendering import Button
from tests.support.slack.state import APP, BOT, BOT_USER, TEAM, Channel, Member, Message, Seen, SeenView, Workspace
from tests.support.slack.surfaces import new_file, replace_view, show_modal
from tests.support.slack.validation import check_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.slack.delivery import Delivery
    from tests.support.slack.triggers import Triggers

Upload = tuple[str, bytes]


class People:
    """Each method is something a person does; it returns once that is on its way, with what was sent."""

    workspace: Workspace
    delivery: Delivery
    triggers: Triggers
    subscriptions: set[str]
    echo: bool

    def changed(self) -> None:
        raise NotImplementedError

    # -- events

    async def event(self, event: dict[str, Any], *, ext_shared: bool = False) -> Sent:
        """Any event, if the app is subscribed to it (as ``message.im`` and so on for messages)."""
        name = event["type"]
        if name == "message":
            name = {"group": "message.groups", "channel": "message.channels"}.get(event["channel_type"], "message.im")
        number = self.workspace.number("Ev")
        sent = Sent(EVENT, payloads.envelope(event, number, ext_shared=ext_shared))
        sent.channel, sent.ts = str(event.get("channel", "")), str(event.get("ts", ""))
        if name not in self.subscriptions:
            sent.delivered = False
            return sent
        return await self.delivery.deliver(sent)

    async def say(
        self,
        user: str,
        text: str,
        channel: str | None = None,
        *,
        thread_ts: str | None = None,
        files: Sequence[Upload] = (),
        twin: bool = False,
    ) -> Sent:
        """Write (in the direct messages, unless a channel is named); ``<@U0BOT>`` in a channel mentions the bot.

        ``twin`` delivers the ``message`` event of a mention as well, under another id, whatever is subscribed.
        """
        member = self.workspace.members[user]
        place = self._place(member, channel)
        stored = []
        for name, data in files:
            file = new_file(self, name, len(data), user)  # type: ignore[arg-type]
            file.data, file.completed = data, True
            file.shared.add(place.id)
            stored.append(file)
        message = self.workspace.post(
            place,
            user,
            {"text": payloads.typed(text)},
            thread_ts=thread_ts,
            team=member.team,
            files=stored,
            client_msg_id=str(uuid4()),
        )
        self.changed()
        return await self._tell(message, member, place, text, twin=twin)

    async def _tell(self, message: Message, member: Member, place: Channel, text: str, *, twin: bool) -> Sent:
        """Send the events that a new message causes."""
        plain = payloads.message_event("message", message, member, place, text)
        if place.kind == "im" or f"<@{BOT_USER}>" not in message.text:
            return await self.event(plain, ext_shared=place.ext_shared)
        mention = payloads.message_event("app_mention", message, member, place, text)
        sent = await self.event(mention, ext_shared=place.ext_shared)
        if twin:
            copy = Sent(EVENT, payloads.envelope(plain, self.workspace.number("Ev"), ext_shared=place.ext_shared))
            copy.channel, copy.ts = place.id, message.ts
            sent.twin = await self.delivery.deliver(copy)
        else:
            await self.event(plain, ext_shared=place.ext_shared)
        return sent

    async def edit(self, user: str, channel: str, ts: str, text: str) -> Sent:
        """Change one's own message; a mention that was not there before is told as a mention again."""
        member, place = self.workspace.members[user], self.workspace.channels[channel]
        message = place.messages[ts]
        assert message.user == user, "one edits one's own messages"
        before, had = message.wire(), f"<@{BOT_USER}>" in message.text
        message.payload = {**message.payload, "text": payloads.typed(text)}
        message.edited = True
        message.changed()
        self.changed()
        now = self.workspace.new_ts()
        event = self._hidden("message_changed", place, now) | {"message": message.wire(), "previous_message": before}
        sent = await self.event(event, ext_shared=place.ext_shared)
        if f"<@{BOT_USER}>" in message.text and not had and place.kind != "im":
            mention = payloads.message_event("app_mention", message, member, place, text)
            return await self.event(mention | {"edited": {"user": user, "ts": now}}, ext_shared=place.ext_shared)
        return sent

    async def delete(self, user: str, channel: str, ts: str) -> Sent:
        """Delete one's own message."""
        place = self.workspace.channels[channel]
        message = place.messages[ts]
        assert message.user == user, "one deletes one's own messages"
        self.workspace.remove(message)
        self.changed()
        event = self._hidden("message_deleted", place, self.workspace.new_ts())
        return await self.event(
            event | {"deleted_ts": ts, "previous_message": message.wire()}, ext_shared=place.ext_shared
        )

    def _hidden(self, subtype: str, place: Channel, now: str) -> dict[str, Any]:
        told = {"type": "message", "subtype": subtype, "channel": place.id, "hidden": True, "ts": now}
        return told | {"event_ts": now, "channel_type": place.event_name}

    async def bot_says(
        self, text: str, channel: str, *, thread_ts: str | None = None, itself: bool = False, subtype: bool = False
    ) -> Sent:
        """Another app's bot writes (or this one, ``itself``): events with a ``bot_id``, with the older subtype on request."""
        place = self.workspace.channels[channel]
        if not itself and "U9BOT" not in self.workspace.members:
            self.workspace.add_member("U9BOT", "otherbot", is_bot=True)
        member = self.workspace.members[BOT_USER if itself else "U9BOT"]
        message = self.workspace.post(place, member.id, {"text": text}, thread_ts=thread_ts, bot=itself)
        self.changed()
        mentioned = f"<@{BOT_USER}>" in text and place.kind != "im"
        event = payloads.message_event("app_mention" if mentioned else "message", message, member, place, text)
        event |= {"bot_id": BOT if itself else "B9BOT", "app_id": APP if itself else "A9APP"}
        if subtype:
            event |= {"subtype": "bot_message", "username": "otherbot"}
            del event["user"]
        return await self.event(event, ext_shared=place.ext_shared)

    def echo_own(self, message: Message, subtype: str = "") -> None:
        """Tell the app of its own doing in direct messages, as Slack does (``message.im`` with its ``bot_id``)."""
        place, member = self.workspace.channels[message.channel], self.workspace.members[BOT_USER]
        if not self.echo or place.kind != "im":
            return
        event = payloads.message_event("message", message, member, place, message.text) | {"bot_id": BOT, "app_id": APP}
        if subtype:
            event = self._hidden(subtype, place, self.workspace.new_ts()) | {"message": message.wire()}
        self.delivery.start(self.event(event))

    async def open_home(self, user: str, tab: str = "home") -> Sent:
        """Open the app: its Home, or its Messages tab (``tab="messages"``)."""
        member = self.workspace.members[user]
        now = self.workspace.new_ts()
        event = {"type": "app_home_opened", "user": user, "channel": member.dm, "tab": tab, "event_ts": now}
        if tab == "home" and member.home:
            event["view"] = member.home  # type: ignore[assignment]
        return await self.event(event)

    async def stop_session(
        self, user: str, channel: str, thread_ts: str, streaming_ts: Sequence[str] | None = None
    ) -> Sent:
        """Press Slack's stop button: it ends the thread's running streams, the session it leaves to the app."""
        place = self.workspace.channels[channel]
        running = [each for each in place.threads.get(thread_ts, ()) if each.stream and not each.stream.state()]
        for message in running:
            if message.stream and (streaming_ts is None or message.ts in streaming_ts):
                message.stream.ended = "stopped_by_user"
        told = [each.ts for each in running] if streaming_ts is None else list(streaming_ts)
        event = {"type": "agent_session_stopped", "user": user, "channel": channel, "thread_ts": thread_ts}
        return await self.event(event | {"streaming_message_ts": told, "event_ts": self.workspace.new_ts()})

    # -- interactions

    async def command(self, user: str, command: str, text: str = "", channel: str | None = None) -> Sent:
        """A slash command, in the direct messages unless a channel is named; never in a thread."""
        member = self.workspace.members[user]
        place = self._place(member, channel)
        trigger, url = self.triggers.new(user), self.triggers.new_url(user, place.id)
        payload = {
            "token": payloads.TOKEN,
            "team_id": TEAM,
            "team_domain": payloads.DOMAIN,
            "channel_id": place.id,
            "channel_name": place.shown_name,
            "user_id": user,
            "user_name": member.name,
            "command": command,
            "text": text,
            "api_app_id": APP,
            "is_enterprise_install": "false",
            "response_url": url,
            "trigger_id": trigger,
        }
        sent = Sent(COMMAND, payload, place.id, trigger_id=trigger, response_url=url)
        sent.on_ack = lambda done: self._show_ack(done, url)
        return await self.delivery.deliver(sent)

    def _show_ack(self, sent: Sent, url: str) -> None:
        """What a slash command's acknowledgement says is shown like an answer to its response_url."""
        if any(sent.response.get(key) for key in ("text", "blocks", "attachments")):
            self.triggers.respond(url.rpartition("/")[2], sent.response, counted=False)

    async def press(
        self,
        user: str,
        seen: Seen | SeenView,
        what: str,
        value: Any = None,
        *,
        forged: bool = False,
    ) -> Sent:
        """Press a button by its label, action id or value; in a menu, choose ``value`` (an option's value or label).

        Only a message that the person sees can be pressed, unless the press is ``forged``.
        """
        button = find_button(seen.buttons, what, value)
        member = self.workspace.members[user]
        trigger = self.triggers.new(user)
        payload = payloads.interaction("block_actions", member, trigger)
        payload |= {"actions": [payloads.action(button, value)], "state": {"values": {}}}
        sent = Sent(INTERACTIVE, payload, trigger_id=trigger)
        if isinstance(seen, SeenView):
            shown = {**seen.raw, "state": {"values": _state(seen.raw)}}
            payload |= {"container": {"type": "view", "view_id": seen.id}, "view": shown}
            return await self.delivery.deliver(sent)
        message = self.workspace.find(seen.channel, seen.ts) or _gone(seen)
        place = self.workspace.channels[seen.channel]
        if not forged:
            readable = user in place.members and message.ephemeral_to in {None, user}
            assert readable, f"{user} does not see that message"
        url = self.triggers.new_url(user, place.id, message)
        payload |= payloads.message_part(message, place) | {"response_url": url}
        sent.channel, sent.ts, sent.response_url = place.id, message.ts, url
        return await self.delivery.deliver(sent)

    async def shortcut(self, user: str, callback_id: str, on: Seen | Message | None = None) -> Sent:
        """A message shortcut on a message, or a global shortcut."""
        member = self.workspace.members[user]
        trigger = self.triggers.new(user)
        payload = payloads.interaction("message_action" if on else "shortcut", member, trigger)
        payload |= {"callback_id": callback_id, "action_ts": f"{time.time():.6f}"}
        sent = Sent(INTERACTIVE, payload, trigger_id=trigger)
        if on is None:
            return await self.delivery.deliver(sent)
        message = self.workspace.find(on.channel, on.ts)
        assert message is not None, "that message is gone"
        assert message.ephemeral_to is None, "only posted messages have shortcuts"
        place = self.workspace.channels[on.channel]
        assert user in place.members, f"{user} does not see that message"
        url = self.triggers.new_url(user, place.id, message)
        payload |= {"channel": {"id": place.id, "name": place.shown_name}, "response_url": url}
        payload |= {"message_ts": message.ts, "message": message.wire()}
        sent.channel, sent.ts, sent.response_url = place.id, message.ts, url
        return await self.delivery.deliver(sent)

    async def submit(self, user: str, values: dict[str, Any] | None = None, *, timeout: float = 10.0) -> Sent:
        """Fill in the open modal (by block id, action id or label) and submit it; returns once acknowledged.

        Inputs that are not named keep what they were given; a needed one left empty stops here, as in Slack. The
        acknowledgement's ``response_action`` is carried out and stands in ``.response_action`` and ``.errors``.
        """
        member = self.workspace.members[user]
        assert member.modals, f"{user} has no modal open"
        view = member.modals[-1]
        filled = {**view, "state": {"values": _filled(view, dict(values or {}))}}
        trigger = self.triggers.new(user)
        payload = payloads.interaction("view_submission", member, trigger) | {"view": filled, "response_urls": []}
        sent = Sent(INTERACTIVE, payload, trigger_id=trigger)
        await self.delivery.deliver(sent)
        await sent.acknowledged(timeout)
        self._after_submit(member, view, sent)
        return sent

    def _after_submit(self, member: Member, view: dict[str, Any], sent: Sent) -> None:
        kind = sent.response_action
        if kind == "errors":
            inputs = {block["block_id"] for block in view["blocks"] if block["type"] == "input"}
            assert sent.errors, "errors without any"
            assert set(sent.errors) <= inputs, f"errors of no input: {sent.errors}"
        elif kind == "update":
            replace_view(self, view, sent.response["view"])  # type: ignore[arg-type]
        elif kind == "push":
            show_modal(self, member, sent.response["view"], push=True)  # type: ignore[arg-type]
        elif kind == "clear":
            member.modals = []
        else:
            assert not kind, f"no such response_action: {kind}"
            member.modals = [each for each in member.modals if each["id"] != view["id"]]
        self.changed()

    async def close_view(self, user: str) -> Sent | None:
        """Close the open modal; the app hears of it where the view asked for that."""
        member = self.workspace.members[user]
        view = member.modals.pop()
        self.changed()
        if not view.get("notify_on_close"):
            return None
        payload = payloads.interaction("view_closed", member, "") | {"view": view, "is_cleared": False}
        return await self.delivery.deliver(Sent(INTERACTIVE, payload))

    async def options(
        self, user: str, action_id: str, value: str = "", *, seen: Seen | SeenView | None = None, timeout: float = 10.0
    ) -> list[dict[str, Any]]:
        """Type ``value`` into an external menu (of the open modal unless ``seen`` says) and return its options."""
        member = self.workspace.members[user]
        on = seen or SeenView.of(member.modals[-1])
        button = find_button(on.buttons, action_id, None)
        assert "external_select" in button.kind, f"{action_id} is no external menu"
        payload = payloads.interaction("block_suggestion", member, "")
        payload |= {"action_id": button.action_id, "block_id": button.block_id, "value": value}
        if isinstance(on, SeenView):
            payload |= {"container": {"type": "view", "view_id": on.id}, "view": on.raw}
        else:
            message = self.workspace.find(on.channel, on.ts) or _gone(on)
            payload |= payloads.message_part(message, self.workspace.channels[on.channel])
        sent = await self.delivery.deliver(Sent(INTERACTIVE, payload))
        await sent.acknowledged(timeout)
        return check_options(sent.response)

    def _place(self, member: Member, channel: str | None) -> Channel:
        place = self.workspace.channels[channel or member.dm]
        assert member.id in place.members or place.kind == "public", f"{member.id} is not in {place.id}"
        return place


def find_button(buttons: tuple[Button, ...], what: str, value: Any) -> Button:
    """The one that is meant: by label, by action id (and value), or by value."""
    fitting = [each for each in buttons if each.label == what] or [each for each in buttons if each.action_id == what]
    fitting = fitting or [each for each in buttons if each.value == what]
    exact = [each for each in fitting if value is not None and each.value == value]
    assert fitting, f"no {what!r} among {[(each.label, each.action_id) for each in buttons]}"
    return (exact or fitting)[0]


def _gone(seen: Seen) -> Message:
    """A message that a client still shows though it is no more."""
    return Message(
        seen.channel, seen.ts, BOT_USER, seen.payload, seen.thread_ts, "gone" if seen.ephemeral else None, bot=True
    )


def _state(view: dict[str, Any]) -> dict[str, Any]:
    """``state.values`` of a view as it came."""
    inputs = [block for block in view["blocks"] if block["type"] == "input"]
    return {
        block["block_id"]: {block["element"].get("action_id", ""): payloads.initial_state(block["element"])}
        for block in inputs
    }


def _filled(view: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """``state.values`` of a view once these are filled in; AssertionError where Slack's own form would not let it go."""
    state: dict[str, Any] = {}
    for block in view["blocks"]:
        element = block.get("element")
        if block["type"] != "input" or not isinstance(element, dict):
            continue
        action = element.get("action_id") or block["block_id"]
        names = [block["block_id"], action, block["label"]["text"]]
        given = next((name for name in names if name in values), None)
        entry = payloads.initial_state(element) if given is None else payloads.chosen_state(element, values.pop(given))
        empty = not [value for key, value in entry.items() if key != "type" and value]
        assert block.get("optional") or not empty, f"the form asks for {names[-1]!r}"
        text = entry.get("value")
        assert not isinstance(text, str) or len(text) <= element.get("max_length", 3000), f"{names[-1]!r} is too long"
        state[block["block_id"]] = {action: entry}
    assert not values, f"the modal has no {list(values)}"
    return state
