"""Compile OpenStreetMap's name-suggestion-index into ``brands.tsv.gz``; run by hand when a new index is wanted.

    cd "$(mktemp -d)"
    npm pack name-suggestion-index dictionary-en
    for archive in *.tgz; do mkdir -p "${archive%%-[0-9]*}" && tar xzf "$archive" -C "${archive%%-[0-9]*}"; done
    python -m ledger.data.compile_brands name-suggestion-index/package dictionary-en/package/index.dic

The first argument is the unpacked index, the second a Hunspell word list: a one-word brand that is also a word of it
("Target", "Shell") matches only where nothing unknown follows. Only Latin spellings of brands in Europe, North America,
Australia and New Zealand, or of brands found worldwide, are kept. Copy the index's LICENSE.md beside the result.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ledger.brands import brand_key, compact, own_brands
from ledger.placement import content_stems
from ledger.placement import phrases as known_phrases
from ledger.taxonomy import CATEGORIES
from ledger.wordlists import phrases, words

_PLACES = frozenset(words("brand_trees.txt", "places"))
#: Our category for each of the index's trees; trees that are not listed are left out.
_CATEGORY = {tree: key for key in CATEGORIES for tree in " ".join(phrases("brand_trees.txt", key)).split()}
#: From how many places on the map on a brand's name is trusted beside words that we don't know.
_WELL_KNOWN = 50
_SPELLING_TAGS = ("name", "brand", "brand:en", "name:en", "short_name", "alt_name")


def _is_here(item: dict[str, Any]) -> bool:
    places = (place for place in item["locationSet"]["include"] if isinstance(place, str))
    return any(place in _PLACES or place.removesuffix(".geojson").split("-")[0] in _PLACES for place in places)


def _is_latin(text: str) -> bool:
    return all(ord(sign) < 0x250 or sign in "’–" for sign in text)


def _spellings(item: dict[str, Any]) -> list[str]:
    tags = item["tags"]
    named = [part for tag in _SPELLING_TAGS if tag in tags for part in tags[tag].split(";")]
    return [*named, *item.get("matchNames", ())]


def _is_distinct(key: str, spelling: str) -> bool:
    """Tell whether a spelling can name a brand at all: “Gas Station” and “Apotheke” are kinds of shop."""
    return (
        len(key) > 2
        and not key.isdigit()
        and not {content_stems(spelling), content_stems(key)} & known_phrases().keys()
    )


def _everyday(dictionary: Path) -> frozenset[str]:
    lines = dictionary.read_text(encoding="utf-8").splitlines()[1:]
    return frozenset(compact(line.split("/")[0]) for line in lines)


def _reach(key: str, spelling: str, seen: int, everyday: frozenset[str], in_many: Counter[str]) -> str:
    """One everyday word, one that several brands share, or a rare name (a surname?) needs nothing unknown after it."""
    single = len(spelling.split()) == 1
    common = (
        key in everyday or key.removesuffix("s") in everyday or in_many[key] > 2 or len(key) < 5 or seen < _WELL_KNOWN
    )
    if single and common:
        return "e"
    return "s" if single or len(key) < 9 or seen < _WELL_KNOWN else "a"


def compile_index(index: Path, dictionary: Path) -> list[str]:
    """Return one line for each spelling: its key, the brand's name, our category, and how it may match."""
    trees = json.loads((index / "dist/json/nsi.json").read_text(encoding="utf-8"))["nsi"]
    counts = json.loads((index / "dist/json/filtered/brands_keep.json").read_text(encoding="utf-8"))["keep"]
    everyday = _everyday(dictionary)
    best: dict[str, tuple[int, int, str, str, str]] = {}
    in_many: Counter[str] = Counter()
    for path, tree in trees.items():
        kind = path.removeprefix("brands/")
        if not path.startswith("brands/") or kind not in _CATEGORY:
            continue
        for item in filter(_is_here, tree["items"]):
            name = item["tags"].get("name") or item["tags"].get("brand") or item["displayName"]
            if not _is_latin(name) or len(name) > 40:
                continue
            seen = counts.get(f"{kind}|{name}", 0)
            in_many.update({compact(word) for word in name.split()})
            for spelling in filter(_is_latin, _spellings(item)):
                key = brand_key(spelling)
                # A brand's own name outranks another's alias; then the one seen most often on the map.
                rank = (int(brand_key(name) == key), seen, name, _CATEGORY[kind], spelling)
                if _is_distinct(key, spelling) and (key not in best or rank[:2] > best[key][:2]):
                    best[key] = rank
    own = own_brands()
    lines: list[str] = []
    for key, (_, seen, name, category, spelling) in sorted(best.items()):
        named = brand_key(name)
        reach = _reach(key, spelling, seen, everyday, in_many)
        if named in own:
            lines.append(f"{key}\t{own[named].name}\t{own[named].category}\t{reach}")
        elif named in best and best[named][2] == name:
            # Of brands that share a spelling the rarer one has no name of its own, and gets no aliases either.
            lines.append(f"{key}\t{name}\t{category}\t{reach}")
    return lines


def main() -> None:
    """Write the compiled table beside this script."""
    lines = compile_index(Path(sys.argv[1]), Path(sys.argv[2]))
    target = Path(__file__).with_name("brands.tsv.gz")
    target.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))
    sys.stdout.write(f"{len(lines)} spellings, {target.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
