"""Our own categories: names in English and German, their groups, and the words people use for them.

A file's categories are kept as they are written. This tree is what relates them to each other and to a person's words:
``category_words`` places a foreign name such as “Gas & Fuel” in it by the words of that name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Category:
    """One category of ours, a group of them, or a finer thing below one.

    ``words`` are phrases that mean the whole of it, in English and German. ``spoken`` is false where those words ask
    for a kind of movement (income, fees, transfers) rather than for a category. ``finer`` ones tell foreign names and a
    person's words apart; no transaction gets one. ``nearly_whole`` ones are nearly all of the category above,
    ``but_others`` all but its other finer things: a supermarket is no bakery.
    """

    key: str
    name: str
    german: str
    parent: str | None
    words: tuple[str, ...]
    spoken: bool = True
    finer: bool = False
    nearly_whole: bool = False
    but_others: bool = False


def _read() -> dict[str, Category]:
    table = files("ledger.data").joinpath("categories.tsv").read_text(encoding="utf-8")
    tree: dict[str, Category] = {}
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        key, parent, name, german, marks, words = line.split("\t")
        tree[key] = Category(
            key=key,
            name=name,
            german=german,
            parent=None if parent == "-" else parent,
            words=tuple(filter(None, words.split("; "))),
            spoken="k" not in marks,
            finer="f" in marks,
            nearly_whole="w" in marks,
            but_others="o" in marks,
        )
    return {key: replace(category, words=_words_in_full(category, tree)) for key, category in tree.items()}


def _words_in_full(category: Category, tree: Mapping[str, Category]) -> tuple[str, ...]:
    """Return a category's words, those of another one in place of its key (“=trade_union”)."""
    words: list[str] = []
    for word in category.words:
        same = tree[word.removeprefix("=")] if word.startswith("=") else None
        words += [word] if same is None else [same.name, same.german, *same.words]
    return tuple(words)


#: All categories and groups of ours by key, groups before their members.
CATEGORIES: Mapping[str, Category] = MappingProxyType(_read())

#: Words that mean more than one category at once: asked for, they stand for all of these; as a name, for the first.
BROAD_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "eating out": ("restaurants", "fast_food", "delivery"),
        "dining out": ("restaurants", "fast_food", "delivery"),
        "eat out": ("restaurants", "fast_food", "delivery"),
        "meals out": ("restaurants", "fast_food", "delivery"),
        "auswärts essen": ("restaurants", "fast_food", "delivery"),
        "essen gehen": ("restaurants", "fast_food"),
        "essengehen": ("restaurants", "fast_food"),
        "takeaway": ("fast_food", "delivery"),
        "takeout": ("fast_food", "delivery"),
        "going out": ("restaurants", "bars", "events"),
        "bills": ("utilities", "phone"),
        "rechnungen": ("utilities", "phone"),
        "car costs": ("car", "fuel", "parking"),
        "media": ("books", "subscriptions"),
        "medien": ("books", "subscriptions"),
    }
)

#: Words with two readings, likelier first, each with how likely it is.
AMBIGUOUS_WORDS: Mapping[str, tuple[tuple[str, float], ...]] = MappingProxyType(
    {
        "gas": (("fuel", 0.95), ("heating", 0.9)),
        "drinks": (("bars", 0.95), ("coffee", 0.6)),
        "getränke": (("groceries", 0.9), ("bars", 0.8)),
        "einkauf": (("groceries", 0.95), ("shopping", 0.85)),
        "einkäufe": (("groceries", 0.95), ("shopping", 0.85)),
        "einkaufen": (("groceries", 0.95), ("shopping", 0.85)),
        "books": (("books", 1.0), ("education", 0.6)),
        "delivery": (("delivery", 1.0), ("business", 0.6)),
        "supplies": (("supplies", 0.8), ("business", 0.75)),
        "auto": (("car", 1.0), ("transport", 0.7)),
        "car": (("car", 1.0), ("transport", 0.7)),
    }
)


def lineage(key: str) -> tuple[str, ...]:
    """Return the key and those above it, nearest first."""
    parent = CATEGORIES[key].parent
    return (key,) if parent is None else (key, *lineage(parent))


def group_of(key: str) -> str:
    """Return the key of the group that a category belongs to, or the key itself for a group."""
    return lineage(key)[-1]


@cache
def members_of(key: str) -> frozenset[str]:
    """Return the keys that a category covers: itself and all below it."""
    return frozenset(other for other in CATEGORIES if key in lineage(other))
