"""The desk in German: its words follow the language of what they answer, or of the person's locale."""

from __future__ import annotations

import pytest

from ledger.preferences import set_preference
from tests.support.changes_house import buttons, desk_house
from tests.support.lookup_house import labels
from tests.support.untold import untold_in
from tests.unit.bots.desk.test_importing import BROKEN_ROW, UNCLEAR

COUNTED = "Ausgaben: Einkäufe, Rechnungen, Gebühren, gezahlte Zinsen, Kreditraten und Bargeld, abzüglich Erstattungen"
QUESTION = "Wie viel habe ich im Oktober für Lebensmittel ausgegeben?"


@pytest.fixture
async def dropping(tmp_path, clock):
    async with desk_house(tmp_path, clock) as opened:
        await opened.say("Wie viel habe ich im Oktober ausgegeben?")
        yield opened


async def as_a_german(house) -> None:
    await set_preference(await house.desk.repository(house.alice), "locale", "de_DE")


async def test_someone_with_a_german_locale_is_greeted_in_german(house) -> None:
    await as_a_german(house)
    await house.platform.occur(house.alice, "welcome")
    await house.runner.idle()
    greeting = house.platform.visible_to(house.alice)[-1].reply
    assert greeting.headline == "Ich beantworte Fragen zu deinem eigenen Geld."
    assert "Lade bei deiner Bank eine CSV- oder OFX-Datei herunter und leg sie hier ab." in greeting.plain()
    assert labels(greeting) == ["Mit erfundenen Daten ausprobieren"]


async def test_a_word_of_a_command_is_no_sign_of_english(house) -> None:
    await as_a_german(house)
    for words in ("help", "Hilfe"):
        reply = (await house.say(words)).reply
        assert reply.headline == "Frag in deinen eigenen Worten, auf Deutsch oder Englisch, zum Beispiel:"
        assert "· Merk dir, dass die Miete am 3. fällig ist\n" in reply.plain()
        assert "· /money summary [period]: was du ausgegeben hast, nach Kategorie\n" in reply.plain()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("hallo", "Hallo. Frag mich in deinen eigenen Worten nach deinem Geld; „Hilfe“ zeigt, was du fragen kannst."),
        ("Danke", "Gern geschehen."),
        ("hello", "Hello. Ask about your money in your own words; “help” shows what can be asked."),
    ],
)
async def test_a_courtesy_is_returned_in_its_language(house, words, told) -> None:
    assert (await house.say(words)).reply.headline == told


async def test_made_up_data_is_offered_and_brought_in_in_german(house) -> None:
    await as_a_german(house)
    offered = await house.say("Beispieldaten")
    assert offered.reply.headline == "Zwei Jahre Buchungen eines erfundenen Haushalts einfügen?"
    done = await house.press(offered, "Daten einfügen")
    assert done.reply.headline == "1.183 erfundene Buchungen importiert."
    *asked, undo = labels(done.reply)
    assert (asked[2], undo) == ("Gib mir eine Zusammenfassung des letzten Monats", "Rückgängig")
    for label in asked:
        assert (await house.press(done, label)).reply.kind == "answer", label


async def test_a_receipt_is_in_the_language_of_its_answer(house) -> None:
    await house.bring_sample()
    answer = await house.say(QUESTION)
    with untold_in("de") as untold:
        receipt = (await house.press(answer, "Beleg")).reply
        rows = (await house.press(answer, "Buchungen")).reply
    assert receipt.plain().splitlines()[:3] == [
        "Beleg: $655.71 für Lebensmittel im Oktober 2026",
        "Zeitraum: Oktober 2026: 1.–31. Oktober 2026",
        f"Gezählt: {COUNTED}",
    ]
    assert rows.headline == "Buchungen: $655.71 für Lebensmittel im Oktober 2026"
    again = (await house.say("receipt")).reply
    assert again.headline == "Beleg: $655.71 für Lebensmittel im Oktober 2026"
    assert not untold


async def test_deleting_is_asked_about_and_told_in_german(house) -> None:
    await house.bring_sample()
    await house.say(QUESTION)
    with untold_in("de") as untold:
        asked = await house.say("Gespräche löschen")
        assert asked.reply.headline == "1 Gespräch mit 1 Frage löschen?"
        assert labels(asked.reply) == ["Gespräche löschen", "Abbrechen"]
        assert (await house.press(asked, "Abbrechen")).reply.headline == "Es wurde nichts geändert."
        assert (await house.say("vergiss alles")).reply.headline == (await house.say("alles löschen")).reply.headline
        asked = await house.say("lösche meine Daten")
        assert asked.reply.headline.startswith("1,183 Buchungen aus 1 Import, 1 Gespräch, 0 Notizen")
        done = await house.press(asked, "Alles löschen")
    assert done.reply.headline == "Gelöscht: 1,183 Buchungen und alle Gespräche, Notizen und Einstellungen."
    assert not untold


async def test_settings_are_told_in_german(house) -> None:
    await as_a_german(house)
    with untold_in("de") as untold:
        shown = (await house.say("Einstellungen")).reply
        assert (shown.headline, labels(shown)) == ("Das sind deine Einstellungen.", ["Einstellungen ändern"])
        done = await house.command("save-settings", payday="25")
        assert done.reply.headline == "Eine Einstellung geändert."
        assert labels(done.reply) == ["Rückgängig"]
        refused = await house.command("save-settings", payday="99")
    assert refused.reply.headline == "Zahltag kann nicht „99“ sein; ein Beispiel ist 25."
    assert not untold


async def test_the_order_of_day_and_month_is_asked_and_told_in_german(dropping) -> None:
    asked = await dropping.drop(("unklar.csv", UNCLEAR))
    assert asked.reply.headline == "Ist 03/04/2026 in unklar.csv der 3. April 2026 oder der 4. März 2026?"
    assert buttons(asked.reply) == ["3. April 2026 (Tag zuerst)", "4. März 2026 (Monat zuerst)", "Spalten …"]
    shown = await dropping.say("Tag zuerst")
    assert shown.reply.headline == "2 neue Buchungen in unklar.csv"
    assert "3. April – 5. Juni 2026 · Ausgang CA$5.50 in 2 Zeilen" in shown.reply.plain()


async def test_a_file_is_shown_imported_and_taken_back_in_german(dropping) -> None:
    shown = await dropping.drop(("kaputt.csv", BROKEN_ROW))
    assert "3 neue Buchungen in kaputt.csv\n3 Buchungen, 3 neu, 1 ausgelassen · csv · Kaputt" in shown.reply.plain()
    assert "Zeile 5 ausgelassen: " in shown.reply.plain()
    done = await dropping.press(shown, "Importieren")
    assert done.reply.headline == "3 Buchungen importiert, 1.–31. Oktober 2026"
    question, unfiled, undo = buttons(done.reply)
    assert (question, undo) == ("Wie viel habe ich im Oktober 2026 ausgegeben?", "Rückgängig")
    assert unfiled == "Welche Händler haben keine Kategorie?"
    assert "942.10" in (await dropping.press(done, question)).reply.headline
    assert (await dropping.press(done, undo)).reply.headline == "Zurückgenommen: 3 Buchungen."
    assert (await dropping.press(done, undo)).reply.headline == "Das ist schon erledigt."
