"""The workspace as the fake keeps it: people, channels, messages, files, views, sessions; and what each reader sees."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.support.slack.rendering import Button, Rendered, render, render_view

TEAM, OTHER_TEAM = "T0HOME", "T0AWAY"
APP, BOT_USER, BOT = "A0APP", "U0BOT", "B0BOT"


class SlackError(Exception):
    """What a method answers when it can't: Slack's error name, and the fields that go with it."""

    def __init__(self, error: str, **extra: Any) -> None:
        super().__init__(error)
        self.error = error
        self.extra = extra


def invalid_arguments(*messages: str) -> SlackError:
    return SlackError("invalid_arguments", response_metadata={"messages": [f"[ERROR] {text}" for text in messages]})


@dataclass
class Member:
    """Someone with an account; ``stranger`` is of another workspace, met in a shared channel."""

    id: str
    name: str
    dm: str
    team: str = TEAM
    tz: str = "America/Los_Angeles"
    tz_offset: int = -28800
    locale: str = "en-US"
    admin: bool = False
    owner: bool = False
    restricted: bool = False
    ultra_restricted: bool = False
    stranger: bool = False
    is_bot: bool = False
    deleted: bool = False
    home: dict[str, Any] | None = None
    modals: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Channel:
    """A conversation; ``kind`` is public, private, im or mpim (direct messages of a group)."""

    id: str
    name: str
    kind: str = "public"
    members: set[str] = field(default_factory=set)
    ext_shared: bool = False
    archived: bool = False
    messages: dict[str, Message] = field(default_factory=dict)
    threads: defaultdict[str, list[Message]] = field(default_factory=lambda: defaultdict(list))

    @property
    def event_name(self) -> str:
        """The word for it in ``channel_type``."""
        return {"public": "channel", "private": "group"}.get(self.kind, self.kind)

    @property
    def shown_name(self) -> str:
        """The name that slash commands and presses carry."""
        return {"im": "directmessage", "private": "privategroup", "mpim": "privategroup"}.get(self.kind, self.name)


@dataclass
class StoredFile:
    """A file: ``data`` is None until it was uploaded, ``shared`` once it stands in a conversation."""

    id: str
    name: str
    length: int
    user: str
    title: str = ""
    mimetype: str = "application/octet-stream"
    data: bytes | None = None
    completed: bool = False
    url: str = ""
    shared: set[str] = field(default_factory=set)


@dataclass
class Stream:
    """A streaming message's life: when it began, how much it holds, and what ended it."""

    started: float
    lifetime: float
    text: str = ""
    chunk_blocks: list[dict[str, Any]] = field(default_factory=list)
    final_blocks: list[dict[str, Any]] = field(default_factory=list)
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Of a stream of chunks, its cards by their ids."""
    kind: str = ""
    """``text`` or ``chunks``, once it has either."""
    ended: str = ""
    """Empty, ``stopped``, ``expired`` or ``stopped_by_user``."""

    def state(self) -> str:
        if not self.ended and time.monotonic() - self.started >= self.lifetime:
            self.ended = "expired"
        return self.ended


@dataclass(eq=False)
class Message:
    """A post, or an ephemeral when ``ephemeral_to`` names its only reader."""

    channel: str
    ts: str
    user: str
    payload: dict[str, Any]
    """What the poster sent, as sent; a reader's message is made of ``text`` and ``blocks`` of it."""
    thread_ts: str | None = None
    ephemeral_to: str | None = None
    bot: bool = False
    team: str = TEAM
    files: list[StoredFile] = field(default_factory=list)
    stream: Stream | None = None
    edited: bool = False
    deleted: bool = False
    reactions: set[tuple[str, str]] = field(default_factory=set)
    client_msg_id: str = ""
    _seen: Seen | None = None

    @property
    def text(self) -> str:
        return self.payload.get("text") or ""

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The blocks it shows, a stream's text among them."""
        if self.payload.get("markdown_text"):
            return [{"type": "markdown", "text": self.payload["markdown_text"]}]
        if self.stream is None or self.payload.get("blocks") is not None:
            return self.payload.get("blocks") or []
        words = [{"type": "markdown", "text": self.stream.text}] if self.stream.text else []
        return [*words, *self.stream.chunk_blocks, *self.stream.final_blocks]

    def changed(self) -> None:
        self._seen = None

    def seen(self) -> Seen:
        """What its reader sees now (kept until it changes)."""
        streaming = self.stream is not None and not self.stream.state()
        if self._seen is None or self._seen.streaming != streaming:
            shown = render(self.payload, self.blocks)
            files = tuple(
                SeenFile(each.name, each.title, each.mimetype, each.data or b"", each.id) for each in self.files
            )
            self._seen = Seen(
                channel=self.channel,
                thread_ts=self.thread_ts,
                ts=self.ts,
                user=self.user,
                shown=shown,
                payload=self.payload,
                ephemeral=self.ephemeral_to is not None,
                files=files,
                edited=self.edited,
                streaming=streaming,
                tasks=tuple((each["title"], each["status"]) for each in self.stream.tasks.values())
                if self.stream
                else (),
            )
        return self._seen

    def wire(self, *, metadata: bool = False) -> dict[str, Any]:
        """The message as the Web API and payloads tell it."""
        told: dict[str, Any] = {"type": "message", "user": self.user, "ts": self.ts, "team": self.team}
        told["text"] = self.text if self.text or self.stream is None else self.stream.text
        if self.client_msg_id:
            told["client_msg_id"] = self.client_msg_id
        if self.bot:
            told |= {"bot_id": BOT, "app_id": APP}
        if self.thread_ts:
            told["thread_ts"] = self.thread_ts
        if self.blocks:
            told["blocks"] = self.blocks
        if self.payload.get("attachments"):
            told["attachments"] = self.payload["attachments"]
        if self.files:
            told["files"] = [file_wire(each) for each in self.files]
        if self.edited:
            told["edited"] = {"user": self.user, "ts": self.ts}
        if metadata and self.payload.get("metadata"):
            told["metadata"] = self.payload["metadata"]
        return told


