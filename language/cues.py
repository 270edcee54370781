"""Words by which a factor of a question is told where the reader's guess is not enough, in English and German.

All are matched in text that is folded in place (:func:`language.words.fold_in_place`).
"""

from __future__ import annotations

import re

NTH = {
    2: re.compile(r"\b(?:second|2nd|zweit\w*)\b"),
    3: re.compile(r"\b(?:third|3rd|dritt\w*)\b(?! quart)"),
    4: re.compile(r"\b(?:fourth|4th|viert\w*)\b(?! quart)"),
}
SALARY = re.compile(r"salar|wage|pay ?che|pay ?day|pay ?rise|raise|gehalt|lohn|verdien|\bi paid\b|take home")
WEEKDAY = re.compile(r"\b(?:weekdays?|days? of the week|wochentag\w*)\b")
FROM_TO = re.compile(r"\b(?:from|between|von|zwischen)\s+(.+?)\s+(?:to|and|bis|auf|und|zum)\s+(.+)", re.IGNORECASE)
TO_SAVINGS = re.compile(
    r"\b(?:to|into|in|onto|auf|aufs|ins?|zum) (?:(?:my|the|our|mein|meine|das|unser|unsere) )?(?:\w+ )?"
    r"(?:savings?\b|spar\w*|tagesgeld\w*|festgeld\w*|isa\b|vault\b|rucklagen?\b)"
)
SUBSCRIBED = re.compile(r"subscri|\babo|abonn|streaming|membership|mitgliedschaft|\bsubs\b")
QUARTERS = re.compile(r"\bquarter(?:s|ly)?\b|\bquartal\w*")
AVERAGE_OF = re.compile(r"\b(?:average|typical|avg) (day|week|month|quarter|year)\b")
FELL = re.compile(
    r"\b(?:fell|fall|fallen|drop\w*|decreas\w*|sank|shrank|down|less|gesunken|gefallen|weniger|abgenommen)\b"
)
STILL = re.compile(r"\bstill\b|\bnoch\b|\bcurrently\b")
STOPPED = re.compile(
    r"\b(?:stop\w*|cancel\w*|end\w*|quit|dropped|no longer|any ?more|gekundigt|beendet|aufgehort|nicht mehr|weggefallen)\b"
)
NEW = re.compile(
    r"\b(?:new\w*|neu\w*|start\w*|began|begun|signed up|added|dazu\w*|hinzu\w*|angefangen|abgeschlossen)\b"
)
MORE = re.compile(r"\b(?:more|higher|raise|mehr|hoher\w*)\b")
#: What of a list of what recurs is asked for, the first that fits.
WANTED = (
    ("new", NEW),
    ("ended", STOPPED),
    ("count", re.compile(r"\b(?:how many|number of|wie viele|wieviele|anzahl)\b")),
    (
        "sum",
        re.compile(
            r"\b(?:cost\w*|spend\w*|add up|sum|total|altogether|how much|kosten|kostet|zahle\w*|summe|insgesamt|wie viel|wieviel)\b"
        ),
    ),
)
SAVED = re.compile(r"sav|spar|tagesgeld|rucklage|put (?:away|aside)")
OF_INCOME = re.compile(r"income|earn|salary|pay ?check|wage|einkommen|gehalt|lohn|verdien|einnahmen")
MONTHS = re.compile(r"\bmonths?\b|\bmonate?\b")
CHARGED = re.compile(
    r"\b(?:charg\w*|paid|pay|cost\w*|overdraft|gezahlt|bezahlt|zahle\w*|soll\w*|dispo\w*|uberzieh\w*|kredit\w*|credit card)\b"
)
