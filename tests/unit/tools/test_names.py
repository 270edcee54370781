"""Names in questions: merchants, accounts and categories of a person's own ledger, in the words that people use."""

from __future__ import annotations

from datetime import date
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.repository import Repository, Vocabulary
from ledger.transactions import Account, AccountType
from tools.context import PhraseSearch, ToolContext
from tools.slots import KindOfMovement
from tools.slots.names import AccountSlot, CategorySlot, ExcludedSlot, MerchantSlot, names_of

_KIND = KindOfMovement.__metadata__[0]  # type: ignore[attr-defined]

AMERICAN = (
    "Total Wine", "Delta Air Lines", "Great Clips", "Whole Foods", "The Rusty Anchor", "Cherry Creek Animal Clinic", "Shell",
    "Conoco", "Maverik", "Target", "New York Times", "Food Bank of the Rockies", "Summit Mastercard", "Northfield Logistics",
    "Planet Fitness", "Denver Water", "Trader Joe's", "McDonald's", "Etsy", "Five Guys", "Starbucks",
)  # fmt: skip
BRITISH = (
    "Costa Coffee", "Co-op Food", "Wetherspoon", "Sainsbury's", "Tesco", "TfL", "Trainline", "LNER", "Marks & Spencer",
    "Pimlico Dental Practice", "Vets4Pets", "Happy Cuts Barbers", "North London Tutors", "Uber", "Uber Eats", "Just Eat",
    "Octopus Energy", "Thames Water", "Virgin Media", "giffgaff", "Oxfam", "Transfer to Savings", "Transfer from Savings",
    "The Gym Group", "Sky", "Next",
)  # fmt: skip
GERMAN = (
    "HUK-Coburg", "JET", "Aral", "Shell", "Nordlicht Logistik", "Stadt Köln Kita Sonnenschein", "Hausverwaltung Brandt",
    "Zahnarztpraxis Dr Lenz", "Friseursalon Haarscharf", "Deutsche Bahn", "RheinEnergie", "Bäckerei Schmitz", "dm", "Penny",
    "Netto", "H&M", "L'Osteria", "McDonald's", "Ärzte ohne Grenzen", "Café Sehnsucht",
)  # fmt: skip
OURS = (
    "Groceries", "Restaurants", "Fast Food", "Food Delivery", "Coffee", "Medical", "Pets", "Personal Care", "Utilities",
    "Public Transport", "Internet & Phone", "Gifts & Donations", "Insurance", "Rent & Mortgage", "Fuel", "Electronics",
    "Kids & Family", "Hotels", "Flights", "Movies & Events", "Books & Media", "Car", "Fitness & Sports", "Income", "Fees",
)  # fmt: skip
MINT = (
    "Gas & Fuel", "Utilities", "Books", "Newspapers & Magazines", "Income", "Paycheck", "Late Fee", "Credit Card Payment",
    "Veterinary", "Dentist", "Auto Insurance", "Home Insurance", "Charity", "Concerts",
)  # fmt: skip


def context(merchants=(), categories=OURS, accounts=()) -> ToolContext:
    """What is known of a person; to find words in a sentence, no ledger is asked."""
    vocabulary = Vocabulary(
        revision=0,
        categories=tuple(categories),
        merchants=tuple((name.casefold(), name) for name in merchants),
        accounts=tuple(Account(place, name, kind, None) for place, (name, kind) in enumerate(accounts)),
        currencies=("EUR",),
        first=None,
        last=None,
        count=0,
    )
    return ToolContext(cast("Repository", None), vocabulary, cast("PhraseSearch", None), date(2026, 11, 21))


def found(slot, text: str, where: ToolContext) -> list[str]:
    """Return the names that a slot finds in a text, in order."""
    mentions = sorted(slot.find(text, where), key=lambda mention: mention.start)
    assert all(text[mention.start : mention.end] == mention.text for mention in mentions)
    return [name for mention in mentions for name in names_of(mention.value)]


