"""The App Home: one person's own figures, their latest imports and settings, and what can be changed there.

Nobody but that person sees their Home. It is drawn anew whenever it is opened, so what changes in between shows up then.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bots.bars import bar_lines
from bots.cleaning import clean
from bots.desk.setting_forms import TITLE, shown_setting
from bots.desk.talking import PRIVATE
from bots.fallback import shorten
from bots.import_words import counted, dated, names, on_one_line
from bots.limits import Slack
from bots.slack_app.buttons import rows_of_buttons
from bots.slack_app.parts import code_lines, paragraphs, plain_text
from graph.answers import told_button
from graph.reply import Action, Text
from language.catalogue import say, translated
from ledger.preferences import PREFERENCES
from tools.results import Chart
from tools.wording import day, day_range, money

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bots.desk.overview import Overview
    from bots.slack_app.parts import Block
    from graph.reply import Reply
    from ledger.batches import Batch
    from tools.apps.accounts import AccountLine

    Tell = Callable[[str], str]

_LONGEST_NAME = 80
_ACCOUNTS = 12
#: A text of an answer, which is a line or two; Slack refuses a Home of more than about 250,000 characters of JSON.
_LONGEST_TEXT = 1000

_SOURCES = "Ask in the Messages tab. Answers come from the files that you bring, and from nothing else."
_HOW_TO_BEGIN = (
    "Export a CSV or OFX file from your bank and drop it in the Messages tab.\n"
    "You see what it holds before anything is imported, and can take it back."
)
#: What can be asked by a press: what the button says, and the question that it asks in the Messages tab, in whose words the
#: answer stands there; no reply is stored that could tell what a button of the Home means.
_ASKED = (
    ("This month against last", "Compare this month with last month"),
    ("What recurs", "List my recurring payments"),
    ("What is due next", "What is due next?"),
)
_HELP, _BRING = Action("What I can ask", "help"), Action("Bring a file", "import")
_TRY = Action("Try with made-up data", "sample")
_UNDO = "“undo” in the Messages tab takes the latest import back."
_SWITCHED_OFF = "Summaries are switched off, so no figures are shown here."
_NO_SETTINGS = "Everything is at its default."
_CHANGE = (
    Action("Change settings", "settings"),
    Action("Change a category", "categories"),
    Action("Change an account", "accounts"),
)
_FORGET = Action("Delete my data", "forget", "everything")
_CONFIRM = {
    "title": "Delete my data?",
    "text": (
        "This means your transactions, conversations, notes and settings. The Messages tab then shows how much that is "
        "and asks once more; until you say yes there, nothing is deleted."
    ),
    "confirm": "Continue",
}


def home_view(overview: Overview, *, writes: bool = True, metadata: str = "") -> dict[str, Any]:
    """Return a person's App Home; ``metadata`` is the note of the conversation in which its buttons are answered."""
    tell = partial(translated, language=overview.language)
    shown = (_beginning if overview.is_empty else _figures)(overview, tell, writes=writes)
    blocks = [*shown, *_settings(overview, tell), *_buttons(overview, writes=writes)]
    blocks += [_context(tell(PRIVATE)), _context(tell(_SOURCES)), *_deletion(overview.language)]
    view: dict[str, Any] = {"type": "home", "blocks": blocks[: Slack.VIEW_BLOCKS]}
    return {**view, "private_metadata": metadata} if metadata else view


def notice_home(sentence: str) -> dict[str, Any]:
    """Return a Home that says something and shows nothing."""
    return {"type": "home", "blocks": [*_paragraph(sentence)]}


def _beginning(overview: Overview, tell: Tell, *, writes: bool) -> Iterator[Block]:
    yield _header(tell("No transactions yet"))
    yield from _paragraph(tell(_HOW_TO_BEGIN))
    yield from _row([_TRY, _HELP] if writes else [_HELP], overview)


def _figures(overview: Overview, tell: Tell, *, writes: bool) -> Iterator[Block]:
    if overview.this_month is not None:
        yield from _title(overview.this_month.headline)
        notes = [text.text for text in _texts(overview.this_month, "definition")]
        for line in filter(None, (overview.compared, *notes)):
            yield _context(shorten(clean(line), _LONGEST_TEXT))
        yield from _rows(overview.this_month, overview)
    asked = [Action(label, "ask", tell(question)) for label, question in _ASKED]
    yield from _row([*asked, _HELP, _BRING] if writes else [*asked, _HELP], overview)
    if overview.last_month is not None:
        yield {"type": "divider"}
        yield from _paragraph(shorten(clean(overview.last_month.headline), _LONGEST_TEXT), bold=True)
        yield from _rows(overview.last_month, overview)
    if overview.this_month is None and overview.last_month is None:
        yield from _paragraph(tell(_SWITCHED_OFF))
    if overview.chart is not None and overview.chart.labels:
        yield {"type": "divider"}
        yield from _chart(overview.chart, overview)
    yield from _accounts(overview, tell)
    yield from _imports(overview, tell)


def _texts(reply: Reply, role: str) -> list[Text]:
    return [block for block in reply.blocks if isinstance(block, Text) and block.role == role]


