"""What is wrong with components: rows and buttons of classic messages, Components V2, and forms.

Numbers: https://docs.discord.com/developers/components/reference (August 2026). The names of errors are those that
public bots report; where nobody did, the nearest general one stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.rendering import walk

if TYPE_CHECKING:
    from tests.support.discord_fake.refusals import Problems

Path = tuple[str | int, ...]

ROW, BUTTON, STRING_SELECT, TEXT_INPUT, SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR = (
    1,
    2,
    3,
    4,
    9,
    10,
    11,
    12,
    13,
    14,
)
CONTAINER, LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (3, 5, 6, 7, 8)
_V2_TOP = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER)
_MOST_TOTAL, _MOST_TEXT = 40, 4000


def check_message(problems: Problems, path: Path, components: Any, *, v2: bool, files: set[str]) -> None:
    """Check a message's components."""
    if not isinstance(components, list):
        problems.count(path, components, 40)
        return
    if not v2:
        problems.count(path, components, 5)
    for index, component in enumerate(components):
        known = _V2_TOP if v2 else (ROW,)
        if _type(problems, (*path, index), component, known):
            _check(problems, (*path, index), component, files)
    everything = [
        each for each in walk([each for each in components if isinstance(each, dict)]) if isinstance(each, dict)
    ]
    _check_ids(problems, path, everything)
    if not v2:
        return
    if len(everything) > _MOST_TOTAL:
        message = f"The maximum number of components in a message is {_MOST_TOTAL}. Found {len(everything)}"
        problems.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
    if sum(len(each.get("content") or "") for each in everything if each.get("type") == TEXT_DISPLAY) > _MOST_TEXT:
        message = f"Components displayable text size exceeds maximum size of {_MOST_TEXT}"
        problems.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)


