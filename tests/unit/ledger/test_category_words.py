"""A person's words for a category, against the categories that their ledger has."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.category_words import How, find_category_words, is_ambiguous, match_categories
from ledger.placement import place_name
from ledger.taxonomy import CATEGORIES
from tests.support.tables import every

MINT_LIST = """
transport: Auto & Transport;Gas & Fuel;Parking;Public Transportation;Ride Share;Rental Car & Taxi;Service & Parts
loans: Auto Payment;Student Loan;Loans;Loan Insurance;Loan Payment;Loan Principal
insurance: Auto Insurance;Fraud Protection;Health Insurance;Home Insurance;Life Insurance
housing: Bills & Utilities;Home Phone;Internet;Mobile Phone;Television;Utilities;Home;Furnishings
housing: Home Improvement;Home Services;Home Supplies;Lawn & Garden;Mortgage & Rent;Mortgage Payment
business: Business Services;Advertising;Financial;Legal;Office Supplies;Printing;Shipping;Financial Advisor
education: Education;Books & Supplies;Tuition
entertainment: Entertainment;Amusement;Movies & DVDs;Music
shopping: Shopping;Arts;Newspapers & Magazines;Domain Names;Hosting;Books;Clothing;Electronics & Software;Hobbies
fees: Fees & Charges;ATM Fee;Bank Fee;Finance Charge;Late Fee;Service Fee;Trade Commissions;Loan Fees and Charges
fees: Loan Interest
food: Food & Dining;Alcohol & Bars;Coffee Shops;Fast Food;Food Delivery;Groceries;Restaurants
gifts: Gifts & Donations;Charity;Gift
health: Health & Fitness;Dentist;Doctor;Eyecare;Gym;Pharmacy;Sports;Sporting Goods
income: Income;Bonus;Interest Income;Paycheck;Reimbursement;Rental Income;Returned Purchase;Dividend & Cap Gains
income: Deposit
savings: Investments;Buy;Sell
kids: Kids;Allowance;Baby Supplies;Babysitter & Daycare;Child Support;Kids Activities;Toys
other: Misc Expenses;Check
personal_care: Personal Care;Hair;Laundry;Spa & Massage
pets: Pets;Pet Food & Supplies;Pet Grooming;Veterinary
taxes: Taxes;Federal Tax;Local Tax;Property Tax;Sales Tax;State Tax
transfers: Transfer;Credit Card Payment;Transfer for Cash Spending
travel: Travel;Air Travel;Hotel;Vacation
cash: Cash & ATM;Withdrawal
"""
MINT = [
    (group, name)
    for group, names in (line.split(": ") for line in MINT_LIST.strip().splitlines())
    for name in names.split(";")
]
ALL_MINT = [name for _, name in MINT]
LEDGER_LIST = """
Shopping;Mortgage & Rent;Restaurants;Credit Card Payment;Movies & DVDs;Home Improvement;Utilities;Music
Mobile Phone;Gas & Fuel;Groceries;Paycheck;Fast Food;Coffee Shops;Internet;Haircut;Alcohol & Bars
Auto Insurance;Entertainment;Food & Dining;Television;Electronics & Software
"""
LEDGER = [name for line in LEDGER_LIST.split("\n") for name in line.split(";") if name]
OURS = [category.name for category in CATEGORIES.values() if not category.finer]


@every(("group", "name"), MINT)
def test_mints_categories_are_placed(group: str, name: str) -> None:
    """Every category of the commonest export stands in the right group of ours."""
    placed = place_name(name)
    assert placed is not None
    found = placed.primary
    assert group in {found.key, found.parent, found.parent and CATEGORIES[found.parent].parent}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Bars & Restaurants", "restaurants"),
        ("Lebensmittel", "groceries"),
        ("Haushalt & Miete", "housing"),
        ("Transport & Auto", "transport"),
        ("Freizeit & Unterhaltung", "entertainment"),
        ("Reisen & Urlaub", "travel"),
        ("Medien & Elektronik", "electronics"),
        ("Food:Groceries", "groceries"),
        ("Expenses:Auto:Gas", "fuel"),
        ("Wohnen > Miete", "rental"),
        ("Kfz-Versicherung", "car_insurance"),
        ("Hausratversicherung", "contents_insurance"),
        ("Versicherungen & Finanzen", "insurance"),
        ("Gesundheit & Drogerie", "health"),
        ("Stromkosten", "electricity"),
        ("Internet & Handy", "phone"),
        ("Sparen & Investieren", "savings"),
        ("Kids' school", "education"),
        ("Eating Out", "restaurants"),
        ("Baeckerei", "bakery"),
        ("Dad's workshop", None),
        ("", None),
        ("&", None),
    ],
)
def test_other_names_are_placed_by_their_words(name: str, key: str | None) -> None:
    """German, hierarchical, compound and unknown names."""
    placed = place_name(name)
    assert (placed.primary.key if placed else None) == key


def test_all_our_names_are_placed_where_they_stand() -> None:
    """Both of our names for a category lead back to it."""
    for category in CATEGORIES.values():
        for name in (category.name, category.german):
            placed = place_name(name)
            assert placed is not None
            assert placed.primary.name == category.name or name in {"Mietwagen", "Miete", "Bahn", "Streaming"}


@pytest.mark.parametrize(
    ("words", "names", "how"),
    [
        ("groceries", ["Groceries"], How.EXACT),
        ("GROCERIES", ["Groceries"], How.EXACT),
        ("grocery", ["Groceries"], How.EXACT),
        ("grocery shopping", ["Groceries"], How.SYNONYM),
        ("grocery spending", ["Groceries"], How.EXACT),
        ("Lebensmittel", ["Groceries"], How.SYNONYM),
        ("grocries", ["Groceries"], How.FUZZY),
        ("restaurnats", ["Restaurants"], How.FUZZY),
        (
            "food",
            ["Restaurants", "Groceries", "Fast Food", "Coffee Shops", "Alcohol & Bars", "Food & Dining"],
            How.GROUP,
        ),
        (
            "Essen",
            ["Restaurants", "Groceries", "Fast Food", "Coffee Shops", "Alcohol & Bars", "Food & Dining"],
            How.GROUP,
        ),
        ("food and dining", ["Food & Dining"], How.EXACT),
        ("eating out", ["Restaurants", "Fast Food"], How.GROUP),
        ("essen gehen", ["Restaurants", "Fast Food"], How.GROUP),
        ("Restaurantbesuche", ["Restaurants"], How.SYNONYM),
        ("coffee", ["Coffee Shops"], How.SYNONYM),
        ("Kaffee", ["Coffee Shops"], How.SYNONYM),
        ("gas", ["Gas & Fuel"], How.SYNONYM),
        ("petrol", ["Gas & Fuel"], How.SYNONYM),
        ("tanken", ["Gas & Fuel"], How.SYNONYM),
        ("gas bill", ["Utilities"], How.BROADER),
        ("Strom", ["Utilities"], How.BROADER),
        ("rent", ["Mortgage & Rent"], How.SYNONYM),
        ("Miete", ["Mortgage & Rent"], How.SYNONYM),
        ("phone", ["Mobile Phone"], How.SYNONYM),
        ("Handyrechnung", ["Mobile Phone"], How.SYNONYM),
        ("transportation", ["Gas & Fuel", "Auto Insurance"], How.GROUP),
        ("car insurance", ["Auto Insurance"], How.SYNONYM),
        ("Autoversicherung", ["Auto Insurance"], How.SYNONYM),
        ("haircuts", ["Haircut"], How.EXACT),
        ("movies", ["Movies & DVDs"], How.SYNONYM),
        ("shopping", ["Shopping"], How.EXACT),
        ("paychecks", ["Paycheck"], How.EXACT),
    ],
)
def test_words_of_a_person(words: str, names: list[str], how: How) -> None:
    """The first reading is the one a person means."""
    best = match_categories(words, LEDGER)[0]
    assert list(best.names) == names
    assert best.how is how


@pytest.mark.parametrize("words", ["flights", "Haustiere", "quantum physics", "", "   ", "and", "pets and kids"])
def test_what_the_ledger_does_not_have_matches_nothing(words: str) -> None:
    """No category is better than a wrong one."""
    assert match_categories(words, LEDGER) == []
    assert match_categories(words, []) == []


def test_a_group_word_that_is_a_category_too_means_the_category_first() -> None:
    """“Entertainment” is exact; the whole group is the second reading, far enough behind."""
    first, second = match_categories("entertainment", LEDGER)[:2]
    assert (first.how, list(first.names)) == (How.EXACT, ["Entertainment"])
    assert set(second.names) == {"Entertainment", "Movies & DVDs", "Music"}
    assert not is_ambiguous([first, second])


def test_two_close_readings_are_visible() -> None:
    """“Gas” in a ledger that says neither, and “Einkäufe”, need a question."""
    assert is_ambiguous(match_categories("gas", ["Fuel", "Utilities"]))
    assert not is_ambiguous(match_categories("gas", LEDGER))
    assert is_ambiguous(match_categories("Einkäufe", ["Lebensmittel", "Shopping"]))


def test_our_own_and_german_ledgers() -> None:
    """The same words work whatever language the ledger's categories are in."""
    assert match_categories("Auto", OURS)[0].names == ("Car",)
    assert match_categories("groceries", ["Lebensmittel", "Miete"])[0].names == ("Lebensmittel",)
    assert match_categories("rent", ["Lebensmittel", "Haushalt & Miete"])[0].names == ("Haushalt & Miete",)
    assert match_categories("food", ["Lebensmittel", "Bars & Restaurants", "Miete"])[0].names == (
        "Lebensmittel",
        "Bars & Restaurants",
    )
    assert match_categories("Dads workshop", ["Dad's workshop"])[0].names == ("Dad's workshop",)
    assert match_categories("workshop", ["Dad's workshop"])[0].names == ("Dad's workshop",)


