"""The reader tells what a sentence asks for, and which words are usual in asking it."""

from __future__ import annotations

import pytest

from evals.training import examples, train, usual_words, write
from language.reader import HEADS, reader
from language.utterances import BANK, read_bank

#: What no line of the bank has in these words.
ASKED = [
    ("so what am I paying the landlord these days", "so what am I paying the {m} these days", "level", "spending"),
    ("which shop sees me most often", "which shop sees me most often", "rank", "spending"),
    ("groceries for every single month of this year", "{c} for every single month {p}", "series", "spending"),
    ("what will december cost me", "what will {p} cost me", "forecast", None),
    ("did they bill me two times for the same thing", "did they bill me two times for the same thing", "duplicates", None),
    ("how many paydays were there in May", "how many paydays were there {p}", "count", "income"),
    ("Welche Verträge laufen gerade bei mir", "Welche Verträge laufen gerade bei mir", "recurring", None),
    ("was hat sich bei der Miete preislich getan", "was hat sich bei der {c} preislich getan", "level_change", "spending"),
    ("was hat mein Bruder im Oktober ausgegeben", "was hat mein Bruder {p} ausgegeben", "others", None),
    ("überweise 50 Euro an Anna", "überweise 50 Euro an Anna", "order", None),
]  # fmt: skip

#: Between them their lines say something to every head; each further act costs as much again to learn.
FEW_ACTS = ("rank", "extreme", "average", "series", "recurring")


@pytest.mark.parametrize(("raw", "pattern", "act", "of"), ASKED, ids=[case[0] for case in ASKED])
def test_a_sentence_is_told_by_its_act(raw: str, pattern: str, act: str, of: str | None) -> None:
    told = reader().read(raw, pattern)
    assert told["act"].best == act
    assert of is None or told["of"].best == of
    assert abs(sum(sure for _, sure in told["act"].ranked) - 1) < 1e-6


def test_words_are_usual_in_some_questions_only() -> None:
    assert reader().knows("spent", "total")
    assert reader().knows("spendt", "total")  # a slip
    for word in ("francs", "breakfast", "seaside", "vegan"):
        assert not reader().knows(word, "total")
    assert reader().is_common("the")
    assert not reader().is_common("kindergeld")


def test_the_bank_can_be_read_and_has_no_line_twice() -> None:
    lines = read_bank()
    assert len(lines) > 10_000
    assert {line.lang for line in lines} == {"en", "de"}
    twice = len(lines) - len({(line.text.casefold(), line.labels["act"]) for line in lines})
    assert twice < 0.02 * len(lines)


def test_training_gives_the_same_file_each_time(tmp_path) -> None:
    pytest.importorskip("sklearn")
    some = [line for line in read_bank() if line.labels["act"] in FEW_ACTS][::3]
    for name in ("one", "other"):
        arrays = train(*examples(some, copies=1))
        write(arrays | usual_words(some, [str(each) for each in arrays["act.answers"]]), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert {name.partition(".")[0] for name in arrays} == set(HEADS)


def test_a_line_without_a_section_is_refused(tmp_path) -> None:
    (tmp_path / "broken.txt").write_text("@en\nhow much\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.txt, line 2"):
        read_bank(tmp_path)
    assert BANK.is_dir()
