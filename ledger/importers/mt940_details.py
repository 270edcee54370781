"""What field 86 of MT940 says: who, what for and of which kind, in the ways of German, Dutch, Polish and other banks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ledger.importers.remittance import one_spaced, read_remittance, stated
from ledger.statement_text import take_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class Details(NamedTuple):
    """What is said of a booking; ``code`` is the German three-digit one, where there is one, ``kinds`` are words for it."""

    payee: str = ""
    memo: str = ""
    code: str = ""
    kinds: tuple[str, ...] = ()
    other_payer: str = ""
    other_payee: str = ""


class _Numbers(NamedTuple):
    """By which numbers the texts, the parts of the name and the word for the kind are told."""

    texts: Collection[int]
    names: Collection[int]
    kind: int


_SUBFIELDS_OF_86 = _Numbers((*range(20, 30), *range(60, 64)), (32, 33), 0)
#: What MultiCash writes into a field of its own, by two digits at the start of each line.
_LINES_OF_NS = _Numbers(range(1, 15), (15, 16), 17)
_NS_LINE = re.compile(r"(\d\d)(.*)")
#: A code, and behind a sign of the bank's choice two digits that name each subfield.
_SUBFIELDS = re.compile(r"\s*(\d{3})?\s*([?>~<^|$§*@#])(?=\d\d)")
#: The longest line of a subfield; where it is full the next one goes on in the same word.
_FULL_SUBFIELD = 27
#: The longest line of the field.
_FULL_LINE = 65
_MARKED = re.compile(r"[A-Z]{3,4}\+")

_WORDS = (
    "TRTP|IBAN|BIC|NAME|REMI|EREF|KREF|CSID|MARF|PREF|ORDP|BENM|ADDR|ISDT|ULTB|ULTD|ULTC|PURP|RTRN|ACCW|CNTP|CTRP|UCRD|"
    "SVCL|OCMT|CHGS|EXCH|BUSP|CDTRREFTP|CDTRREF|NRTX|INIT|SVWZ|TRCD|CREF|MREF|SDDR|OAMT|CMSG|INFO|DBTR|CDTR"
)
_SLASHES = re.compile(rf"(?:^|(?<=/)|/)({_WORDS})/")

#: From or for whom and what for, as a Polish bank says it; behind the name is where they live.
_POLISH = re.compile(r"(?:^|; ?)(OD|DLA|TYT\.): ([^;]+)")
_ADDRESS = re.compile(r"\s{2,}| (?=UL\. )")
#: What German banks put before a text without subfields.
_PRIMANOTA = re.compile(r"^999PN\d{4}")


def read_details(lines: list[str]) -> Details:
    """Read the lines of field 86."""
    joined = "".join(lines)
    if (start := _SUBFIELDS.match(joined)) and joined.count(start[2]) > 1:
        return _read_subfields(joined[start.end() :], start[1] or "", start[2])
    if len(_SLASHES.findall(joined)) > 1 or joined.lstrip().startswith(("/REMI/", "/NAME/", "/TRTP/")):
        return _read_slashes(joined)
    return _read_text(lines)


def _read_subfields(text: str, code: str, sign: str) -> Details:
    parts = ((int(part[:2]), part[2:]) for part in re.split(rf"{re.escape(sign)}(?=\d\d)", text))
    return _read_numbered(parts, _SUBFIELDS_OF_86)._replace(code=code)


def _read_numbered(parts: Iterable[tuple[int, str]], numbers: _Numbers) -> Details:
    """Read parts that are told apart by numbers; what is said of their kind is a code where it has digits."""
    texts, names, kind = [], [], ""
    for number, said in parts:
        if number in numbers.texts:
            texts.append(said)
        elif number in numbers.names:
            names.append(said)
        elif number == numbers.kind:
            kind = one_spaced(said)
    remittance = read_remittance(_joined(texts))
    kinds = () if not kind or any(map(str.isdigit, kind)) else (kind,)
    return Details(_name(names), remittance.purpose, "", kinds, remittance.other_payer, remittance.other_payee)


def _name(parts: list[str]) -> str:
    """Return a name, which goes on in the second subfield only if the first is full; else an address stands there."""
    goes_on = parts and len(parts[0]) >= _FULL_SUBFIELD - 1
    return stated(_joined(parts if goes_on else parts[:1]))


def _joined(parts: list[str]) -> str:
    """Put subfields together: a full one goes on without a gap, unless a mark such as ``SVWZ+`` begins."""
    lengths = [len(part) for part in parts]
    widest = max(lengths, default=0)
    full = max(widest, _FULL_SUBFIELD) if widest <= _FULL_SUBFIELD or lengths.count(widest) > 1 else widest + 1
    said = ""
    for index, part in enumerate(parts):
        goes_on = index and len(parts[index - 1]) >= full and not _MARKED.match(part)
        said += part if goes_on or not index else f" {part}"
    return said


def _read_slashes(text: str) -> Details:
    _, *parts = _SLASHES.split(text)
    said: dict[str, str] = {}
    for word, value in zip(parts[::2], parts[1::2], strict=True):
        if value.strip("/ "):
            said.setdefault(word, value)
    name = said.get("NAME", "")
    for word in ("CNTP", "CTRP"):
        if not name and word in said:  # account/bank/name/place
            name = next((part for part in said[word].split("/")[2:3]), "")
    memo = said.get("REMI", "") or said.get("SVWZ", "") or said.get("INFO", "")
    memo = re.sub(r"^(?:USTD|STRD)//?|(?:CUR/)", "", memo.strip("/ ")).replace("//", " ").strip("/ ")
    kinds = tuple(one_spaced(said[word].strip("/")) for word in ("TRTP", "TRCD") if word in said)
    kinds = ("reversal", *kinds) if "RTRN" in said else kinds
    behind = {"ULTD": "", "ULTB": "", "ULTC": ""} | said
    return Details(
        stated(name.strip("/ ").partition("//")[0]),
        stated(memo),
        "",
        kinds,
        stated(behind["ULTD"].strip("/ ").removeprefix("NAME/").partition("//")[0]),
        stated((behind["ULTB"] or behind["ULTC"]).strip("/ ").removeprefix("NAME/").partition("//")[0]),
    )


def _read_text(lines: list[str]) -> Details:
    """Read a text of no form; a line that is full goes on in the next one."""
    text = ""
    for line in lines:
        text += line if len(line) >= _FULL_LINE else f"{line} "
    if polish := dict(_POLISH.findall(text)):
        name = polish.get("OD") or polish.get("DLA", "")
        return Details(stated(_ADDRESS.split(name)[0]), one_spaced(polish.get("TYT.", "")) or one_spaced(text))
    text = one_spaced(re.sub(r"/(?=[A-Z]{3,12}:)", " ", _PRIMANOTA.sub("", text)))
    labelled = take_apart(text) if ":" in text and ";" not in text else None
    return Details(labelled.payee if labelled and labelled.purpose else "", text)


def read_multicash(lines: list[str]) -> Details:
    """Read the lines of field NS, which MultiCash writes in place of field 86."""
    matches = filter(None, map(_NS_LINE.match, lines))
    return _read_numbered(((int(match[1]), match[2]) for match in matches), _LINES_OF_NS)