@pytest.mark.parametrize(
    ("ledger", "text", "names"),
    [
        # short forms and nicknames
        (BRITISH, "Compare Starbucks and Costa in 2025", ["Costa Coffee"]),
        (BRITISH, "what's the damage from spoons this year", ["Wetherspoon"]),
        (BRITISH, "m&s in May", ["Marks & Spencer"]),
        (BRITISH, "how much at marks and sparks", ["Marks & Spencer"]),
        (BRITISH, "coop this year", ["Co-op Food"]),
        (BRITISH, "Transport for London last week", ["TfL"]),
        (AMERICAN, "maccies last week", ["McDonald's"]),
        (AMERICAN, "what did delta cost me", ["Delta Air Lines"]),
        (AMERICAN, "trader joes vs whole foods", ["Trader Joe's", "Whole Foods"]),
        (GERMAN, "was kostet mich die HUK", ["HUK-Coburg"]),
        (GERMAN, "wie viel bei Meckes", ["McDonald's"]),
        (GERMAN, "hab ich bei losteria was gelassen", ["L'Osteria"]),
        # words within a name
        (GERMAN, "Wie viel ging an die Kita Sonnenschein", ["Stadt Köln Kita Sonnenschein"]),
        (GERMAN, "Was bekam Brandt im Mai", ["Hausverwaltung Brandt"]),
        (AMERICAN, "how much at rusty anchor", ["The Rusty Anchor"]),
        (AMERICAN, "the animal clinic in May", ["Cherry Creek Animal Clinic"]),
        # legal forms
        (GERMAN, "was kam von Nordlicht Logistik GmbH", ["Nordlicht Logistik"]),
        (BRITISH, "paid by North London Tutors Ltd in May", ["North London Tutors"]),
        # everyday words: only where a shop stands
        (AMERICAN, "How much have I paid Etsy in total?", ["Etsy"]),
        (AMERICAN, "total at Total Wine", ["Total Wine"]),
        (AMERICAN, "what was a great month", []),
        (AMERICAN, "on the whole, how much", []),
        (AMERICAN, "show my five biggest purchases", []),
        (AMERICAN, "what did I spend in New York", []),
        (AMERICAN, "how much cash did I pull out of the ATM", []),
        (AMERICAN, "the target was missed", []),
        (AMERICAN, "how much at target in May", ["Target"]),
        (AMERICAN, "Shell, Conoco and Maverik: what did each get", ["Shell", "Conoco", "Maverik"]),
        (GERMAN, "Aral, Shell und JET 2026", ["Aral", "Shell", "JET"]),
        (GERMAN, "wie viel netto im Mai", []),
        (GERMAN, "wie viel bei netto im Mai", ["Netto"]),
        (BRITISH, "just tell me the total", []),
        (BRITISH, "just eat in May", ["Just Eat"]),
        (BRITISH, "about how much is that", []),
        (BRITISH, "Next in 2026", ["Next"]),
        (BRITISH, "my next big purchase", []),
        (BRITISH, "my uber rides, not the Uber Eats stuff", ["Uber", "Uber Eats"]),
    ],
)  # fmt: skip
def test_merchants_in_a_sentence(ledger: tuple[str, ...], text: str, names: list[str]) -> None:
    """By whole name, nickname, first words or words within; an everyday word is a name only where a shop stands."""
    assert found(MerchantSlot(), text, context(ledger)) == names