@dataclass(frozen=True)
class SeenFile:
    """A file under a message, with its bytes."""

    name: str
    title: str
    mimetype: str
    data: bytes
    id: str


@dataclass(frozen=True)
class Seen:
    """One message as its reader sees it; ``shown`` has what became of its text."""

    channel: str
    thread_ts: str | None
    ts: str
    user: str
    shown: Rendered
    payload: dict[str, Any]
    ephemeral: bool
    files: tuple[SeenFile, ...] = ()
    edited: bool = False
    streaming: bool = False
    tasks: tuple[tuple[str, str], ...] = ()
    """The cards of a plan: what each says, and its status."""

    @property
    def text(self) -> str:
        """The words on the screen, without those on buttons."""
        return self.shown.text

    @property
    def buttons(self) -> tuple[Button, ...]:
        return self.shown.buttons

    @property
    def mentions(self) -> tuple[str, ...]:
        """Users, groups and channels that the text really names: ``U…``, ``S…``, ``C…``."""
        return self.shown.mentions

    @property
    def pings(self) -> tuple[str, ...]:
        """``channel``, ``here``, ``everyone``: alarms that the text really rings."""
        return self.shown.pings

    @property
    def links(self) -> tuple[str, ...]:
        return self.shown.links

    @property
    def labels(self) -> list[str]:
        """What its buttons say."""
        return [button.label for button in self.buttons]


@dataclass(frozen=True)
class SeenView:
    """App Home or a modal as the person sees it."""

    id: str
    callback_id: str
    title: str
    shown: Rendered
    raw: dict[str, Any]

    @property
    def text(self) -> str:
        return self.shown.text

    @property
    def buttons(self) -> tuple[Button, ...]:
        return self.shown.buttons

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.buttons]

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """The input blocks, raw."""
        return [block for block in self.raw["blocks"] if block.get("type") == "input"]

    @classmethod
    def of(cls, view: dict[str, Any]) -> SeenView:
        title = (view.get("title") or {}).get("text", "")
        return cls(view["id"], view.get("callback_id") or "", title, render_view(view), view)


@dataclass
class Session:
    """An agent session of a thread, with every status that it was given."""

    status: str
    title: str = ""
    history: list[str] = field(default_factory=list)


