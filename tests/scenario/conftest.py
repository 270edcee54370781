"""Scenarios that share one bot process per module stay on one worker, so that it is started once."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name.startswith(("test_slack_", "test_discord_")):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
