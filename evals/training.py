"""Training the reader from the bank of utterances: ``make reader``, byte for byte the same each time.

Writes ``language/reader.npz``. Lines kept back tell how good it is; the shipped one is trained on all of them.
"""

from __future__ import annotations

import io
import random
import re
import sys
import zipfile
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from language.features import COLUMNS, columns_of, tokens_of
from language.reader import HEADS, Head
from language.utterances import BANK, PLACEHOLDER, Line, fillers, read_bank
from ledger.brands import brand_called
from ledger.category_words import find_category_words
from ledger.taxonomy import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

TRAINED = BANK.parent / "reader.npz"
_SEED = 20261123
#: How often each line is shown, each time with other names, slips and greetings.
_COPIES = 6
_SURE = 0.7
#: Answers that few lines have are too rare to learn; they count as their act alone.
_FEWEST = 8
#: From how many lines of an act on a word is usual in it.
_USUAL = 3
#: In so many acts that have an answer a word is usual in any.
_EVERYWHERE = 8
#: A name is a word of an act if one in so many of its lines has it.
_MAKES_ACT = 40
#: What “über” is without its dots is a shop.
_DOTLESS = frozenset({"uber"})
_CATEGORIES = tuple(category.name for category in CATEGORIES.values())
#: Words in the names of periods and others that are no content by themselves.
_SMALL = frozenset(
    "shop shops store laden place places abo abos bill bills rechnung rechnungen fee fees "
    "in this last the year month week of to so far date three months days my "
    "im am letzten diesen dieses monat jahr der die und".split()
)
_REFUSED = frozenset("balance budget forecast advice others quickentry order unrelated detail smalltalk help".split())


def _dice_of(line: Line) -> random.Random:
    """Return the dice of one line, so that a new line changes nothing for the others."""
    return random.Random(f"{_SEED} {line.text}")  # noqa: S311 - no secret, and the same each time


def views(line: Line, filled: dict[str, dict[str, list[str]]], dice: random.Random) -> tuple[str, str]:
    """Return a line as it might be written, and with placeholders for all that names something."""
    names = filled[line.lang]

    def fill(match: re.Match[str]) -> str:
        return dice.choice(names.get(match[1], [match[1]]))

    raw = PLACEHOLDER.sub(fill, line.text)
    pattern = PLACEHOLDER.sub(lambda match: f"{{{match[1]}}}", line.text)
    for kind in ("p", "c", "m", "a"):
        for name in sorted(names[kind], key=len, reverse=True):
            pattern = re.sub(rf"(?<![\w{{]){re.escape(name)}(?![\w}}])", f"{{{kind}}}", pattern, flags=re.IGNORECASE)
    return raw, pattern


def _slip(text: str, dice: random.Random) -> str:
    """Return a text with a slip of typing or two."""
    letters = list(text)
    for _ in range(dice.choice((1, 1, 2))):
        place = dice.randrange(max(1, len(letters) - 1))
        way = dice.randrange(3)
        if way == 0 and letters[place].isalpha():
            del letters[place]
        elif way == 1 and place + 1 < len(letters):
            letters[place], letters[place + 1] = letters[place + 1], letters[place]
        elif letters[place].isalpha():
            letters.insert(place, letters[place])
    return "".join(letters)


_BEFORE = {"en": ("hi, ", "please ", "ok ", "so ", "can you tell me ", "quick question: ", "hey, ", "i was wondering, "),
           "de": ("hallo, ", "bitte ", "ok ", "also ", "sag mal, ", "kurze frage: ", "hey, ", "weißt du, ")}  # fmt: skip
_BEHIND = {"en": (" please", " thanks", "?", " for my records", ", just curious"),
           "de": (" bitte", " danke", "?", " für meine unterlagen", ", nur so")}  # fmt: skip


def examples(lines: list[Line], *, copies: int) -> tuple[list[list[int]], list[dict[str, str]]]:
    """Return the features and labels of lines, each several times with other names, slips and greetings."""
    filled = fillers()
    rows, labels = [], []
    for line in lines:
        dice = _dice_of(line)
        for copy in range(copies):
            raw, pattern = views(line, filled, dice)
            if copy and dice.random() < 0.25:
                raw = _slip(raw, dice)
            if copy and dice.random() < 0.2:
                before = dice.choice(_BEFORE[line.lang])
                raw, pattern = before + raw, before + pattern
            if copy and dice.random() < 0.2:
                behind = dice.choice(_BEHIND[line.lang])
                raw, pattern = raw + behind, pattern + behind
            rows.append(columns_of(raw, pattern))
            labels.append(line.labels)
    return rows, labels


def _matrix(rows: list[list[int]]) -> Any:
    from scipy.sparse import csr_matrix

    values = np.concatenate([np.full(len(row), 1 / max(1, len(row)) ** 0.5, dtype=np.float64) for row in rows])
    places = np.concatenate([np.asarray(row, dtype=np.int64) for row in rows])
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return csr_matrix((values, places, starts), shape=(len(rows), COLUMNS))