class Workspace:
    """Everything that the fake remembers; no rule of the Web API stands here."""

    def __init__(self) -> None:
        self.members: dict[str, Member] = {}
        self.channels: dict[str, Channel] = {}
        self.files: dict[str, StoredFile] = {}
        self.posts: list[Message] = []
        self.ephemerals: dict[tuple[str, str], Message] = {}
        self.views: dict[str, tuple[str, dict[str, Any]]] = {}
        self.sessions: dict[tuple[str, str], Session] = {}
        self.thread_statuses: dict[tuple[str, str], str] = {}
        self.prompts: dict[str, list[dict[str, str]]] = {}
        self.groups: dict[str, tuple[str, ...]] = {}
        """The members of user groups."""
        self._last_ts = 0
        self._numbers = 0
        self.members[BOT_USER] = Member(BOT_USER, "moneyminder", "", is_bot=True)

    def number(self, prefix: str) -> str:
        """A new id of that sort."""
        self._numbers += 1
        return f"{prefix}{self._numbers:08X}"

    def new_ts(self) -> str:
        """A timestamp later than every other one, to the microsecond."""
        self._last_ts = max(self._last_ts + 1, time.time_ns() // 1000)
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06d}"

    def add_member(self, user: str, name: str = "", **facts: Any) -> Member:
        """Someone, and their direct messages with the bot."""
        dm = "D" + user[1:]
        member = self.members[user] = Member(user, name or user.lower(), dm, **facts)
        if member.stranger and member.team == TEAM:
            member.team = OTHER_TEAM
        if not member.is_bot:
            self.channels[dm] = Channel(dm, "directmessage", "im", {user, BOT_USER})
        return member

    def add_channel(self, channel: str, name: str = "", *members: str, bot: bool = True, **facts: Any) -> Channel:
        """A conversation with these people, and the bot unless told otherwise."""
        inside = set(members) | ({BOT_USER} if bot else set())
        made = self.channels[channel] = Channel(channel, name or channel.lower(), members=inside, **facts)
        return made

    def post(self, channel: Channel, user: str, payload: dict[str, Any], **facts: Any) -> Message:
        """Put a message where it belongs, with a new ``ts``."""
        message = Message(channel.id, self.new_ts(), user, payload, **facts)
        self.posts.append(message)
        if message.ephemeral_to:
            self.ephemerals[channel.id, message.ts] = message
            return message
        channel.messages[message.ts] = message
        if message.thread_ts:
            channel.threads[message.thread_ts].append(message)
        if message.bot and message.thread_ts:
            self.thread_statuses.pop((channel.id, message.thread_ts), None)
        return message

    def remove(self, message: Message) -> None:
        message.deleted = True
        self.posts.remove(message)
        channel = self.channels[message.channel]
        self.ephemerals.pop((message.channel, message.ts), None)
        if channel.messages.pop(message.ts, None) and message.thread_ts:
            channel.threads[message.thread_ts].remove(message)

    def find(self, channel: str, ts: str) -> Message | None:
        """A message or an ephemeral by its place."""
        return self.channels[channel].messages.get(ts) or self.ephemerals.get((channel, ts))

    def seen_by(self, user: str) -> list[Seen]:
        """Every message in a conversation of theirs, and the ephemerals meant for them, oldest first."""
        mine = {each.id for each in self.channels.values() if user in each.members}
        return [
            message.seen()
            for message in self.posts
            if (message.channel in mine or message.ephemeral_to) and message.ephemeral_to in {None, user}
        ]

    def set_session(self, channel: str, thread_ts: str, status: str, title: str = "") -> Session:
        session = self.sessions.get((channel, thread_ts))
        if session is None:
            session = self.sessions[channel, thread_ts] = Session(status, title)
        session.status = status
        session.history.append(status)
        return session


def file_wire(file: StoredFile) -> dict[str, Any]:
    """A file as events and answers tell it."""
    kind = file.name.rpartition(".")[2].lower() or "binary"
    return {
        "id": file.id,
        "created": 1795262400,
        "timestamp": 1795262400,
        "name": file.name,
        "title": file.title or file.name,
        "mimetype": file.mimetype,
        "filetype": kind,
        "pretty_type": kind.upper(),
        "user": file.user,
        "user_team": TEAM,
        "editable": False,
        "size": file.length,
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": False,
        "url_private": file.url,
        "url_private_download": file.url.replace("/files-pri/", "/files-pri/download-", 1),
        "permalink": file.url,
        "has_rich_preview": False,
        "file_access": "visible",
    }
