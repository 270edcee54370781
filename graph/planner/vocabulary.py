"""Words that the planner reads by, each language's in ``language/data``: function words, cues of follow-ups, exclusions.

What each list is for stands in ``language/data/en.toml``.
"""

from __future__ import annotations

from language.lexicon import listed, phrases

FUNCTION_WORDS = listed("function_words")

EXCLUSIONS = phrases("exclusions")
WEAK = phrases("weak_exclusions")
ORDERED = listed("orders")
ORDER_LEADS = listed("order_leads")
NEGATIONS = listed("negations")
RELATIVES = listed("relatives")
BEHIND = phrases("excluded_behind")
AROUND = (listed("taken_before"), listed("taken_behind"))
BETWEEN = listed("between")
FRAMES = listed("frames")
TRAILS = listed("trails")
NETTING = phrases("netting")
GIVEN_BACK = phrases("given_back")
DEDUCTED = listed("deducted")
JOINERS = listed("joiners")
INCLUSIONS = phrases("inclusions")
INCLUDED = phrases("included")

OPENERS = phrases("openers")
POINTERS = listed("pointers")
INTERJECTIONS = listed("interjections")
CORRECTIONS = phrases("corrections")
INSTEAD = listed("instead")
PURCHASE_NOUNS = listed("purchase_nouns")
BOTH = listed("both")
AFTER_PRONOUN = listed("after_pronoun")
BEFORE_RELATIVE = listed("before_relative")
EXISTING = listed("existing")
ADDERS = listed("adders")
NARROWERS = listed("narrowers")
WIDENERS = phrases("wideners")
EDITS = ADDERS | NARROWERS | listed("edits")

OF_BANKS = listed("of_banks")
FUTURE = listed("future")
TELLING_WORDS = listed("telling_words")