@pytest.mark.parametrize(
    "sentence",
    [
        "How much did I spend at Whole Foods?",
        "whole foods last month",
        "what went to Pets at Home in October",
        "how much from pets at home",
        "How much at Denner",
        "Wie viel bezahle ich im Schnitt im Denner?",
        "was war das im Danner",
        "denner im oktober",
        "without the hearing",
    ],
)
def test_a_part_of_a_brand_or_a_name_is_no_category(sentence: str) -> None:
    assert find_category_words(sentence, LEDGER) == []


@pytest.mark.parametrize(
    ("sentence", "mention"),
    [
        ("how much on grocries", "grocries"),
        ("Wie viel für Restaurnat", "Restaurnat"),
        ("Wie viel für Resteurant", "Resteurant"),
        ("how much on dinnar", "dinnar"),
        ("how much on heatting", "heatting"),
        ("how much on haeting", "haeting"),
        ("how much at my gym", "gym"),
        ("at the coffee shop", "coffee shop"),
    ],
)
def test_slips_and_everyday_words_are_still_categories(sentence: str, mention: str) -> None:
    assert [found.text for found in find_category_words(sentence, LEDGER)] == [mention]


@pytest.mark.parametrize(("word", "category"), [("Denner", "Dinner"), ("hearing", "Heating")])
def test_a_brand_or_another_word_is_no_slip_of_a_category(word: str, category: str) -> None:
    assert match_categories(word, [category]) == []


