"""The things that the fake keeps: people, guilds, channels, messages, files, interactions; and what a reader sees."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.rendering import Button, Menu, Names, Rendered, render, walk

if TYPE_CHECKING:
    from tests.support.discord_fake.delivery import Sent

#: The application; a modern application's bot has the same id.
APP = BOT = "100000000000000001"
APP_NAME = "Money Minder"
TEXT, DM, GROUP, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 3, 11, 12
EPHEMERAL, SUPPRESS_EMBEDS, LOADING, SILENT, COMPONENTS_V2 = 1 << 6, 1 << 2, 1 << 7, 1 << 12, 1 << 15

PERMISSIONS = {
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
}
#: What an invite link of a careful bot asks for: no moderation, no alarms.
CAREFUL = frozenset(PERMISSIONS) - {"manage_messages", "manage_threads", "mention_everyone"}


@dataclass
class User:
    """An account; ``installed``: it has added the app to itself; ``accepts_dms``: the bot may write to it."""

    id: str
    name: str
    shown: str
    bot: bool = False
    locale: str = "en-US"
    installed: bool = False
    accepts_dms: bool = True
    modal: Modal | None = None


@dataclass
class Role:
    """A role; ``mentionable`` by anyone."""

    id: str
    name: str
    mentionable: bool = False


@dataclass
class Guild:
    """A server; ``bot``: the bot is in it; ``installed``: the app's commands are."""

    id: str
    name: str
    members: dict[str, set[str]] = field(default_factory=dict)
    """The roles' ids by member."""
    roles: dict[str, Role] = field(default_factory=dict)
    bot: bool = True
    installed: bool = True
    bot_permissions: set[str] = field(default_factory=lambda: set(CAREFUL))
    external_apps: bool = True
    """Whether apps that only their user has installed may speak to everyone (USE_EXTERNAL_APPS)."""
    locale: str = "en-US"


@dataclass
class Channel:
    """A place for messages; ``people`` are its readers, None for everyone in the guild (or in the parent channel)."""

    id: str
    kind: int
    name: str = ""
    guild: str | None = None
    people: set[str] | None = None
    denied: set[str] = field(default_factory=set)
    """What the bot may not do here."""
    denied_to: dict[str, set[str]] = field(default_factory=dict)
    """What people may not do here, by their ids."""
    parent: str | None = None
    owner: str = ""
    archived: bool = False
    locked: bool = False
    auto_archive: int = 1440
    created: float = field(default_factory=time.time)
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        return self.kind in {PUBLIC_THREAD, PRIVATE_THREAD}


@dataclass
class File:
    """An attachment, with its content."""

    id: str
    name: str
    data: bytes
    channel: str
    description: str | None = None
    content_type: str | None = None
    spoiler: bool = False


@dataclass(eq=False)
class Message:
    """A message; ``ephemeral_to`` names its only reader."""

    id: str
    channel: str
    author: str
    content: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    flags: int = 0
    kind: int = 0
    nonce: str | None = None
    reply_to: Message | None = None
    allowed: dict[str, Any] | None = None
    """``allowed_mentions`` as given."""
    pings: tuple[str, ...] = ()
    mention_ids: tuple[str, ...] = ()
    mention_roles: tuple[str, ...] = ()
    mention_everyone: bool = False
    ephemeral_to: str | None = None
    interaction: Interaction | None = None
    thread: str | None = None
    created: float = field(default_factory=time.time)
    edited: float | None = None
    deleted: bool = False
    embed_links: bool = True
    """Whether its author may show previews of links."""
    _seen: Seen | None = None

    def changed(self) -> None:
        self._seen = None

    @property
    def is_loading(self) -> bool:
        return bool(self.flags & LOADING)

    def _shown_files(self) -> set[str]:
        """What a card shows of its files; the others nobody sees."""
        shown = [each for each in walk(self.components) if "items" in each or "file" in each]
        media = [item for each in shown for item in each.get("items", [])]
        return {each["media"]["url"] for each in media} | {each["file"]["url"] for each in shown if "file" in each}

    def seen(self, names: Names) -> Seen:
        """What its reader sees now (kept until it changes)."""
        if self._seen is None:
            shown = render(self, names)
            files = tuple(
                SeenFile(each.name, each.data, each.description or "", each.spoiler)
                for each in self.files
                if not self.flags & COMPONENTS_V2 or f"attachment://{each.name}" in self._shown_files()
            )
            self._seen = Seen.of(self, shown, files)
        return self._seen


@dataclass(frozen=True)
class SeenFile:
    """An attachment as its reader gets it; ``alt`` is its description."""

    name: str
    data: bytes
    alt: str = ""
    spoiler: bool = False


@dataclass(frozen=True)
class Seen:
    """A message on a reader's screen."""

    id: str
    channel: str
    user: str
    text: str
    """The words as shown: content, then embeds, then text displays; without formatting marks."""
    mentions: tuple[str, ...] = ()
    """The ids that show as a mention, ``everyone`` and ``here`` included, whether they notified anybody or not."""
    pings: tuple[str, ...] = ()
    """Whom it notified: users' and roles' ids, ``everyone``, ``here``."""
    links: tuple[str, ...] = ()
    """The addresses that Discord would make a preview of."""
    urls: tuple[str, ...] = ()
    """Every address that can be clicked."""
    buttons: tuple[Button, ...] = ()
    menus: tuple[Menu, ...] = ()
    files: tuple[SeenFile, ...] = ()
    ephemeral: bool = False
    edited: bool = False
    loading: bool = False
    """A deferred answer: "Money Minder is thinking…"."""
    silent: bool = False
    reply_to: str | None = None
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, message: Message, shown: Rendered, files: tuple[SeenFile, ...]) -> Seen:
        return cls(
            id=message.id,
            channel=message.channel,
            user=message.author,
            text=shown.text,
            mentions=shown.mentions,
            pings=message.pings,
            links=shown.links,
            urls=shown.urls,
            buttons=shown.buttons,
            menus=shown.menus,
            files=files,
            ephemeral=message.ephemeral_to is not None,
            edited=message.edited is not None,
            loading=message.is_loading,
            silent=bool(message.flags & SILENT),
            reply_to=message.reply_to.id if message.reply_to else None,
            raw={"content": message.content, "embeds": message.embeds, "components": message.components},
        )

    def button(self, what: str) -> Button:
        """The button with this label or custom id."""
        for button in self.buttons:
            if what in {button.label, button.custom_id}:
                return button
        raise AssertionError(f"no button {what!r} among {[each.label for each in self.buttons]}")


@dataclass
class Modal:
    """A form in front of someone; ``source`` is the interaction that opened it."""

    title: str
    custom_id: str
    components: list[dict[str, Any]]
    source: Interaction


@dataclass(eq=False)
class Interaction:
    """One interaction's life: not answered, answered (``answer_type``), and what its token made."""

    id: str
    token: str
    kind: int
    user: str
    channel: str
    payload: dict[str, Any]
    sent: Sent
    user_install_only: bool = False
    """Five follow-ups are the most. Discord says "isn't installed in the server", and that this means no GUILD_INSTALL among
    the owners; a private channel is taken for such a place too."""
    started: float = field(default_factory=time.monotonic)
    answer_type: int | None = None
    original: Message | None = None
    source: Message | None = None
    """The message that a pressed component stands on."""
    made: list[Message] = field(default_factory=list)
    follow_ups: int = 0
