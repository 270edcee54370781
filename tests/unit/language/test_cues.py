"""Every language has each form of a sentence, or says that it has none, and a further language is a file."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from language import cues, lexicon
from language.lexicon import form, interval, languages
from language.words import fold_in_place
from tests.support.tables import every

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = {language: files("language.data").joinpath(f"{language}.toml").read_text("utf-8") for language in languages()}
DATA: dict[str, dict[str, Any]] = {language: tomllib.loads(text) for language, text in FILES.items()}
FORMS: dict[str, dict[str, list[str]]] = {language: data["forms"] for language, data in DATA.items()}
NAMES = sorted(set[str]().union(*FORMS.values()))
REFERENCE = re.compile(r"\{([a-z_]+)\}")

#: A form, and a sentence of each language that has it.
SENTENCES = (
    ("WHY", "and why is that", "und wieso das"),
    ("WHEN", "and when was it", "und wann war das"),
    ("REPRICED", "has my rent gone up", "ist die Miete gestiegen"),
    ("EVERY_HOW_MANY", "every how many months", "alle wie viele Monate"),
    ("ANYHOW", "did the price change", "hat sich der Preis geändert"),
    ("FROM_ME", "what has Ann got from me", "was hat Anna von mir bekommen"),
    ("THEIR_PAY", "what did our neighbour pay for power", "was hat unsere Nachbarin für Strom bezahlt"),
    ("THEIR_MONEY", "how much has she got in her own account", "wie viel ist auf ihrem Konto"),
    ("ON_THE_CARD", "what did I put on my credit card", "was habe ich mit der Kreditkarte bezahlt"),
    ("HOW_MANY_TIMES", "how many increases were there", "wie viele Mieterhöhungen gab es"),
    ("TO_ME", "what has Anna sent me", "was hat mir Anna überwiesen"),
    ("I_PAID", "how much have I paid Anna", "was habe ich Anna gezahlt"),
    ("WAGES", "my wages since May", "mein Gehalt seit Mai"),
    ("SAVED", "what did I put aside", "was ging aufs Tagesgeld"),
    ("TO_SAVINGS", "what went into my savings", "was ging auf mein Sparkonto"),
    ("SAVED_BACK", "what came out of my savings", "was kam vom Tagesgeldkonto"),
    ("NETTED", "shoes after the refund", "Schuhe nach der Gutschrift"),
    ("BALANCE", "what is in my account right now", "wie ist mein Kontostand"),
    ("THEIR_PAY", "how much does Anna earn", "was verdient Anna"),
    ("REVERSED", "and the other way round?", "und umgekehrt?"),
    ("IN_AND_OUT", "income and spending in May", "Einnahmen und Ausgaben im Mai"),
    ("SUM_AND_NUMBER", "how much and how often", "wie oft und wie viel"),
    ("ABOVE_AVERAGE", "which were higher than the average", "was war teurer als der Durchschnitt"),
    ("COMPARES", "more than in June", "weniger als im Juni"),
    ("WHICH_ONES", "which ones", "welche genau"),
    ("ONE_BEFORE", "and the one before that", "und davor"),
    ("SEARCHES", "look for parking", "suche Parkhaus"),
)  # fmt: skip
#: A form, and a sentence that only looks as if it had it.
WITHOUT = (
    ("WAGES", "Lohnsteuer im Mai"), ("SAVED", "Kredit der Sparkasse"), ("TO_ME", "did I pay Anna back"),
    ("AMOUNT", "wie viele waren das"), ("EACH_OF", "how much each month"),
)  # fmt: skip


def found(name: str, sentence: str) -> re.Match[str] | None:
    pattern: re.Pattern[str] = getattr(cues, name)
    return pattern.search(fold_in_place(sentence))


@pytest.mark.parametrize("language", FORMS)
def test_a_language_has_every_form_or_says_that_it_has_none(language: str) -> None:
    assert sorted(FORMS[language]) == NAMES
    assert set(DATA[language]["intervals"].values()) == {"day", "week", "month", "quarter", "year"}


def shape(data: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of data, and of its tables; those of words that stand for numbers or intervals are each language's own."""
    own = {"intervals", "amount_words", "counts", "ordinals", "others"}
    return {
        key: shape(value) if isinstance(value, dict) and key not in own else type(value) for key, value in data.items()
    }


def test_every_language_has_the_same_lists_and_tables() -> None:
    assert all(shape(data) == shape(DATA["en"]) for data in DATA.values())


