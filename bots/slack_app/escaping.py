"""Text for Slack in which nothing pings, links or turns around.

Two kinds of fields take text from us, and neither reads markup in it:

- ``plain_text`` objects, ``raw_text`` and ``raw_number`` cells, and ``text`` elements of rich text. Mentions, links and
  emoji are elements of their own type there (``user``, ``broadcast``, ``link``, ``emoji``), and what stands in a ``text``
  element is shown as it is: docs.slack.dev/reference/block-kit/blocks/rich-text-block (captured by 2026-09-14); people who put
  "<!here>", addresses or ":smile:" there found just that (github.com/shaharia-lab/slackcli/issues/68, 2026-06;
  github.com/stablyai/agent-slack/issues/90, 2026-05). They need :func:`clean` only.
- The message's top-level ``text``, sent with ``mrkdwn`` and ``link_names`` off and ``parse`` "none". There "<…>" is read
  nevertheless, so it needs :func:`escape`: docs.slack.dev/messaging/formatting-message-text#escaping (captured by 2026-09-14).
"""

from __future__ import annotations

import re

_SPACES = re.compile("[\t\x0b\x0c\u2028\u2029]")
_LINE_ENDS = re.compile("\r\n?")
#: Control characters but the line's end, marks that turn the direction of text, and halves of characters, which are no
#: valid UTF-8.
_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the text without control characters and bidirectional marks; the ends of lines stay."""
    return _DROPPED.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text)))


def escape(text: str) -> str:
    """Return the text, cleaned, as mrkdwn source that shows it as it is."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
