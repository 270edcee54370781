"""What the platforms take: every number of theirs once, with where it stands and when that was read.

Lengths are in characters, sizes in bytes, times in seconds. Where sources disagree, the number is the smaller one.
"""

from __future__ import annotations

from typing import Final

# Pages of docs.slack.dev are named by their path.


class Slack:
    """Slack's numbers."""

    # Messages. /reference/methods/chat.postMessage and /reference/block-kit/blocks, captured by 2026-09-14.
    BLOCKS: Final = 50
    """Blocks of one message."""
    TEXT: Final = 4_000
    """The top-level text. The page advises it, and beyond it there is ``msg_too_long`` in spite of the 40,000 that it
    names (github.com/seratch/ChatGPT-in-Slack/issues/102, 2024-10; F3-Nation/archive-slackblast/issues/64, 2024-08)."""
    BLOCKS_TEXT: Final = 12_000
    """What all blocks of a message say, their JSON counted. Undocumented: ``msg_blocks_too_long`` comes at about 13,200
    characters of JSON, or 11,341 of text (github.com/slackapi/bolt-js/issues/2509, 2025-04, and 2867, 2026-04)."""
    MESSAGE_SIZE: Final = 40_000
    """Everything that one message grows to, edits and streams included (github.com/agno-agi/agno/issues/7219, 2026)."""

    # Parts of blocks. /reference/block-kit/blocks/*, block-elements/* and composition-objects/*, captured by 2026-09-14; those
    # that slack_sdk.models checks as well are the same in slack-sdk 3.47.0.
    BLOCK_ID: Final = 255
    ACTION_ID: Final = 255
    TEXT_OBJECT: Final = 3_000
    """A text object, and so a section's text and an element of a context."""
    RICH_TEXT: Final = 3_000
    """One rich text block. No limit is documented; this is the text object's."""
    HEADER: Final = 150
    SECTION_FIELDS: Final = 10
    ACTIONS_ELEMENTS: Final = 25
    CONTEXT_ELEMENTS: Final = 10
    CONTEXT_ACTIONS_ELEMENTS: Final = 5
    BUTTON_TEXT: Final = 75
    BUTTON_VALUE: Final = 2_000
    OPTIONS: Final = 100
    OPTION_TEXT: Final = 75
    OPTION_VALUE: Final = 150
    PLACEHOLDER: Final = 150
    IMAGE_ALT_TEXT: Final = 2_000
    CONFIRM_TITLE: Final = 100
    CONFIRM_TEXT: Final = 300

    # /reference/block-kit/blocks/data-table-block, an undated capture of summer 2026. That of 2026-09-14 has 200 rows and
    # 20,000 characters, which a workspace that still has the older numbers would refuse.
    TABLE_ROWS: Final = 100
    """Rows of a native table, its header not counted."""
    TABLE_COLUMNS: Final = 20
    TABLE_TEXT: Final = 10_000
    """All cells of all native tables of a message."""

    # /reference/block-kit/blocks/data-visualization-block, an undated capture of summer 2026.
    CHART_TITLE: Final = 50
    CHART_LABEL: Final = 20
    """A category's label, and a series' name."""
    CHART_CATEGORIES: Final = 20
    CHARTS: Final = 2
    """Native charts of one message. Undocumented (github.com/vercel/chat/pull/696, 2026-07)."""

    # Modals and the App Home. /reference/views, captured by 2026-09-14; the same in slack-sdk 3.47.0.
    VIEW_BLOCKS: Final = 100
    MODAL_TITLE: Final = 24
    MODAL_BUTTON: Final = 24
    """What its submit and close buttons say."""
    PRIVATE_METADATA: Final = 3_000
    CALLBACK_ID: Final = 255

    # Streams. /reference/methods/chat.startStream, appendStream and stopStream, captured by 2026-09-14.
    STREAM_CHUNK: Final = 12_000
    """``markdown_text`` of one call."""
    TASK: Final = 256
    """A field of a ``task_update`` or ``plan_update`` chunk. Longer ones were taken in 2026-09 (github.com/vercel/chat/
    pull/886)."""
    STREAM_TEXT: Final = 30_000
    """What one stream is given before the next one begins, well below MESSAGE_SIZE."""
    STREAM_SECONDS: Final = 240
    """How long one stream is used. Slack ends it after about 300; undocumented (github.com/slackapi/python-slack-sdk/
    issues/1859 and node-slack-sdk/issues/2702, 2026)."""

    # Agents. /ai/developing-agents and /reference/methods/agents.sessions.*, assistant.threads.*, captured by 2026-09-14.
    SUGGESTED_PROMPTS: Final = 4
    LOADING_MESSAGES: Final = 10
    STATUS_SECONDS: Final = 120
    """How long the older status text holds while no message comes."""

    # Events and interactions. /apis/events-api, /interactivity/handling-user-interaction, /authentication/
    # verifying-requests-from-slack and /apis/events-api/using-socket-mode, captured by 2026-09-14.
    TRIGGER_SECONDS: Final = 3
    """How long a ``trigger_id`` opens a modal, once."""


# Pages of docs.discord.com are named by their path, as they stand in github.com/discord/discord-api-docs at c98d64b
# (2026-08-06). Characters are code points there (github.com/discord/discord-api-docs/issues/1315, 2020-01).


class Discord:
    """Discord's numbers."""

    # Messages. /developers/resources/message, 2026-08-06.
    CONTENT: Final = 2_000
    NONCE: Final = 25
    ALT_TEXT: Final = 1_024
    """What describes an attachment."""

    # Files. /developers/reference (uploading files), 2026-08-06.
    FILES: Final = 10
    """Attachments of one message. Undocumented but by discord.py 2.7.1, at ``Messageable.send``."""
    FILE_SIZE: Final = 10 * 1024 * 1024
    """One file, where an interaction's ``attachment_size_limit`` does not allow more."""

    # Components. /developers/components/reference, 2026-08-06.
    ROWS: Final = 5
    """Rows of buttons of one message."""
    ROW_BUTTONS: Final = 5
    CUSTOM_ID: Final = 100
    BUTTON_LABEL: Final = 80
    BUTTON_SHOWN: Final = 34
    """So much of a label the page advises, with an icon; clients cut what is longer."""
    OPTIONS: Final = 25
    OPTION_LABEL: Final = 100
    INPUT_PLACEHOLDER: Final = 100
    """What stands in an empty text input."""
    LABEL: Final = 45
    LABEL_DESCRIPTION: Final = 100
    UPLOADS: Final = 10
    """Files of one upload in a modal."""

    # Interactions. /developers/interactions/receiving-and-responding, 2026-08-06.
    FOLLOWUPS: Final = 5
    """Follow-ups of one interaction where the app is installed by its user alone."""
    CHOICES: Final = 25
    """What autocomplete offers."""

    # Commands. /developers/interactions/application-commands, 2026-08-06.
    COMMAND_NAME: Final = 32
    COMMAND_DESCRIPTION: Final = 100
    COMMAND_OPTIONS: Final = 25
    """Options of a command or subcommand, and the subcommands of a command."""
    COMMAND_TEXT: Final = 8_000
    """Names, descriptions and values of one command, all that belongs to it counted."""
    CHOICE_NAME: Final = 100