def train(
    rows: list[list[int]], labels: list[dict[str, str]], heads: Sequence[str] = HEADS
) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of heads: their answers, their weights in whole steps, the step and the bias."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    matrix = _matrix(rows)
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for head in heads:
        known = Counter(each[head] for each in labels if head in each)
        answers = {answer for answer, count in known.items() if count >= _FEWEST}
        chosen = [place for place, each in enumerate(labels) if each.get(head) in answers]
        model = LogisticRegression(C=12.0, max_iter=200, tol=1e-3)
        with threadpool_limits(1):  # threads add up in an order of their own, and mostly wait for each other
            model.fit(matrix[chosen], [labels[place][head] for place in chosen])
        weights, bias = model.coef_.T, model.intercept_
        if weights.shape[1] == 1:  # of two answers one set of weights tells
            weights, bias = np.hstack([-weights / 2, weights / 2]), np.concatenate([-bias / 2, bias / 2])
        step = float(np.abs(weights).max() / 127)
        arrays[f"{head}.answers"] = np.array([str(each) for each in model.classes_])
        arrays[f"{head}.weights"] = np.rint(weights / step).astype(np.int8)
        arrays[f"{head}.step"] = np.array(step)
        arrays[f"{head}.bias"] = bias.astype(np.float32)
    return arrays


def head_of(arrays: Mapping[str, np.ndarray[Any, Any]], name: str) -> Head:
    """Return one head of what was trained."""
    answers = tuple(map(str, arrays[f"{name}.answers"]))
    return Head(answers, arrays[f"{name}.weights"], float(arrays[f"{name}.step"]), arrays[f"{name}.bias"])


def _names_something(word: str) -> bool:
    """Whether a word means a category or a brand, so that it says what a question is about, and not what it asks."""
    return word not in _SMALL and bool(find_category_words(word, _CATEGORIES) or brand_called(word))


def _acts_of_words(lines: list[Line], filled: dict[str, dict[str, list[str]]]) -> dict[str, Counter[str]]:
    """Return for each word of the lines how many of each act have it."""
    seen: dict[str, Counter[str]] = {}
    for line in lines:
        _, pattern = views(line, filled, _dice_of(line))
        for token in set(tokens_of(pattern)):
            if token.isalpha():
                seen.setdefault(token, Counter())[line.labels["act"]] += 1
    return seen


def usual_words(lines: list[Line], acts: list[str]) -> dict[str, np.ndarray[Any, Any]]:
    """Return the words of the bank's lines, each with a bit for every act that two lines at least ask for with it.

    A shop is not known because examples have it.
    """
    filled = fillers()
    seen = _acts_of_words(lines, filled)
    every = (1 << len(acts)) - 1
    content = {
        token for kinds in filled.values() for names in kinds.values() for name in names for token in tokens_of(name)
    }
    content |= {word for word in seen if _names_something(word)}
    lines_of = Counter(line.labels["act"] for line in lines if "act" in line.labels)

    def least(word: str, act: str) -> int:
        """A name is usual only where an act is asked for with it ("subscriptions")."""
        return max(_USUAL, lines_of[act] // _MAKES_ACT) if word in content else _USUAL

    bits = {
        word: every
        if word not in content - _SMALL and len(counts.keys() & (set(acts) - _REFUSED)) >= _EVERYWHERE
        else sum(1 << acts.index(act) for act, count in counts.items() if act in acts and count >= least(word, act))
        for word, counts in sorted(seen.items())
    }
    shops = {token for names in filled.values() for name in names["m"] for token in tokens_of(name)}
    unusual = _DOTLESS | {word for word in shops if brand_called(word)}
    usual = {word: bit for word, bit in bits.items() if bit and word not in unusual}
    return {"words": np.array(list(usual)), "acts": np.array(list(usual.values()), dtype=np.uint64)}


def write(arrays: dict[str, np.ndarray[Any, Any]], path: Path) -> None:
    """Write arrays as a file that is the same whenever they are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            held = io.BytesIO()
            np.lib.format.write_array(held, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), held.getvalue(), zipfile.ZIP_DEFLATED
            )


def main(arguments: list[str]) -> int:
    """Train on all lines and write the reader; with ``--check`` on nine tenths, and say how it does on the rest."""
    lines = read_bank()
    if "--check" not in arguments:
        rows, labels = examples(lines, copies=_COPIES)
        arrays = train(rows, labels)
        write(arrays | usual_words(lines, [str(each) for each in arrays["act.answers"]]), TRAINED)
        print(f"{len(lines)} utterances, {TRAINED.stat().st_size / 1e6:.1f} MB")
        return 0
    from language.reader import answer

    kept = set(random.Random(_SEED).sample(range(len(lines)), len(lines) // 10))  # noqa: S311 - as above
    rows, labels = examples([line for place, line in enumerate(lines) if place not in kept], copies=_COPIES)
    arrays = train(rows, labels)
    rest = [line for place, line in enumerate(lines) if place in kept]
    tested, wanted = examples(rest, copies=1)
    for head in HEADS:
        made = head_of(arrays, head)
        told = [(answer(made, row), each[head]) for row, each in zip(tested, wanted, strict=True) if head in each]
        right = sum(said.best == label for said, label in told)
        sure = [(said, label) for said, label in told if said.sure >= _SURE]
        good = sum(said.best == label for said, label in sure)
        shares = right / max(1, len(told)), len(sure) / max(1, len(told)), good / max(1, len(sure))
        print(f"{head:6} {len(told):5} right {shares[0]:.3f}; sure {shares[1]:.2f}, of them right {shares[2]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
