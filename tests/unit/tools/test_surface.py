"""What is said in one place makes sense there: no terminal on a chat platform, no chat in the terminal."""

from __future__ import annotations

import itertools

import pytest

from bots.contracts import Message
from bots.desk.importing import bringing
from tools.apps.scope import no_data
from tools.context import ToolContext
from tools.surface import AMONG_OTHERS, DIRECT, TERMINAL, Surface

COMMANDS = ("money-minder ", "terminal", "console", "on the machine", "/forget", "/sample")
SURFACES = (DIRECT, AMONG_OTHERS, TERMINAL, Surface(command="/money"))


def without_data(surface):
    result = no_data(ToolContext(None, None, None, None, surface=surface))  # type: ignore[arg-type]
    return " ".join((result.headline, *map(str, result.notes)))


SENTENCES = (bringing, without_data, lambda surface: surface.forgetting, lambda surface: surface.sample)


@pytest.mark.parametrize(("surface", "sentence"), list(itertools.product(SURFACES, SENTENCES)))
def test_nobody_is_sent_to_a_place_where_they_are_not(surface, sentence):
    words = sentence(surface)
    assert surface.terminal or not [each for each in COMMANDS if each in words]
    assert surface.drops or "drop it" not in words
    assert not surface.terminal or ("direct message" not in words and "/money" not in words)


def test_the_private_way_is_named_where_others_read():
    assert "drop it here" in bringing(DIRECT)
    assert "in a direct message" in bringing(AMONG_OTHERS)
    assert "/money import" in bringing(Surface(command="/money"))
    assert "/money sample brings made-up data" in without_data(Surface(command="/money"))
    assert Surface(command="/money").forgetting == "/money forget"
    assert "money-minder import FILE" in bringing(TERMINAL)


def test_a_message_is_the_terminals_until_a_platform_says_otherwise():
    assert Message.__dataclass_fields__["surface"].default == TERMINAL
