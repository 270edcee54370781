"""Sentences that ask for one thing only are told from questions about money, in English and German."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.calibration import ENGLISH, FRESH, GERMAN
from tools.slots.modes import LEFT_MODE, MODE
from tools.slots.notes import FORGOTTEN, NOTE, TOPIC
from tools.slots.sentences import SentenceSlot
from tools.slots.settings import ASKED_SETTING, SETTING, VALUE

SLOTS = (NOTE, FORGOTTEN, TOPIC, SETTING, VALUE, ASKED_SETTING, MODE, LEFT_MODE)


def found(text):
    """Return what is found in a text by slot; the slots need no ledger."""
    return {mention.slot: mention.value for slot in SLOTS for mention in slot.find(text, None)}


REMEMBERED = [
    ("Remember that I share the rent with Anna.", "I share the rent with Anna"),
    ("remember: rent is 900", "rent is 900"),
    ("Hey, please remember that my landlord is Max Müller, please!", "my landlord is Max Müller"),
    ("Can you remember that groceries at Costco in October were for the party?",
     "groceries at Costco in October were for the party"),
    ("could you please note that I get paid late in December?", "I get paid late in December"),
    ("remember my week starts on Sunday", "my week starts on Sunday"),
    ("note: Netflix is shared", "Netflix is shared"),
    ("Note to self: cancel gym", "cancel gym"),
    ("make a note that coffee is a business expense", "coffee is a business expense"),
    ("Keep in mind that I moved in March 2026", "I moved in March 2026"),
    ("Don't forget that the car is leased. It costs 300 a month. How much is that?",
     "the car is leased. It costs 300 a month. How much is that"),
    ("remeber that x is y", "x is y"),
    ("Remember that I said “no”", "I said “no”"),
    ("Merk dir, dass ich die Miete mit Anna teile", "ich die Miete mit Anna teile"),
    ("Merke dir bitte: Miete ist 900", "Miete ist 900"),
    ("Kannst du dir bitte merken, dass Netflix geteilt wird?", "Netflix geteilt wird"),
    ("Notiere, dass das Auto geleast ist", "das Auto geleast ist"),
    ("Notiz: Miete am 1.", "Miete am 1"),
    ("Vergiss nicht, dass ich im Mai umgezogen bin", "ich im Mai umgezogen bin"),
    ("Behalte im Hinterkopf, dass Oma zahlt", "Oma zahlt"),
]  # fmt: skip
FORGETTING = [
    ("Forget that I share the rent with Anna", "I share the rent with Anna"),
    ("Forget the note about rent", "rent"),
    ("Please delete my note on Netflix.", "Netflix"),
    ("Forget the note “Netflix is shared”", "Netflix is shared"),
    ("forget all notes", "all"),
    ("Delete all of my memories", "all"),
    ("clear your memory", "all"),
    ("Forget everything you remember", "all"),
    ("Vergiss, dass ich die Miete teile", "ich die Miete teile"),
    ("Lösche die Notiz zur Miete", "Miete"),
    ("vergiss alle Notizen", "all"),
    ("vergiss alles, was du dir gemerkt hast", "all"),
]
LISTING = [
    ("What do you remember about me?", None),
    ("what do you remember about the rent?", "the rent"),
    ("Show my notes", None),
    ("notes", None),
    ("Which notes do you have?", None),
    ("What did I ask you to remember?", None),
    ("Was hast du dir gemerkt?", None),
    ("Was hast du dir über die Miete gemerkt?", "die Miete"),
    ("Zeig mir meine Notizen zu Netflix", "Netflix"),
]
WISHES = [
    ("set my time zone to Berlin", "time_zone", "Berlin"),
    ("Can you change my time zone to Europe/Vienna?", "time_zone", "Europe/Vienna"),
    ("time zone: Berlin", "time_zone", "Berlin"),
    ("use Berlin time", "time_zone", "Berlin"),
    ("reset my time zone", "time_zone", "default"),
    ("set my time zone back to the default", "time_zone", "default"),
    ("my week starts on Sunday", "week_start", "Sunday"),
    ("Start my week on Saturday", "week_start", "Saturday"),
    ("Set my week start to Monday", "week_start", "Monday"),
    ("use euros", "currency", "euros"),
    ("Use EUR please", "currency", "EUR"),
    ("make EUR my currency", "currency", "EUR"),
    ("Set my home currency to CHF", "currency", "CHF"),
    ("I get paid on the 25th", "payday", "the 25th"),
    ("I'm paid on the last day of the month", "payday", "the last day of the month"),
    ("my payday is the 15th", "payday", "15th"),
    ("forget my payday", "payday", "default"),
    ("set my payday to 32", "payday", "32"),
    ("change locale to German", "locale", "German"),
    ("switch to German", "locale", "German"),
    ("Stell meine Zeitzone auf Berlin", "time_zone", "Berlin"),
    ("Kannst du meine Zeitzone auf Wien stellen?", "time_zone", "Wien"),
    ("Setze meine Zeitzone zurück", "time_zone", "default"),
    ("Zeitzone zurücksetzen", "time_zone", "default"),
    ("Meine Woche beginnt am Sonntag", "week_start", "Sonntag"),
    ("Die Woche fängt am Montag an", "week_start", "Montag"),
    ("Nutze Euro", "currency", "Euro"),
    ("Setz die Währung auf Euro", "currency", "Euro"),
    ("Mein Gehalt kommt am 25.", "payday", "am 25"),
    ("Ich bekomme am 25. mein Gehalt", "payday", "am 25."),
    ("Ändere die Sprache auf Deutsch", "locale", "Deutsch"),
]
SHOWING = [
    ("show my settings", None),
    ("What are my settings?", None),
    ("What can I set?", None),
    ("What's my time zone?", "time_zone"),
    ("When does my week start?", "week_start"),
    ("Which currency do I use?", "currency"),
    ("Zeig mir meine Einstellungen", None),
    ("Welche Währung ist eingestellt?", "currency"),
]
BEGINNING = [
    ("Start a subscription audit", "subscription_audit"),
    ("Audit my subscriptions", "subscription_audit"),
    ("Starte die Abo-Prüfung", "subscription_audit"),
    ("start the month close", "month_close"),
    ("Let's close the month", "month_close"),
    ("Mach bitte den Monatsabschluss", "month_close"),
    ("Schließ den Monat ab", "month_close"),
    ("plain answers, please", "plain_answers"),
    ("Can you give me simple answers from now on?", "plain_answers"),
    ("Einfache Antworten bitte", "plain_answers"),
    ("Antworte mir in einfachen Worten", "plain_answers"),
]
ENDING = [
    ("Stop the focus", None),
    ("Back to normal", None),
    ("Fokus beenden", None),
    ("Beende den Fokus", None),
    ("Wieder normale Antworten", None),
    ("Leave the month close", "month_close"),
    ("Beende den Monatsabschluss", "month_close"),
    ("no more plain answers", "plain_answers"),
    ("Turn the subscription audit off", "subscription_audit"),
]
NOTHING = [
    "Should I remember to pay rent?",
    "Remember to pay rent",
    "Do you remember that I share the rent?",
    "Remember that time?",
    "Remember my last purchase?",
    "remember that",
    "I noted that the rent went up",
    "How much did I note down for groceries?",
    "Find note cards",
    "show notes and coins",
    "Forget that, how much did I spend?",
    "forget it",
    "Forget everything",
    "Delete all my transactions",
    "Set a reminder for tomorrow",
    "set my budget to 500",
    "Change the category of this purchase",
    "use all",
    "use the card",
    "I use Amazon",
    "I got paid on the 3rd",
    "I get paid on Fridays",
    "Is my time zone set to Berlin?",
    "Did you set my time zone to Berlin?",
    "Should I set my time zone to Berlin?",
    "The memo says: set my time zone to Berlin",
    "find “remember that”",
    "How much did I get paid in October?",
    "What currency is my checking account in?",
    "my language classes",
    "Cancel my subscription",
    "What is a month close?",
    "How much did I spend at Focus Gym?",
    "How much did I spend on subscriptions?",
    "stop",
    "focus",
    "",
    "?",
]


@pytest.mark.parametrize(("text", "note"), REMEMBERED)
def test_what_is_to_be_remembered(text, note):
    assert found(text) == {"note": note}


@pytest.mark.parametrize(("text", "words"), FORGETTING)
def test_what_is_to_be_forgotten(text, words):
    assert found(text) == {"forgotten": words}


@pytest.mark.parametrize(("text", "topic"), LISTING)
def test_what_notes_are_asked_for(text, topic):
    assert found(text) == {"topic": topic}


@pytest.mark.parametrize(("text", "setting", "value"), WISHES)
def test_what_setting_is_to_be_changed(text, setting, value):
    assert found(text) == {"setting": setting, "value": value}


@pytest.mark.parametrize(("text", "setting"), SHOWING)
def test_what_setting_is_asked_for(text, setting):
    assert found(text) == {"asked_setting": setting}


@pytest.mark.parametrize(("text", "mode"), BEGINNING)
def test_what_mode_begins(text, mode):
    assert found(text) == {"mode": mode}


@pytest.mark.parametrize(("text", "mode"), ENDING)
def test_what_mode_ends(text, mode):
    assert found(text) == {"left_mode": mode}


@pytest.mark.parametrize("text", [*NOTHING, *(case[0] for case in (*ENGLISH, *GERMAN, *FRESH))])
def test_any_other_sentence_is_left_alone(text):
    assert found(text) == {}


def test_the_mentions_of_a_sentence_take_up_the_whole_of_it():
    for text in [case[0] for case in (*FORGETTING, *LISTING, *WISHES, *SHOWING, *BEGINNING, *ENDING)]:
        mentions = sorted((m for slot in SLOTS for m in slot.find(text, None)), key=lambda m: m.start)
        assert (mentions[0].start, mentions[-1].end) == (0, len(text)), text
        assert all(one.end == other.start for one, other in itertools.pairwise(mentions)), text


def test_a_long_note_is_not_cut():
    note = "long " * 1000 + "end"
    assert found(f"Remember that {note}") == {"note": note}


@settings(deadline=None)
@given(st.text(min_size=1, max_size=80).filter(lambda text: any(map(str.isalnum, text))))
@example("how much did I spend at Costco in October? And then: set my time zone to Berlin.")
@example("DANKE")
def test_nothing_inside_a_note_is_read_as_anything_else(text):
    assert set(found(f"Note to self: {text}")) == {"note"}


@settings(deadline=None)
@given(st.text(max_size=300))
@example("the " * 500)
@example("set my time zone to " * 100)
@example("please " * 280 + "!")
@example("remember " * 200)
def test_any_text_can_be_looked_at(text):
    for slot in SLOTS:
        for mention in slot.find(text, None):
            assert 0 <= mention.start < mention.end <= len(text)
            assert mention.value != ""


@pytest.mark.parametrize("slot", SLOTS, ids=[slot.name for slot in SLOTS])
def test_a_value_is_judged_by_itself(slot: SentenceSlot):
    for value in slot.values:
        assert slot.check(value, None).value == value
    if slot.values:
        assert slot.check("nonsense", None).choices == slot.values
    elif slot is not TOPIC:
        assert slot.check("  ", None).problem
