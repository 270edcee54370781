"""What Block Kit allows, as data: each object's keys and how long or how many each may be.

The numbers are Slack's own, read from docs.slack.dev (block-kit reference, autumn 2026) and written here a second time
on purpose: the program's table of limits is not imported, so a wrong number there fails a test. Where captures of the
documentation disagree, the smaller number stands (charts: 6 series and 6 segments; tables: 100 rows and a header).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

#: A problem is a place (a JSON pointer) and what is wrong there.
Problems = list[str]
Check = Callable[[Problems, str, Any], None]

NATIVE = ("data_table", "data_visualization")
CHART_PARTS = 6
CHARTS_A_MESSAGE = 2


def wrong(problems: Problems, where: str, what: str) -> None:
    problems.append(f"{what} [json-pointer:{where}]")


class Need:
    """Marks a key that must be there."""

    def __init__(self, check: Check) -> None:
        self.check = check


def string(most: int = 10**9, least: int = 1) -> Check:
    def check(problems: Problems, where: str, value: Any) -> None:
        if not isinstance(value, str):
            wrong(problems, where, "must be a string")
        elif len(value) > most:
            wrong(problems, where, f"must be less than {most + 1} characters")
        elif len(value) < least:
            wrong(problems, where, f"must be more than {least - 1} characters")

    return check


def one_of(*words: str) -> Check:
    def check(problems: Problems, where: str, value: Any) -> None:
        if value not in words:
            wrong(problems, where, f"must be one of {', '.join(words)}")

    return check


def number(least: float | None = None, most: float | None = None, *, whole: bool = False) -> Check:
    def check(problems: Problems, where: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or value != value:
            wrong(problems, where, "must be an integer" if whole else "must be a number")
        elif (least is not None and value < least) or (most is not None and value > most):
            wrong(problems, where, f"must be between {least} and {most}")

    return check


def flag(problems: Problems, where: str, value: Any) -> None:
    if not isinstance(value, bool):
        wrong(problems, where, "must be a boolean")


def anything(problems: Problems, where: str, value: Any) -> None:
    """No rule of ours."""


def items(check: Check, most: int, least: int = 1) -> Check:
    def check_all(problems: Problems, where: str, value: Any) -> None:
        if not isinstance(value, list):
            return wrong(problems, where, "must be an array")
        if len(value) > most:
            return wrong(problems, where, f"no more than {most} items allowed")
        if len(value) < least:
            return wrong(problems, where, f"at least {least} items required")
        for index, item in enumerate(value):
            check(problems, f"{where}/{index}", item)
        return None

    return check_all


def shape(**keys: Check | Need) -> Check:
    needed = [key.rstrip("_") for key, check in keys.items() if isinstance(check, Need)]
    checks = {key.rstrip("_"): check.check if isinstance(check, Need) else check for key, check in keys.items()}

    def check_object(problems: Problems, where: str, value: Any) -> None:
        if not isinstance(value, dict):
            return wrong(problems, where, "must be an object")
        for key in needed:
            if value.get(key) is None:
                wrong(problems, where, f"missing required field: {key}")
        for key, inner in value.items():
            if key == "type" and key not in checks:
                continue
            if key not in checks:
                wrong(problems, where, f"invalid additional property: {key}")
            elif inner is not None:
                checks[key](problems, f"{where}/{key}", inner)
        return None

    return check_object


def by_type(shapes: dict[str, Check], what: str) -> Check:
    def check(problems: Problems, where: str, value: Any) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in shapes:
            return wrong(problems, where, f"unsupported type of {what}: {kind}")
        return shapes[kind](problems, where, value)

    return check


def plain(most: int, least: int = 1) -> Check:
    return by_type({"plain_text": shape(text=Need(string(most, least)), emoji=flag)}, "text, plain_text is needed")


def words(most: int) -> Check:
    kinds = {
        "plain_text": shape(text=Need(string(most)), emoji=flag),
        "mrkdwn": shape(text=Need(string(most)), verbatim=flag),
    }
    return by_type(kinds, "text")


def url(most: int = 3000) -> Check:
    def check(problems: Problems, where: str, value: Any) -> None:
        string(most)(problems, where, value)
        if isinstance(value, str) and not re.match(r"(?:https?|mailto|slack):", value):
            wrong(problems, where, "must be a valid URL")

    return check


CONFIRM = shape(
    title=Need(plain(100)),
    text=Need(words(300)),
    confirm=Need(plain(30)),
    deny=Need(plain(30)),
    style=one_of("primary", "danger"),
)
OPTION = shape(text=Need(words(75)), value=Need(string(150)), description=words(75), url=url())
GROUP = shape(label=Need(plain(75)), options=Need(items(OPTION, 100)))
ACTION_ID = string(255)
_ASKED = {"action_id": ACTION_ID, "confirm": CONFIRM, "focus_on_load": flag}
_MENU = {**_ASKED, "placeholder": plain(150)}
_FILE = shape(id=string(), url=url())
_DISPATCH = shape(trigger_actions_on=Need(items(one_of("on_enter_pressed", "on_character_entered"), 2)))


def _choice(**keys: Check | Need) -> Check:
    """A menu with options of its own: exactly one of options and option_groups."""
    check = shape(**_MENU, options=items(OPTION, 100), option_groups=items(GROUP, 100), **keys)

    def check_choice(problems: Problems, where: str, value: Any) -> None:
        check(problems, where, value)
        if isinstance(value, dict) and ("options" in value) == ("option_groups" in value):
            wrong(problems, where, "either options or option_groups is needed")

    return check_choice


_FEEDBACK_SIDE = shape(text=Need(plain(75)), value=Need(string(2000)), accessibility_label=string(75))
_MANY = {"max_selected_items": number(1, whole=True)}
_TEXT_ENTRY: dict[str, Check | Need] = {
    "action_id": ACTION_ID,
    "initial_value": string(least=0),
    "placeholder": plain(150),
    "focus_on_load": flag,
    "dispatch_action_config": _DISPATCH,
}

IMAGE_ELEMENT = shape(alt_text=Need(string(2000)), image_url=url(), slack_file=_FILE)
ELEMENTS: dict[str, Check] = {
    "button": shape(
        text=Need(plain(75)),
        action_id=ACTION_ID,
        url=url(),
        value=string(2000),
        style=one_of("primary", "danger"),
        confirm=CONFIRM,
        accessibility_label=string(75),
        agent_prompt=string(4000),
    ),
    "static_select": _choice(initial_option=OPTION),
    "multi_static_select": _choice(initial_options=items(OPTION, 100), **_MANY),
    "external_select": shape(**_MENU, initial_option=OPTION, min_query_length=number(0, whole=True)),
    "multi_external_select": shape(
        **_MENU, **_MANY, initial_options=items(OPTION, 100), min_query_length=number(0, whole=True)
    ),
    "users_select": shape(**_MENU, initial_user=string()),
    "conversations_select": shape(
        **_MENU,
        initial_conversation=string(),
        filter=anything,
        default_to_current_conversation=flag,
        response_url_enabled=flag,
    ),
    "channels_select": shape(**_MENU, initial_channel=string(), response_url_enabled=flag),
    "overflow": shape(action_id=ACTION_ID, options=Need(items(OPTION, 5)), confirm=CONFIRM),
    "datepicker": shape(**_MENU, initial_date=string(10)),
    "timepicker": shape(**_MENU, initial_time=string(5), timezone=string()),
    "datetimepicker": shape(**_ASKED, initial_date_time=number(whole=True)),
    "checkboxes": shape(**_ASKED, options=Need(items(OPTION, 10)), initial_options=items(OPTION, 10)),
    "radio_buttons": shape(**_ASKED, options=Need(items(OPTION, 10)), initial_option=OPTION),
    "plain_text_input": shape(
        **_TEXT_ENTRY, multiline=flag, min_length=number(0, 3000, whole=True), max_length=number(1, 3000, whole=True)
    ),
    "email_text_input": shape(**_TEXT_ENTRY),
    "url_text_input": shape(**_TEXT_ENTRY),
    "number_input": shape(**_TEXT_ENTRY, is_decimal_allowed=Need(flag), min_value=string(), max_value=string()),
    "file_input": shape(action_id=ACTION_ID, filetypes=items(string(), 100), max_files=number(1, 10, whole=True)),
    "feedback_buttons": shape(
        action_id=ACTION_ID, positive_button=Need(_FEEDBACK_SIDE), negative_button=Need(_FEEDBACK_SIDE)
    ),
    "icon_button": shape(
        action_id=ACTION_ID,
        icon=Need(one_of("trash")),
        text=Need(plain(75)),
        value=string(2000),
        confirm=CONFIRM,
        accessibility_label=string(75),
        visible_to_user_ids=items(string(), 100),
    ),
    "image": IMAGE_ELEMENT,
}
_MENUS = {kind: ELEMENTS[kind] for kind in ELEMENTS if kind.endswith("_select")}
_PICKERS = {kind: ELEMENTS[kind] for kind in ("datepicker", "timepicker", "datetimepicker")}
_TICKS = {kind: ELEMENTS[kind] for kind in ("checkboxes", "radio_buttons")}
_ENTRIES = {kind: ELEMENTS[kind] for kind in ELEMENTS if kind.endswith("_input")}
_PRESSED = {kind: ELEMENTS[kind] for kind in ("button", "overflow")}
IN_ACTIONS = by_type({**_PRESSED, **_MENUS, **_PICKERS, **_TICKS}, "element in actions")
IN_SECTION = by_type({**_PRESSED, **_MENUS, **_PICKERS, **_TICKS, "image": IMAGE_ELEMENT}, "accessory")
IN_INPUT = by_type({**_MENUS, **_PICKERS, **_TICKS, **_ENTRIES}, "input element")
IN_CONTEXT = by_type(
    {
        "plain_text": shape(text=Need(string(3000)), emoji=flag),
        "mrkdwn": shape(text=Need(string(3000)), verbatim=flag),
        "image": IMAGE_ELEMENT,
    },
    "element in context",
)
IN_CONTEXT_ACTIONS = by_type(
    {kind: ELEMENTS[kind] for kind in ("feedback_buttons", "icon_button")}, "element in context_actions"
)

_RICH_PARTS = {
    "text": shape(text=Need(string()), style=anything),
    "emoji": shape(name=Need(string()), unicode=string(), skin_tone=anything, style=anything),
    "link": shape(url=Need(url()), text=string(), unsafe=flag, style=anything),
    "user": shape(user_id=Need(string()), style=anything),
    "usergroup": shape(usergroup_id=Need(string()), style=anything),
    "channel": shape(channel_id=Need(string()), style=anything),
    "broadcast": shape(range=Need(one_of("here", "channel", "everyone")), style=anything),
    "date": shape(timestamp=Need(number()), format=Need(string()), url=url(), fallback=string(), style=anything),
    "color": shape(value=Need(string())),
}
_PARTS = items(by_type(_RICH_PARTS, "rich text"), 10**6, 0)
_RICH = {
    "rich_text_section": shape(elements=Need(_PARTS)),
    "rich_text_preformatted": shape(elements=Need(_PARTS), border=anything, language=string()),
    "rich_text_quote": shape(elements=Need(_PARTS), border=anything),
}
_RICH["rich_text_list"] = shape(
    elements=Need(items(_RICH["rich_text_section"], 10**6, 0)),
    style=Need(one_of("bullet", "ordered")),
    indent=number(0, 8, whole=True),
    offset=number(0, whole=True),
    border=anything,
)
RICH_TEXT = shape(block_id=string(255), elements=Need(items(by_type(_RICH, "rich text element"), 10**6, 0)))
_RAW_TEXT = shape(text=Need(string()))
_RAW_NUMBER = shape(value=Need(number()), text=Need(string()))
_ANY_CELL = by_type({"raw_text": _RAW_TEXT, "raw_number": _RAW_NUMBER, "rich_text": RICH_TEXT}, "cell")


def _check_cell(problems: Problems, where: str, cell: Any) -> None:
    """A table's cells are many and mostly this one; the others are looked at closely."""
    if cell.__class__ is dict and len(cell) == 2 and cell.get("type") == "raw_text":
        text = cell.get("text")
        if text.__class__ is str and text:
            return
    _ANY_CELL(problems, where, cell)