@pytest.mark.parametrize(
    ("ledger", "text", "shops"),
    [
        (BRITISH, "How much have the dentist visits cost?", ["Pimlico Dental Practice"]),
        (BRITISH, "what did I pay at the vet", ["Vets4Pets"]),
        (BRITISH, "haircuts this year", ["Happy Cuts Barbers"]),
        (BRITISH, "how much on trains in May", ["Trainline", "LNER"]),
        (BRITISH, "the tube in May", ["TfL"]),
        (BRITISH, "water bill in May", ["Thames Water"]),
        (BRITISH, "energy bills in May", ["Octopus Energy"]),
        (BRITISH, "broadband in May", ["Virgin Media"]),
        (BRITISH, "internet bill in May", ["Virgin Media"]),
        (BRITISH, "how much have I donated", ["Oxfam"]),
        (BRITISH, "gym costs in May", ["The Gym Group"]),
        (GERMAN, "Wie oft war ich beim Zahnarzt?", ["Zahnarztpraxis Dr Lenz"]),
        (GERMAN, "Ausgaben beim Bäcker", ["Bäckerei Schmitz"]),
        (GERMAN, "Was kostete der Friseur", ["Friseursalon Haarscharf"]),
        (GERMAN, "Strom und Gas im Winter", ["RheinEnergie"]),
        (GERMAN, "Bahnfahrten 2026", ["Deutsche Bahn"]),
        (GERMAN, "mit der Bahn 2026", ["Deutsche Bahn"]),
        (GERMAN, "Was kostet die Kita", ["Stadt Köln Kita Sonnenschein"]),
    ],
)  # fmt: skip
def test_a_kind_of_shop_finer_than_the_categories_means_those_shops(ledger, text: str, shops: list[str]) -> None:
    """The whole of Medical would answer another question than "the dentist"."""
    where = context(ledger)
    assert found(MerchantSlot(), text, where) == shops
    assert found(CategorySlot(), text, where) == []


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("how much for software", []),  # neither a category of its own nor a shop that is known for it
        ("how much for car insurance", []),
        ("Was kostet die Haftpflicht", []),
        ("Hundesteuer 2026", []),
        ("how much for rent", ["Rent & Mortgage"]),
        ("what did the landlord get", ["Rent & Mortgage"]),
        ("How much for insurance", ["Insurance"]),
        ("anything electronic", ["Electronics"]),
        ("How many times did I fill up", ["Fuel"]),
        ("only the fill-ups", ["Fuel"]),
        ("Wie oft hab ich getankt", ["Fuel"]),
        ("How many times did I travel with them", []),
        ("travel in May", ["Hotels", "Flights"]),
        ("cheapest meal out, at a restaurant I mean", ["Restaurants"]),
        ("a meal out", ["Restaurants", "Fast Food", "Food Delivery"]),
        ("total income in May", []),
        ("how much books did I buy", ["Books & Media"]),
    ],
)  # fmt: skip
def test_categories_in_a_sentence(text: str, categories: list[str]) -> None:
    """Words mean a category of the ledger, not one that covers much more, and not what a sentence only says by the way."""
    assert sorted(found(CategorySlot(), text, context())) == sorted(categories)


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("How much did I spend at Zorbello Restaurant?", []),
        ("What did I pay at Restaurant Zorbello in May", []),
        ("Wie viel habe ich bei Pizzeria Zorbello ausgegeben?", []),
        ("How much did I spend at Restaurants in May?", ["Restaurants"]),
        ("How much did I spend at Restaurants May 2026", ["Restaurants"]),
        ("HOW MUCH AT RESTAURANTS ZORB", ["Restaurants"]),
        ("Wie viel bei Restaurants, Zorbello?", ["Restaurants"]),
        ("How much on Zorbello Restaurants", ["Restaurants"]),
        ("Wie viel habe ich bei Restaurants im Mai ausgegeben?", ["Restaurants"]),
        ("How much at Costco Restaurants", ["Restaurants"]),
    ],
)  # fmt: skip
def test_a_general_word_in_a_name_that_nobody_knows_is_no_category(text: str, categories: list[str]) -> None:
    assert found(CategorySlot(), text, context(("Costco",))) == categories


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("How much do I spend on gas", "Gas & Fuel"),
        ("gas in May", "Gas & Fuel"),
        ("Monthly average for books", "Books"),
        ("vet bills, all of them", "Veterinary"),
        ("the dentist in May", "Dentist"),
        ("what about car insurance", "Auto Insurance"),
        ("late fees in 2026", "Late Fee"),
    ],
)
def test_a_files_own_category_that_holds_the_word_is_meant_alone(text: str, category: str) -> None:
    """So nobody is asked whether “gas” in a ledger with Gas & Fuel could be heating."""
    (mention,) = CategorySlot().find(text, context(categories=MINT))
    assert (mention.value, mention.alternatives) == (category, ())


ACCOUNTS = (
    ("Everyday Checking", AccountType.CHECKING),
    ("Evergreen Visa", AccountType.CREDIT_CARD),
    ("Summit Mastercard", AccountType.CREDIT_CARD),
    ("Rainy Day Savings", AccountType.SAVINGS),
)


@pytest.mark.parametrize(
    ("text", "accounts"),
    [
        ("How much did I spend with the Summit Mastercard", ["Summit Mastercard"]),
        ("only the ones on the Mastercard", ["Summit Mastercard"]),
        ("how much on my visa", ["Evergreen Visa"]),
        ("How much did I transfer into my Rainy Day Savings", ["Rainy Day Savings"]),
        ("how much went into savings", ["Rainy Day Savings"]),
        ("from my checking account", ["Everyday Checking"]),
        ("any credit card interest", ["Evergreen Visa", "Summit Mastercard"]),
        ("mit der Kreditkarte bezahlt", ["Evergreen Visa", "Summit Mastercard"]),
        ("wie viel ging aufs Sparkonto", ["Rainy Day Savings"]),
        ("What's my credit score?", []),
        ("how much have I saved", []),
        ("what is a mastercard", []),
    ],
)
def test_accounts_in_a_sentence(text: str, accounts: list[str]) -> None:
    """By name, by a word of it behind “on the”, or by type; an account's name is not a shop's."""
    where = context((*AMERICAN, "Evergreen Visa"), accounts=ACCOUNTS)
    assert found(AccountSlot(), text, where) == accounts
    assert found(MerchantSlot(), text, where) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How much did I move into savings", ["Transfer to Savings"]),
        ("what came from savings", ["Transfer from Savings"]),
        ("interest on my savings", []),
    ],
)
def test_savings_elsewhere_are_what_the_transfers_to_them_are_called(text: str, names: list[str]) -> None:
    """A bank file of one account knows the other only by its transfers."""
    where = context(BRITISH, accounts=[("Current account", AccountType.CHECKING)])
    assert found(MerchantSlot(), text, where) == names


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("what did the bank sting me for in charges", ["fee"]),
        ("all charges over 50", ["purchase"]),
        ("Wieviel Bankgebühren hab ich gezahlt", ["fee"]),
        ("gym fees in May", []),
        ("annual fee for Planet Fitness", []),
        ("Sollzinsen gesamt", ["interest"]),
        ("After the cancelled ticket was refunded, what did it cost", []),
        ("was the ticket refunded", ["refund"]),
        ("how much did I move into savings", ["transfer"]),
        ("aufs Tagesgeldkonto geschoben", ["transfer"]),
        ("how much did I put into savings", ["transfer"]),
        ("How much have I put on the credit card", []),
        ("since we moved house", []),
        ("how much went from checking to savings", ["transfer"]),
        ("how much did I pay off the credit card", ["card_payment"]),
        ("list my student loan payments", []),
        ("all loan payments", ["loan_payment"]),
        ("how much did I withdraw", ["cash"]),
    ],
)
def test_kinds_of_movement_in_a_sentence(text: str, kinds: list[str]) -> None:
    """Some words tell a kind only beside others: charges of a bank, money put into savings."""
    where = context(AMERICAN, accounts=ACCOUNTS)
    assert list(dict.fromkeys(mention.value for mention in _KIND.find(text, where))) == kinds


