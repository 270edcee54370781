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

from bots.cleaning import clean


def escape(text: str) -> str:
    """Return the text, cleaned, as mrkdwn source that shows it as it is."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