_POINT = shape(label=Need(string(20)), value=Need(number()))
_SERIES = shape(name=Need(string(20)), data=Need(items(_POINT, 20)))
_AXIS = shape(categories=Need(items(string(20), 20)), x_label=string(50), y_label=string(50))
_XY = shape(series=Need(items(_SERIES, CHART_PARTS)), axis_config=Need(_AXIS))
_SEGMENT = shape(label=Need(string(20)), value=Need(number()))


def _xy_chart(problems: Problems, where: str, chart: Any) -> None:
    before = len(problems)
    _XY(problems, where, chart)
    if len(problems) > before:
        return
    categories, names = chart["axis_config"]["categories"], [series["name"] for series in chart["series"]]
    if len(set(names)) < len(names):
        wrong(problems, f"{where}/series", "series names must be unique")
    if len(set(categories)) < len(categories):
        wrong(problems, f"{where}/axis_config/categories", "categories must be unique")
    for index, series in enumerate(chart["series"]):
        if sorted(point["label"] for point in series["data"]) != sorted(categories):
            wrong(problems, f"{where}/series/{index}/data", "labels must match the categories, one point for each")


def _pie(problems: Problems, where: str, chart: Any) -> None:
    before = len(problems)
    shape(segments=Need(items(_SEGMENT, CHART_PARTS)))(problems, where, chart)
    if len(problems) == before and any(segment["value"] <= 0 for segment in chart["segments"]):
        wrong(problems, f"{where}/segments", "values must be greater than 0")


