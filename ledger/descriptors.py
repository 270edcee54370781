"""The words that banks and card processors put around a merchant's name; the data file says what each list is."""

from __future__ import annotations

from ledger.wordlists import phrases, words

_FILE = "descriptors.txt"

PROCESSORS = frozenset(words(_FILE, "processors"))
BARE_PROCESSORS = frozenset(words(_FILE, "bare processors"))
COLLECTORS = phrases(_FILE, "collectors")
CUTS = frozenset(words(_FILE, "cuts"))
SOFT_CUTS = frozenset(words(_FILE, "soft cuts"))
CUT_PAIRS = frozenset(tuple(pair.split()) for pair in phrases(_FILE, "cut pairs"))
LEGAL_FORMS = frozenset(words(_FILE, "legal forms"))
OWN_WORDS = frozenset(words(_FILE, "processors' own words"))
STRONG_LEGAL_FORMS = frozenset(words(_FILE, "strong legal forms"))
LONG_NAMES_FORMS = frozenset(words(_FILE, "long names' legal forms"))
PURPOSES = frozenset(words(_FILE, "purposes"))
BETWEEN_PEOPLE = PURPOSES | frozenset(words(_FILE, "between people")) | frozenset(words("given_names.txt", "kin"))
INVOICES = frozenset(words(_FILE, "invoices"))
LOOSE_ENDS = frozenset(words(_FILE, "loose ends"))
BRANCH_WORDS = frozenset(words(_FILE, "branch words"))
COUNTRIES = frozenset(words(_FILE, "countries"))
STATES = frozenset(words(_FILE, "states"))
REGIONS = frozenset(words(_FILE, "regions"))
CITY_STARTS = frozenset(words(_FILE, "city starts"))
CITY_HERALDS = frozenset(words(_FILE, "city heralds"))
CITIES = frozenset(phrases(_FILE, "cities"))
BUSINESSES = frozenset(words(_FILE, "businesses"))
ACRONYMS = frozenset(words(_FILE, "acronyms"))
SMALL_WORDS = frozenset(words(_FILE, "small words"))
