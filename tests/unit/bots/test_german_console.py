"""The console and the command in German: their own words are in the language of the person."""

from __future__ import annotations

import json

import pytest

from bots.app import console_person, open_app
from bots.cli.main import main
from bots.cli.speaking import terminal_locale
from bots.console.commands import COMMANDS
from bots.settings import Settings
from ledger.preferences import set_preference
from tests.support.console import desk
from tests.support.untold import untold_in

BANK = "Datum;Beschreibung;Betrag (EUR)\n05.10.2026;REWE MARKT;-20,00\n09.10.2026;REWE MARKT;-7,50\nkaputt;REWE;-1,00\n"
UNCLEAR = "Date,Description,Amount (CAD)\n03/04/2026,COFFEE,-3.50\n05/06/2026,TEA,-2.50\n"
LANGUAGES = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")


@pytest.fixture
async def deutsch(tmp_path):
    async with desk(tmp_path) as opened:
        await set_preference(await opened.app.repository(console_person(None)), "locale", "de_DE")
        yield opened


@pytest.fixture
def bank(tmp_path):
    path = tmp_path / "bank.csv"
    path.write_text(BANK)
    return path


async def test_a_german_is_greeted_helped_and_refused_in_german(deutsch):
    with untold_in("de") as untold:
        printed = await deutsch.talk(
            "/hlep", "/help", "/why", "/set payday 99", "/settings", "/tools off nichts", "/remember"
        )
    assert not untold
    assert deutsch.greeting.startswith("Money Minder beantwortet Fragen zu deinem eigenen Geld, mit genauen Zahlen.")
    assert "/hlep gibt es nicht. Meinst du /help? /help zeigt, was es gibt." in printed
    assert "Es gibt noch keine Antwort zum Nachsehen; frag erst etwas." in printed
    assert "Zahltag kann nicht „99“ sein; ein Beispiel ist 25." in printed
    assert "der Tag, mit dem deine Woche beginnt" in printed


async def test_a_file_is_shown_imported_and_taken_back_in_german(deutsch, bank, tmp_path):
    (tmp_path / "unklar.csv").write_text(UNCLEAR)
    with untold_in("de") as untold:
        lines = (
            f"/import {bank}",
            "/columns",
            f"/import {bank}",
            "ja",
            "Rewe",
            "/rows",
            "/undo",
            "ja",
            f"/import {tmp_path}/unklar.csv",
            "nein",
        )
        printed = await deutsch.talk(*lines)
    assert not untold
    assert "2 neue Buchungen in bank.csv" in printed
    assert "ja/nein" in printed
    assert "Zurückgenommen: 2 Buchungen." in printed
    assert "  1  3. April 2026 (Tag zuerst)" in printed


async def test_the_console_goes_on_in_the_language_that_was_spoken_last(tmp_path):
    async with desk(tmp_path) as opened:
        printed = await opened.talk(
            "/sample", "Wie viel habe ich letzten Monat ausgegeben?", "/export", "thanks", "/export"
        )
    german, english = "Wohin? /export PFAD", "Where to? /export PATH"
    assert printed.index(german) < printed.index(english)


def test_every_command_says_in_german_what_it_does():
    with untold_in("de") as untold:
        from language.catalogue import translated

        for command in COMMANDS.values():
            translated(command.meaning, "de")
    assert not untold


@pytest.mark.parametrize(
    ("named", "locale"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de_DE"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"}, None),
        ({"LANG": "en_GB.UTF-8"}, None),
        ({"LANG": "C.UTF-8"}, None),
        ({}, None),
    ],
)
def test_a_terminal_tells_its_language(monkeypatch, named, locale):
    for name in LANGUAGES:
        monkeypatch.delenv(name, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    assert terminal_locale() == locale


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONEY_MINDER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MONEY_MINDER_MODEL", "builtin")
    for name in LANGUAGES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("MONEY_MINDER_NOW", "2026-11-21T12:00:00")
    monkeypatch.setattr("bots.logs.configure_logs", lambda _level: None)  # it would log to this test's output for ever

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        return code, *capsys.readouterr()

    return run


def test_the_command_speaks_german_at_a_german_terminal(command, bank, tmp_path):
    with untold_in("de") as untold:
        code, said, _ = command("import", str(bank))
        lines = said.splitlines()
        assert (code, lines[0]) == (0, "2 Buchungen importiert, 5.–9. Oktober 2026")
        assert lines[1].startswith(f"{bank}: 2 Buchungen, 2 hinzugefügt, 1 ausgelassen · csv · ")
        assert "27,50\xa0€ bei REWE seit dem 1. Oktober 2026" in command("ask", "Rewe")[1].splitlines()
        assert command("export", "--output", str(tmp_path / "out.csv"))[1].startswith("2 Buchungen in ")
        assert command("undo")[1] == "Zurückgenommen: 2 Buchungen.\n"
        assert command("undo")[2] == "money-minder: Es gibt keinen Import mehr, den du zurücknehmen könntest.\n"
        assert command("forget")[2] == "money-minder: Ohne --yes wird nichts gelöscht.\n"
        assert command("period", "letzten Monat")[1] == "2026-10-01 bis 2026-10-31\n"
    assert not untold
    assert json.loads(command("undo", "--json")[1] or "{}") == {}


def test_a_setting_counts_before_the_terminal(command, bank, monkeypatch):
    monkeypatch.setenv("MONEY_MINDER_LOCALE", "en_US")
    assert "2 transactions, 2 added, 1 left out · " in command("import", str(bank))[1].splitlines()[1]


async def test_whoever_serves_others_does_not_speak_the_language_of_the_machine(tmp_path, monkeypatch):
    import argparse

    from bots.cli.speaking import at_terminal

    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    settings = Settings(data_dir=tmp_path, discord={"token": "x" * 60})
    assert at_terminal(settings, argparse.Namespace(command="run")).locale is None
    assert at_terminal(settings, argparse.Namespace(command="chat")).locale == "de_DE"
    async with open_app(at_terminal(settings, argparse.Namespace(command="ask"))) as app:
        assert (await app.tool_context(console_person(None))).language == "de"