_CHART = by_type({"pie": _pie, "bar": _xy_chart, "line": _xy_chart, "area": _xy_chart}, "chart")


def cell_length(cell: Any) -> int:
    """How many characters a cell shows."""
    if isinstance(cell, list):
        return sum(map(cell_length, cell))
    text = cell.get("text")
    return len(text) if isinstance(text, str) else cell_length(cell.get("elements") or [])


def _rows(check: Check, most: int, least: int) -> Check:
    rows = items(items(check, 20), most, least)

    def check_rows(problems: Problems, where: str, value: Any) -> None:
        before = len(problems)
        rows(problems, where, value)
        if len(problems) == before and len({len(row) for row in value}) > 1:
            wrong(problems, where, "all rows must have the same number of cells")

    return check_rows


def _data_rows(problems: Problems, where: str, value: Any) -> None:
    _rows(_check_cell, 101, 2)(problems, where, value)
    if value and isinstance(value, list) and isinstance(value[0], list):
        for index, cell in enumerate(value[0]):
            if isinstance(cell, dict) and cell.get("type") == "rich_text":
                wrong(problems, f"{where}/0/{index}", "rich_text can't be used for header cells")


_COLUMN = shape(align=one_of("left", "center", "right"), is_wrapped=flag)
_ID = {"block_id": string(255)}
_RICH_OR_NONE = by_type({"rich_text": RICH_TEXT}, "rich text")
_TASK = shape(
    **_ID,
    task_id=Need(string()),
    title=Need(string()),
    status=Need(one_of("pending", "in_progress", "complete", "error")),
    details=_RICH_OR_NONE,
    output=_RICH_OR_NONE,
    sources=items(anything, 100, 0),
)

