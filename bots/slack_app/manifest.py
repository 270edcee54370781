"""What the app's manifest asks for: the one list of scopes and events, from which the app is made in Slack."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

#: What it takes besides to know who is in a user group; the manifest does not ask for it, as few need it.
GROUPS_SCOPE: Final = "usergroups:read"
MANIFEST = Path(__file__).parents[2] / "deploy" / "slack-manifest.json"


@cache
def manifest() -> dict[str, Any]:
    """Return the manifest as it is given to Slack."""
    read: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8"))
    return read


def scopes() -> frozenset[str]:
    """Return what the bot's token must be allowed to do."""
    return frozenset(manifest()["oauth_config"]["scopes"]["bot"])