def test_every_list_is_read_somewhere() -> None:
    root = Path(__file__).resolve().parents[3]
    source = "".join(
        path.read_text("utf-8")
        for name in ("language", "ledger", "tools", "graph")
        for path in (root / name).rglob("*.py")
    )
    assert [key for key in DATA["en"] if f'"{key}"' not in source and f"'{key}'" not in source] == []


@every("name", NAMES)
def test_a_form_has_words_and_needs_words(name: str) -> None:
    """An empty alternative would be found in every sentence."""
    assert any(table[name] for table in FORMS.values())
    assert form(name).search("") is None


@every(("language", "name"), [(language, name) for language in FORMS for name in FORMS[language]])
def test_the_patterns_of_a_language_stand_by_themselves(language: str, name: str) -> None:
    for pattern in FORMS[language][name]:
        assert set(REFERENCE.findall(pattern)) <= set(NAMES)
        re.compile(REFERENCE.sub("x", pattern))


def test_every_form_of_the_data_is_used() -> None:
    asked = set(re.findall(r'"(\w+)"', files("language").joinpath("cues.py").read_text("utf-8")))
    referred = {
        name for table in FORMS.values() for each in table.values() for name in REFERENCE.findall(" ".join(each))
    }
    assert set(NAMES) <= asked | referred


@pytest.mark.parametrize(("name", "english", "german"), SENTENCES, ids=[each[0] for each in SENTENCES])
def test_a_form_is_found_in_each_language(name: str, english: str, german: str) -> None:
    assert found(name, english)
    assert found(name, german)


@pytest.mark.parametrize(("name", "sentence"), WITHOUT)
def test_a_form_is_not_found_where_it_is_not(name: str, sentence: str) -> None:
    assert not found(name, sentence)


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("the second largest", 2),
        ("die drittgrößte Ausgabe", 3),
        ("the third quarter", None),
        ("das dritte Quartal", None),
    ],
)
def test_a_place_is_told_from_a_quarter(sentence: str, number: int | None) -> None:
    assert next((nth for nth, form in cues.NTH.items() if form.search(fold_in_place(sentence))), None) == number


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("what is new", "new"),
        ("welche habe ich gekündigt", "ended"),
        ("how many are there", "count"),
        ("was kosten sie", "sum"),
    ],
)
def test_what_is_wanted_of_a_list(sentence: str, state: str) -> None:
    assert next(name for name, form in cues.WANTED if form.search(fold_in_place(sentence))) == state


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("spending month by month", "month"), ("every week since May", "week"), ("Ausgaben Woche für Woche", "week"),
        ("nach Quartalen", "quarter"), ("seit Mai für jeden Monat", "month"),
    ],
)  # fmt: skip
def test_the_interval_of_a_series_is_the_one_group_with_a_word(sentence: str, told: str) -> None:
    match = found("ONE_BY_ONE", sentence)
    assert match is not None
    assert [interval(group) for group in match.groups() if group] == [told]


@pytest.mark.parametrize("sentence", ["Between May and June", "Zwischen May und June"])
def test_both_times_are_groups_however_they_are_written(sentence: str) -> None:
    match = cues.FROM_TO.search(sentence)
    assert match is not None
    assert [group for group in match.groups() if group] == ["May", "June"]


@pytest.fixture
def third_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """French beside the languages that are there: one file, with two forms, a part of one and its intervals."""
    said = {"why": r"^(?:et )?pourquoi\b", "refund": r"remboursements?", "netted": r"\bapres (?:le )?{refund}"}
    lines = [f"{name} = {[said[name]] if name in said else []}" for name in NAMES]
    french = "\n".join(["[intervals]", 'mois = "month"', "[forms]", *lines]).replace("\\\\", "\\")
    for language, text in {**FILES, "fr": french}.items():
        tmp_path.joinpath(f"{language}.toml").write_text(text, encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(lexicon, "files", lambda _: tmp_path)
        _forget()
        yield
    _forget()


def _forget() -> None:
    for read in (lexicon.languages, lexicon._read, lexicon.form, lexicon.interval):
        read.cache_clear()


@pytest.mark.usefixtures("third_language")
def test_a_further_language_is_a_file() -> None:
    assert lexicon.languages() == ("de", "en", "fr")
    for sentence in ("Et pourquoi ?", "and why?", "und warum?"):
        assert form("why").search(fold_in_place(sentence))
    for sentence in ("après le remboursement", "after the refund", "after the Remboursement", "nach der Gutschrift"):
        assert form("netted").search(fold_in_place(sentence))
    assert interval("mois") == "month"