@pytest.mark.parametrize(
    ("sentence", "mentions"),
    [
        ("How much did I spend on groceries last month?", ["groceries"]),
        ("what did I spend on food and coffee in March", ["food", "coffee"]),
        ("compare groceries and restaurants", ["groceries", "restaurants"]),
        ("Wie viel habe ich im Oktober für Lebensmittel ausgegeben?", ["Lebensmittel"]),
        ("Was habe ich für Essen gehen ausgegeben", ["Essen gehen"]),
        ("Restaurantbesuche im Mai", ["Restaurantbesuche"]),
        ("Stromkosten dieses Jahr", ["Stromkosten"]),
        ("how much for car insurance", ["car insurance"]),
        ("how much was gas & fuel in May", ["gas & fuel"]),
        ("did I spend more on gas or on public transport", ["gas", "public transport"]),
        ("total of grocries", ["grocries"]),
        ("what did eating out cost", ["eating out"]),
        ("how much on home in May", ["home"]),
        ("what about coffee shops?", ["coffee shops"]),
        ("credit card payment in May", ["credit card payment"]),
        ("when did I go home", []),
        ("of course show me everything", []),
        ("what's my income", []),
        ("how many transfers and fees", []),
        ("show all refunds", []),
        ("how much interest did I earn", []),
        ("how much cash did I take out", []),
        ("how much do I spend at Home Depot", []),
        ("What kind of spending did I do in general", []),
        ("How much did I spend in total?", []),
        ("Zeig mir alle Ausgaben über 50 Euro", []),
        ("largest purchase last month", []),
        ("how much did I spend recently during summer", []),
        ("", []),
    ],
)
def test_mentions_in_a_sentence(sentence: str, mentions: list[str]) -> None:
    """Whole words, the longest first; kind words and everyday words stay out."""
    found = find_category_words(sentence, LEDGER)
    assert [mention.text for mention in found] == mentions
    assert all(sentence[mention.start : mention.end] == mention.text for mention in found)


@pytest.mark.parametrize(
    ("sentence", "mentions"),
    [
        ("what's my income", []),
        ("total income and total spending in Q2", []),
        ("fees last year", []),
        ("what's in the income category", ["income"]),
        ("Kategorie Gebühren im Mai", ["Gebühren"]),
        ("late fees last year", ["late fees"]),
        ("was there a bonus", ["bonus"]),
    ],
)
def test_kind_words_count_where_they_are_called_a_category(sentence: str, mentions: list[str]) -> None:
    """“Income” asks for income, even where a file has a category of that name; finer names are the file's own."""
    found = find_category_words(sentence, ["Income", "Fees", "Gebühren", "Late Fee", "Bonus"])
    assert [mention.text for mention in found] == mentions


def test_a_category_that_the_ledger_lacks_is_still_a_mention() -> None:
    """So that the answer can say there is none, and not give the total."""
    (mention,) = find_category_words("how much on flights?", LEDGER)
    assert (mention.text, mention.matches) == ("flights", ())


@given(st.text(max_size=60), st.lists(st.text(max_size=15), max_size=5))
@settings(deadline=None)
def test_any_text(text: str, known: list[str]) -> None:
    """Nothing raises; matches name known categories only, spans are in order and apart."""
    for match in match_categories(text, known):
        assert set(match.names) <= set(known)
        assert 0 < match.score <= 1
    found = find_category_words(text, known)
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(text[mention.start : mention.end] == mention.text for mention in found)


@every("name", ALL_MINT)
def test_every_name_matches_itself_first(name: str) -> None:
    """Whatever its words mean, a category's own name is that category."""
    best = match_categories(name.lower(), ALL_MINT)[0]
    assert (best.names, best.how) == ((name,), How.EXACT)