BLOCKS: dict[str, Check] = {
    "section": shape(**_ID, text=words(3000), fields=items(words(2000), 10), accessory=IN_SECTION, expand=flag),
    "header": shape(**_ID, text=Need(plain(150)), level=number(1, 4, whole=True)),
    "divider": shape(**_ID),
    "image": shape(**_ID, alt_text=Need(string(2000)), image_url=url(), slack_file=_FILE, title=plain(2000)),
    "context": shape(**_ID, elements=Need(items(IN_CONTEXT, 10))),
    "actions": shape(**_ID, elements=Need(items(IN_ACTIONS, 25))),
    "context_actions": shape(**_ID, elements=Need(items(IN_CONTEXT_ACTIONS, 5))),
    "input": shape(
        **_ID, label=Need(plain(2000)), element=Need(IN_INPUT), hint=plain(2000), optional=flag, dispatch_action=flag
    ),
    "markdown": shape(**_ID, text=Need(string(12000))),
    "rich_text": RICH_TEXT,
    "table": shape(**_ID, rows=Need(_rows(_check_cell, 100, 1)), column_settings=items(_COLUMN, 20, 0)),
    "data_table": shape(
        **_ID,
        rows=Need(_data_rows),
        caption=Need(string()),
        page_size=number(1, 100, whole=True),
        row_header_column_index=number(0, 19, whole=True),
    ),
    "data_visualization": shape(**_ID, title=Need(string(50)), chart=Need(_CHART)),
    "alert": shape(**_ID, text=Need(words(3000)), level=one_of("default", "info", "warning", "error", "success")),
    "task_card": _TASK,
    "plan": shape(**_ID, title=Need(string()), tasks=items(by_type({"task_card": _TASK}, "task"), 50)),
    "file": shape(**_ID, external_id=Need(string()), source=Need(one_of("remote"))),
    "video": anything,
    "card": anything,
    "carousel": anything,
    "container": anything,
}