def _rows(reply: Reply, overview: Overview) -> Iterator[Block]:
    """Yield what an answer's chart shows, or its details where there is none."""
    chart = next((block for block in reply.blocks if isinstance(block, Chart)), None)
    if chart is not None:
        yield from code_lines(bar_lines(chart, overview.locale, overview.language))
    for text in _texts(reply, "details"):
        yield from _paragraph(shorten(clean(text.text), _LONGEST_TEXT))


def _chart(chart: Chart, overview: Overview) -> Iterator[Block]:
    yield from _paragraph(on_one_line(chart.title), bold=True)
    yield from code_lines(bar_lines(chart, overview.locale, overview.language))


def _accounts(overview: Overview, tell: Tell) -> Iterator[Block]:
    if not overview.accounts:
        return
    yield {"type": "divider"}
    yield from _paragraph(tell("Accounts"), bold=True)
    lines = [_account(line, overview.locale, tell) for line in overview.accounts[:_ACCOUNTS]]
    others = len(overview.accounts) - _ACCOUNTS
    if others > 0:
        more = counted(others, "more account", overview.locale)
        lines.append(tell(say("{accounts}: “accounts” in the Messages tab lists them.", accounts=more)))
    yield from _paragraph("\n".join(lines))


def _account(line: AccountLine, locale: str, tell: Tell) -> str:
    parts = [line.type, counted(line.count, "transaction", locale)]
    if line.last is not None:
        parts.append(say("up to {day}", day=dated(line.last)))
    if line.balance is not None and line.as_of is not None:
        parts.append(say("{amount} as of {day}", amount=money(line.balance, locale), day=dated(line.as_of)))
    return f"{on_one_line(line.name, _LONGEST_NAME)}: {' · '.join(tell(part) for part in parts if part)}"


def _imports(overview: Overview, tell: Tell) -> Iterator[Block]:
    if not overview.imports:
        return
    yield {"type": "divider"}
    yield from _paragraph(tell("Latest imports"), bold=True)
    zone = _zone(overview.settings)
    yield from _paragraph("\n".join(_import(batch, zone, overview, tell) for batch in overview.imports))
    yield _context(tell(_UNDO))


def _import(batch: Batch, zone: ZoneInfo | None, overview: Overview, tell: Tell) -> str:
    parts: list[str] = [tell(names(batch.files)), tell(counted(batch.count, "transaction", overview.locale))]
    if batch.first is not None and batch.last is not None:
        parts.append(day_range(batch.first, batch.last, overview.language))
    imported = day(batch.imported_at.astimezone(zone).date(), overview.language)
    return f"{imported}: {' · '.join(filter(None, parts))}"


def _zone(settings: Sequence[tuple[str, str]]) -> ZoneInfo | None:
    """Return the person's time zone; None is the machine's."""
    with suppress(ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(dict(settings)["time_zone"]) if "time_zone" in dict(settings) else None
    return None


def _settings(overview: Overview, tell: Tell) -> Iterator[Block]:
    yield {"type": "divider"}
    yield from _paragraph(tell(TITLE), bold=True)
    labels = {name: tell(preference.label) for name, preference in PREFERENCES.items()}
    shown = (
        (labels.get(name, name), shown_setting(name, value, overview.language)) for name, value in overview.settings
    )
    lines = [f"{on_one_line(label, _LONGEST_NAME)}: {on_one_line(value, _LONGEST_NAME)}" for label, value in shown]
    yield from _paragraph("\n".join(lines) or tell(_NO_SETTINGS))


def _buttons(overview: Overview, *, writes: bool) -> Iterator[Block]:
    change = _CHANGE[:1] if overview.is_empty else _CHANGE
    yield from _row(change, overview) if writes else ()


def _row(actions: Sequence[Action], overview: Overview) -> Iterator[Block]:
    told = [replace(each, label=told_button(each.label, overview.language)) for each in actions]
    for elements in rows_of_buttons([told]):
        yield {"type": "actions", "elements": elements}


def _deletion(language: str) -> Iterator[Block]:
    """Yield the last row, apart from what is pressed every day."""
    texts = {name: plain_text(translated(text, language)) for name, text in _CONFIRM.items()}
    texts["deny"] = plain_text(told_button("Cancel", language))
    for elements in rows_of_buttons([(replace(_FORGET, label=told_button(_FORGET.label, language)),)]):
        del elements[-1]["style"]  # what is red here is what the dialog asks
        elements[-1]["confirm"] = {**texts, "style": "danger"}
        yield {"type": "actions", "elements": elements}


def _title(text: str) -> Iterator[Block]:
    line = clean(text).strip()
    if 0 < len(line) <= Slack.HEADER and "\n" not in line:
        yield _header(line)
    else:
        yield from _paragraph(shorten(line, _LONGEST_TEXT), bold=True)


def _header(text: str) -> Block:
    return {"type": "header", "text": plain_text(text)}


def _paragraph(text: str, **style: bool) -> Iterator[Block]:
    for part in paragraphs(text, **style):
        yield from part.blocks


def _context(text: str) -> Block:
    return {"type": "context", "elements": [plain_text(text.strip() or "…")]}
