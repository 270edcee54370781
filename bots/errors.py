"""What can go wrong between a platform and a turn.

    BotError
    ├── InboxUnavailable      a message could not be stored, so it must not be acknowledged
    ├── LeaseHeld             another process serves this database
    ├── LeaseLost             this process served the database, and another one does now
    ├── AlreadyReceived       a message that waits for its outcome in process was accepted before
    ├── NotAdmitted           somebody who may not use the bot, or not in this place
    ├── ActionRefused         a press of a confirmation that is foreign, expired, used or altered
    ├── AttachmentUnavailable a file that the platform no longer hands over
    ├── SendFailed            a reply did not get through now; may be tried again
    ├── SendRefused           a reply that the platform won't take
    │   └── PublicationUnclear what may stand in a channel or not, where nobody can look
    ├── CommandError          a command that can't be done
    └── UnreadableRecord      a stored message or reply that this version can't read

``message`` is one clear sentence, safe to show to a person; the cause is for the log.
"""

from __future__ import annotations

import traceback

#: What is said where a setting switches every change off.
NO_CHANGES = "Nothing can be changed in this installation."
NOBODY_ELSE = "Nobody else is here, so there is nobody to share this with."


class BotError(Exception):
    """Base of all errors that the bots raise on purpose."""

    def __init__(self, message: str) -> None:
        """Keep the sentence that may be shown to a person."""
        super().__init__(message)
        self.message = message


class InboxUnavailable(BotError):
    """The message is not stored; the platform should deliver it again."""


class LeaseHeld(BotError):
    """Somebody else serves this database; the sentence says for how long at most without a sign of life."""


class LeaseLost(BotError):
    """Nothing may be claimed, finished or sent any more: somebody else does that now."""


class AlreadyReceived(BotError):
    """The message was accepted before and is not answered a second time."""


class NotAdmitted(BotError):
    """The person may not use the bot there; the sentence says why. ``language`` is theirs, as their platform tells it."""

    def __init__(self, message: str, language: str | None = None) -> None:
        """Keep the sentence and the language."""
        super().__init__(message)
        self.language = language


class ActionRefused(BotError):
    """The press does nothing; the sentence says why."""


class AttachmentUnavailable(BotError):
    """The file can't be fetched (any more)."""


class SendFailed(BotError):
    """The platform did not take the reply now; ``retry_after`` is its wish in seconds, if it had one."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """Keep the sentence and the seconds to wait."""
        super().__init__(message)
        self.retry_after = retry_after


class SendRefused(BotError):
    """The platform won't take this reply however often it is sent (a deleted channel, a blocked bot).

    ``about_us`` is whether that is for our token or what it may do, not for the reply: mended, the platform takes it.
    """

    about_us = False
    code: str | int = ""
    """The platform's own word or number, where it said one."""


class PublicationUnclear(SendRefused):
    """What was to be posted for everyone may stand there or not; trying again could post it twice."""


class CommandError(BotError):
    """A command that can't be done; the sentence says why."""


class UnreadableRecord(BotError):
    """The stored text is no record that this version knows."""


def outline(error: BaseException) -> str:
    """Say for the log what went wrong and where, but not in the error's words, which may hold what a person said."""
    steps = [
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
    ]
    cause = error.__cause__ or error.__context__
    outer = f"{type(error).__name__} at {' > '.join(steps[-4:]) or 'nowhere'}"
    return f"{outer}, from {outline(cause)}" if cause is not None and cause is not error else outer
