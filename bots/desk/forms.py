"""Forms that are filled in: what they ask for, however a platform draws them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bots.contracts import Duty
from bots.desk.account_forms import read_accounts
from bots.desk.column_forms import read_fields
from bots.desk.columns import mended, mending
from bots.desk.fields import told_problems
from bots.desk.setting_forms import read_settings
from bots.desk.settings import SAVE, preferences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bots.contracts import Content, Message
    from bots.desk.desk import Desk
    from ledger.repository import Vocabulary
    from tools.calls import Call

    ReadCategories = Callable[[Mapping[str, str], Vocabulary], Call | dict[str, str]]


async def read_form(  # noqa: PLR0913 - a form, and all that it is read by
    desk: Desk,
    form: str,
    values: Mapping[str, str],
    message: Message,
    language: str,
    *,
    most: int,
    read_categories: ReadCategories,
) -> Message | dict[str, str] | None:
    """Return what a form asks for as a message, what is wrong with it by the field, or None where it changes nothing.

    ``most`` is how many options its menus take; ``read_categories`` reads the form of a merchant's category, whose fields are
    the platform's own.

    Raises:
        ActionRefused: the file that a form of columns is about is another person's, done with, or none.
    """
    asked: Content | dict[str, str] | None
    if form == "columns":
        mend = await mending(desk, message)
        layout = read_fields(mend.table, values, most)
        asked = layout if layout is None or isinstance(layout, dict) else mended(mend, layout)
    elif form == "settings":
        asked = read_settings(values, await preferences(desk, message.person), language)
        asked = None if asked == Duty(SAVE, {}) else asked
    else:
        read = read_accounts if form == "accounts" else read_categories
        asked = read(values, (await desk.context(message.person)).vocabulary)
    if isinstance(asked, dict):
        return told_problems(asked, language)
    return None if asked is None else replace(message, content=asked)
