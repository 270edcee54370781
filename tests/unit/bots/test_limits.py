"""The platforms' numbers: each with its source, and the same as those of the SDK where that has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextActionsBlock,
    ContextBlock,
    HeaderBlock,
    ImageBlock,
    SectionBlock,
    StaticSelectElement,
)
from slack_sdk.models.blocks.basic_components import ConfirmObject, Option
from slack_sdk.models.blocks.block_elements import InputInteractiveElement, InteractiveElement
from slack_sdk.models.views import View

import bots.limits
from bots.limits import Slack


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Slack.BLOCK_ID, Block.block_id_max_length),
        (Slack.ACTION_ID, InteractiveElement.action_id_max_length),
        (Slack.TEXT_OBJECT, SectionBlock.text_max_length),
        (Slack.HEADER, HeaderBlock.text_max_length),
        (Slack.SECTION_FIELDS, SectionBlock.fields_max_length),
        (Slack.ACTIONS_ELEMENTS, ActionsBlock.elements_max_length),
        (Slack.CONTEXT_ELEMENTS, ContextBlock.elements_max_length),
        (Slack.CONTEXT_ACTIONS_ELEMENTS, ContextActionsBlock.elements_max_length),
        (Slack.BUTTON_TEXT, ButtonElement.text_max_length),
        (Slack.BUTTON_VALUE, ButtonElement.value_max_length),
        (Slack.OPTIONS, StaticSelectElement.options_max_length),
        (Slack.OPTION_TEXT, Option.label_max_length),
        (Slack.OPTION_VALUE, Option.value_max_length),
        (Slack.PLACEHOLDER, InputInteractiveElement.placeholder_max_length),
        (Slack.IMAGE_ALT_TEXT, ImageBlock.alt_text_max_length),
        (Slack.CONFIRM_TITLE, ConfirmObject.title_max_length),
        (Slack.CONFIRM_TEXT, ConfirmObject.text_max_length),
        (Slack.VIEW_BLOCKS, View.blocks_max_length),
        (Slack.MODAL_TITLE, View.title_max_length),
        (Slack.MODAL_BUTTON, View.submit_max_length),
        (Slack.PRIVATE_METADATA, View.private_metadata_max_length),
        (Slack.CALLBACK_ID, View.callback_id_max_length),
    ],
)
def test_the_sdk_knows_the_same_numbers(ours, theirs):
    assert ours == theirs


def test_every_number_stands_below_a_source_with_a_date():
    lines = Path(bots.limits.__file__).read_text(encoding="utf-8").splitlines()
    group: list[str] = []
    for line in lines:
        if re.match(r"    # ", line):
            group = [*group, line] if group and group[-1].startswith("    #") else [line]
        elif ": Final" in line:
            assert group, line
            text = " ".join(group)
            assert re.search(r"(?<!\w)/[a-z]+/", text), line
            assert re.search(r"20\d\d|summer 2026", text), line
        elif line.strip():
            group = [*group, line] if group else group
