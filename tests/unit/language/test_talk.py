"""What is small talk, and what only begins like it."""

from __future__ import annotations

import pytest

from language.talk import small_talk

SAID = {
    "greeting": ("hi", "Hello!", "hey there", "Good morning", "moin", "Hallo!", "Grüß Gott", "Grüezi", "wie geht's?"),
    "thanks": ("thanks", "ok thanks", "Thank you so much!", "cheers", "danke dir", "Vielen Dank!", "super, danke"),
    "farewell": ("bye", "Good night", "see you later", "tschüss", "Bis morgen!"),
    "who_are_you": ("who are you?", "are you a bot?", "is my data safe?", "Wer bist du?", "was ist das hier?"),
    "what_to_ask": (
        *("what can you do?", "What can I ask?", "hi, what can you do", "how does this work?", "show me some examples"),
        *(
            "was kannst du?",
            "Was kannst du alles?",
            "Hallo, was kann ich dich fragen?",
            "Hilf mir bitte",
            "wie geht das?",
        ),
    ),
    "how_to_delete": ("How do I delete everything?", "how can I delete my data", "Wie lösche ich alles?"),
    "how_to_undo": ("how do I undo", "How do I take back an import?", "Wie mache ich das rückgängig?"),
    "how_to_language": ("how do I change the language", "can I use this in German?", "Sprichst du Deutsch?"),
    "readable_files": ("what files can you read?", "can you read PDFs", "Welche Formate kannst du lesen?"),
    "bank_file": (
        *("How do I get my file from Chase?", "where can I download the CSV from Barclays", "how do I get a CSV file?"),
        *("how do I export my transactions from Bank of America?", "which format should I choose?"),
        *("Wie komme ich an meine Datei von der Sparkasse?", "Wo finde ich bei der ING die CSV?"),
        *("wie kriege ich die CSV-Datei von N26", "Wie kann ich meine Umsätze bei der Volksbank exportieren?"),
    ),
    "connect_bank": ("connect my bank", "can you connect to my bank account?", "Verbinde dich mit meiner Bank"),
}
#: Questions and requests, of which several begin as small talk does.
NOT_SMALL = (
    "hi, how much did I spend on groceries?", "thanks, and in September?", "what can I spend this month?",
    "how do I get a refund from Amazon?", "what did I get from Chase?", "how much did I get from PayPal?",
    "where did I spend the most?", "how do I export my data?", "what do you know about Netflix?", "good", "Wise",
    "danke, und im September?", "how do I undo my Netflix payment", "can I use my card", "was kann ich löschen", "was habe ich bei der ING bezahlt?", "wie viel habe ich von der Sparkasse bekommen?",
    "was kann ich noch ausgeben?", "wo war ich essen?", "ja", "yes", "", "?",
)  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SAID.items() for text in texts])
def test_small_talk_is_told_by_its_kind(kind: str, text: str) -> None:
    assert small_talk(text) == kind


@pytest.mark.parametrize("text", NOT_SMALL)
def test_a_question_is_no_small_talk(text: str) -> None:
    assert small_talk(text) is None