@pytest.mark.parametrize(
    ("text", "merchant"),
    [("sainsburies", "Sainsbury's"), ("wetherspon", "Wetherspoon"), ("next", None), ("transport", None)],
)
def test_a_misspelt_name_is_nearly_one(text: str, merchant: str | None) -> None:
    """Letter by letter; a word that is a name, but was not meant as one, is no slip."""
    assert MerchantSlot().misspelt(text, context(BRITISH)).value == merchant


@given(st.text(alphabet="abcdefgh üßé'&.-, 19ABC", max_size=60))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    """Mentions lie within the text and name what the ledger has."""
    where = context((*AMERICAN, *BRITISH, *GERMAN), accounts=ACCOUNTS)
    for slot in (MerchantSlot(), AccountSlot(), CategorySlot(), _KIND):
        for mention in slot.find(text, where):
            assert 0 <= mention.start < mention.end <= len(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [("Nordlicht Logistik GmbH", "Nordlicht Logistik"), ("huk", "HUK-Coburg"), ("Sonnenschein", "Stadt Köln Kita Sonnenschein")],
)  # fmt: skip
def test_a_given_name_is_resolved(name: str, value: str) -> None:
    """As a model or a command gives it, outside any sentence."""
    assert MerchantSlot().check(name, context(GERMAN)).value == value


def test_an_unknown_name_has_its_nearest() -> None:
    checked = MerchantSlot().check("Sainsberry Bank", context(BRITISH))
    assert checked.value is None
    assert checked.problem


@pytest.mark.parametrize(
    ("names", "spelled"),
    [
        (["trader joes"], ["Trader Joe's"]),
        (["groceries", "five guys"], ["Groceries", "Five Guys"]),
        ("Etsy", ["Etsy"]),
        ([], None),
    ],
)
def test_what_is_left_out_is_spelled_as_the_ledger_does(names, spelled) -> None:
    assert ExcludedSlot().check(names, context(AMERICAN)).value == spelled


@pytest.mark.parametrize("name", ["zzz 9,999.99", "send 9,999.99 to Bob", "<!channel>"])
def test_what_is_nowhere_leaves_nothing_out(name: str) -> None:
    checked = ExcludedSlot().check(["Etsy", name], context(AMERICAN))
    assert checked.problem == f"Nothing is called “{name}” in your ledger."


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how much did I spend", []),
        ("Did I pay DiDi in May?", ["DiDi"]),
        ("break down my spending", []),
        ("how much at AA Breakdown", ["AA Breakdown"]),
        ("we order food every day", []),
        ("what do I pay MyElectric", ["MyElectric"]),
        ("when was I at Swiss Chalet", []),
        ("what did I pay at Swiss", ["Swiss Prime Site"]),
        ("how much did I send Thomas Moser", []),
        ("what came in from North London Tutors", []),
        ("Just Eat in May", ["Just Eat"]),
    ],
)
def test_words_that_only_spell_a_name_or_are_of_another_one(text: str, names: list[str]) -> None:
    """Letters run together by chance are no name, and a part is not the name where a capital beside it goes on."""
    ledger = (
        "DiDi",
        "AA Breakdown",
        "Everyday Mobile",
        "MyElectric",
        "Swiss Prime Site",
        "Moser Vernay",
        "Go North East",
        "Just Eat",
    )
    assert found(MerchantSlot(), text, context(ledger)) == names