def _type(problems: Problems, path: Path, component: Any, known: tuple[int, ...]) -> bool:
    if isinstance(component, dict) and component.get("type") in known:
        return True
    choices = f"({', '.join(map(str, known))}{',' if len(known) == 1 else ''})"
    problems.add((*path, "type"), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of {choices}.')
    return False


def _check_ids(problems: Problems, path: Path, everything: list[dict[str, Any]]) -> None:
    seen: set[str] = set()
    numbers: set[int] = set()
    for component in everything:
        custom = component.get("custom_id")
        if custom and custom in seen:
            problems.add(path, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
        seen.add(custom or "")
        if number := component.get("id"):
            if number in numbers:
                problems.add(path, "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            numbers.add(number)


def number(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give every component an id, as Discord does for those that have none."""
    taken = {each["id"] for each in walk(components) if each.get("id")}
    free = iter(each for each in range(1, 1000) if each not in taken)
    for component in walk(components):
        if not component.get("id"):
            component["id"] = next(free)
    return components


def _check(problems: Problems, path: Path, component: dict[str, Any], files: set[str]) -> None:
    kind = component["type"]
    if kind == ROW:
        _check_row(problems, path, component)
    elif kind == TEXT_DISPLAY:
        problems.length((*path, "content"), component.get("content"), _MOST_TEXT, 1)
    elif kind == SECTION:
        _check_section(problems, path, component, files)
    elif kind == GALLERY:
        items = component.get("items")
        if problems.count((*path, "items"), items, 10, 1):
            for index, item in enumerate(items or []):
                _check_media(problems, (*path, "items", index, "media"), item.get("media"), files)
                if item.get("description") is not None:
                    problems.length((*path, "items", index, "description"), item["description"], 1024)
    elif kind == FILE:
        _check_media(problems, (*path, "file"), component.get("file"), files, uploaded=True)
    elif kind == THUMBNAIL:
        _check_media(problems, (*path, "media"), component.get("media"), files)
    elif kind == CONTAINER:
        inner, color = component.get("components"), component.get("accent_color")
        if color is not None and not (isinstance(color, int) and 0 <= color <= 0xFFFFFF):
            message = "int value should be less than or equal to 16777215."
            problems.add((*path, "accent_color"), "NUMBER_TYPE_MAX", message)
        if problems.count((*path, "components"), inner, 40, 1):
            for index, each in enumerate(inner or []):
                if _type(problems, (*path, "components", index), each, _V2_TOP[:-1]):
                    _check(problems, (*path, "components", index), each, files)


def _check_section(problems: Problems, path: Path, component: dict[str, Any], files: set[str]) -> None:
    texts = component.get("components")
    if problems.count((*path, "components"), texts, 3, 1):
        for index, each in enumerate(texts or []):
            if _type(problems, (*path, "components", index), each, (TEXT_DISPLAY,)):
                _check(problems, (*path, "components", index), each, files)
    accessory = component.get("accessory")
    if accessory is None:
        problems.required((*path, "accessory"))
    elif _type(problems, (*path, "accessory"), accessory, (BUTTON, THUMBNAIL)):
        if accessory["type"] == BUTTON:
            _check_button(problems, (*path, "accessory"), accessory)
        else:
            _check(problems, (*path, "accessory"), accessory, files)


def _check_media(problems: Problems, path: Path, media: Any, files: set[str], *, uploaded: bool = False) -> None:
    url = media.get("url") if isinstance(media, dict) else None
    if not isinstance(url, str):
        problems.required((*path, "url"))
    elif url.startswith("attachment://"):
        name = url.removeprefix("attachment://")
        if name not in files:
            message = f"The referenced attachment '{name}' was not found."
            problems.add((*path, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)
    elif uploaded or not url.startswith(("http://", "https://")):
        schemes = "('attachment',)" if uploaded else "('http', 'https', 'attachment')"
        problems.add(
            (*path, "url"),
            "URL_TYPE_INVALID_SCHEME",
            f'Scheme "{url.partition(":")[0]}" is not supported. Scheme must be one of {schemes}.',
        )


def _check_row(problems: Problems, path: Path, row: dict[str, Any]) -> None:
    inner = row.get("components")
    if not isinstance(inner, list) or not inner or len(inner) > 5:
        problems.count((*path, "components"), inner, 5, 1)
        return
    for index, component in enumerate(inner):
        here = (*path, "components", index)
        if not _type(problems, here, component, (BUTTON, *SELECTS)):
            continue
        if component["type"] == BUTTON:
            _check_button(problems, here, component)
        else:
            check_select(problems, here, component)
    kinds = [each.get("type") for each in inner if isinstance(each, dict)]
    if len(kinds) > 1 and any(kind in SELECTS for kind in kinds):
        for index in range(1, len(kinds)):
            code, message = "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width"
            problems.add((*path, "components", index), code, message)


def _custom_id(problems: Problems, path: Path, component: dict[str, Any]) -> None:
    if component.get("custom_id") is None:
        problems.required((*path, "custom_id"))
    else:
        problems.length((*path, "custom_id"), component["custom_id"], 100, 1)


def _check_button(problems: Problems, path: Path, button: dict[str, Any]) -> None:
    style = button.get("style")
    if not problems.choice((*path, "style"), style, (1, 2, 3, 4, 5, 6)):
        return
    if button.get("label"):
        problems.length((*path, "label"), button["label"], 80)
    elif not button.get("emoji"):
        problems.add(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or an emoji is required")
    if style == 5:
        if button.get("custom_id"):
            message = "A custom id and url cannot both be specified"
            problems.add((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
        url = button.get("url")
        if url is None:
            problems.required((*path, "url"))
        elif problems.length((*path, "url"), url, 512, 1) and not url.startswith(("http://", "https://", "discord://")):
            message = f"Scheme \"{url.partition(':')[0]}\" is not supported. Scheme must be one of ('http', 'https', 'discord')."
            problems.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", message)
    else:
        if button.get("url"):
            problems.add((*path, "url"), "BUTTON_COMPONENT_INVALID_URL", "A url is only for buttons that are links")
        _custom_id(problems, path, button)


def check_select(problems: Problems, path: Path, select: dict[str, Any], *, modal: bool = False) -> None:
    _custom_id(problems, path, select)
    if select.get("placeholder") is not None:
        problems.length((*path, "placeholder"), select["placeholder"], 150)
    least, most = asked(select, "min_values"), asked(select, "max_values")
    if not 0 <= least <= 25:
        problems.add((*path, "min_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 25.")
    if not 1 <= most <= 25:
        problems.add((*path, "max_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 25.")
    if select["type"] == STRING_SELECT:
        options = select.get("options")
        if problems.count((*path, "options"), options, 25, 1):
            _check_options(problems, (*path, "options"), options or [], described=True)
            if most > len(options or []):
                message = "The number of options must be at least max_values"
                problems.add((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS", message)


def asked(component: dict[str, Any], name: str) -> int:
    """How many values at least or at most; null and nothing are one."""
    value = component.get(name)
    return 1 if value is None else int(value)


def _check_options(problems: Problems, path: Path, options: list[Any], *, described: bool) -> None:
    values: set[str] = set()
    for index, option in enumerate(options):
        here = (*path, index)
        problems.length((*here, "label"), option.get("label"), 100, 1)
        if problems.length((*here, "value"), option.get("value"), 100, 1):
            if option["value"] in values:
                problems.add(
                    (*here, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.add(option["value"])
        if described and option.get("description") is not None:
            problems.length((*here, "description"), option["description"], 100)


# -- forms


def check_modal(problems: Problems, path: Path, data: dict[str, Any]) -> None:
    """Check a form: its title, its id, one to five parts."""
    problems.length((*path, "title"), data.get("title"), 45, 1)
    _custom_id(problems, path, data)
    components = data.get("components")
    if not problems.count((*path, "components"), components, 5, 1):
        return
    assert isinstance(components, list)
    for index, component in enumerate(components):
        here = (*path, "components", index)
        if not _type(problems, here, component, (ROW, TEXT_DISPLAY, LABEL)):
            continue
        if component["type"] == TEXT_DISPLAY:
            problems.length((*here, "content"), component.get("content"), _MOST_TEXT, 1)
        elif component["type"] == ROW:
            inner = component.get("components")
            if problems.count((*here, "components"), inner, 1, 1) and _type(
                problems, (*here, "components", 0), inner[0], (TEXT_INPUT,)
            ):  # type: ignore[index]
                problems.length((*here, "components", 0, "label"), inner[0].get("label"), 45, 1)  # type: ignore[index]
                _check_input(problems, (*here, "components", 0), inner[0])  # type: ignore[index]
        else:
            _check_label(problems, here, component)
    _check_ids(problems, (*path, "components"), list(walk(components)))


def _check_label(problems: Problems, path: Path, label: dict[str, Any]) -> None:
    problems.length((*path, "label"), label.get("label"), 45, 1)
    if label.get("description") is not None:
        problems.length((*path, "description"), label["description"], 100)
    inner = label.get("component")
    here = (*path, "component")
    if not _type(problems, here, inner, (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX)):
        return
    assert isinstance(inner, dict)
    if inner["type"] == TEXT_INPUT:
        _check_input(problems, here, inner)
    elif inner["type"] in SELECTS:
        check_select(problems, here, inner, modal=True)
    else:
        _custom_id(problems, here, inner)
        least, most = asked(inner, "min_values"), asked(inner, "max_values")
        if inner["type"] == FILE_UPLOAD and not (0 <= least <= 10 and 1 <= most <= 10):
            problems.add((*here, "max_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to 10.")
        if inner["type"] in {RADIO, CHECKBOXES} and problems.count(
            (*here, "options"), inner.get("options"), 10, 2 if inner["type"] == RADIO else 1
        ):
            _check_options(problems, (*here, "options"), inner["options"], described=True)


def _check_input(problems: Problems, path: Path, entry: dict[str, Any]) -> None:
    _custom_id(problems, path, entry)
    problems.choice((*path, "style"), entry.get("style"), (1, 2))
    for name, most in (("value", 4000), ("placeholder", 100)):
        if entry.get(name) is not None:
            problems.length((*path, name), entry[name], most)
    for name in ("min_length", "max_length"):
        if entry.get(name) is not None and not 0 <= entry[name] <= 4000:
            problems.add((*path, name), "NUMBER_TYPE_MAX", "int value should be less than or equal to 4000.")
