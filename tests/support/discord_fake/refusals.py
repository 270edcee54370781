"""What Discord answers instead: its status, its code, its words, and for a bad body the tree of what is wrong where.

Codes: https://docs.discord.com/developers/topics/opcodes-and-status-codes. Where Discord documents a code without its
HTTP status, the status is the one that public bots report.
"""

from __future__ import annotations

from typing import Any

_CODES: dict[int, tuple[int, str]] = {
    0: (404, "404: Not Found"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10014: (400, "Unknown Emoji"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20012: (403, "You are not authorized to perform this action on this application"),
    30032: (400, "Maximum number of application commands reached"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    40003: (403, "You are opening direct messages too fast"),
    40001: (401, "401: Unauthorized"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40094: (400, "This interaction has hit the maximum number of follow up messages"),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    130000: (503, "API resource is currently overloaded. Try again a little later"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "This thread is locked"),
    200000: (400, "Message was blocked by automatic moderation"),
}


class Refusal(Exception):
    """One error answer."""

    def __init__(self, code: int, status: int | None = None, message: str | None = None, **extra: Any) -> None:
        known_status, known_message = _CODES.get(code, (400, "Error"))
        super().__init__(f"{code} {message or known_message} {extra or ''}")
        self.code = code
        self.status = status or known_status
        self.message = message or known_message
        self.extra = extra
        self.headers: dict[str, str] = {}

    def body(self) -> dict[str, Any]:
        return {"message": self.message, "code": self.code if self.code != 40001 else 0, **self.extra}


class Problems:
    """What is wrong with a body, by path, as 50035 tells it."""

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {}

    def add(self, path: tuple[str | int, ...], code: str, message: str) -> None:
        node = self.tree
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_any(self) -> None:
        if self.tree:
            raise Refusal(50035, 400, "Invalid Form Body", errors=self.tree)

    # -- the checks that most fields share

    def length(self, path: tuple[str | int, ...], value: Any, most: int, least: int = 0) -> bool:
        """Check a string's length; True where it is a string that fits."""
        if not isinstance(value, str):
            self.add(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return False
        if least and not value:
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return False
        if least and not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
            return False
        if len(value) > most:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
            return False
        return True

    def count(self, path: tuple[str | int, ...], value: Any, most: int, least: int = 0) -> bool:
        """Check a list's length; True where it is a list that fits."""
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return False
        if least and not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
            return False
        if len(value) > most:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
            return False
        return True

    def choice(self, path: tuple[str | int, ...], value: Any, known: tuple[Any, ...]) -> bool:
        if value in known:
            return True
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(map(str, known))}}}.")
        return False

    def required(self, path: tuple[str | int, ...]) -> None:
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
