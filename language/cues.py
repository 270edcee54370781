"""Words by which a factor of a question is told where the reader's guess is not enough, in English and German.

All are matched in text that is folded in place (:func:`language.words.fold_in_place`).
"""

from __future__ import annotations

import re

NTH = {
    2: re.compile(r"\b(?:second|2nd|zweit\w*|runner[- ]up)\b"),
    3: re.compile(r"\b(?:third|3rd|dritt\w*)\b(?! quart)"),
    4: re.compile(r"\b(?:fourth|4th|viert\w*)\b(?! quart)"),
}
SALARY = re.compile(r"salar|wage|pay ?che|pay ?day|pay ?rise|raise|gehalt|lohn|verdien|\bi paid\b|take home")
WEEKDAY = re.compile(r"\b(?:weekdays?|days? of the we\w*|wochentag\w*|wuchetag\w*)\b")
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
BY_HOW_MUCH = re.compile(
    r"\b(?:by how (?:much|many)|how much (?:more|less)|differ\w*|per ?cent\w*|prozent\w*|um wie ?viel\w*|wie ?viel (?:mehr|weniger)|"
    r"unterschied\w*)\b|%"
)
WHAT_CHANGED = re.compile(r"\b(?:which|where|why|what (?:changed|went|rose|fell)|welche\w*|warum|wieso|woran|wo)\b")
EACH = re.compile(
    r"\b(?:each|every|per|by|month by month|monthly|weekly|je|jede\w*|pro|monatlich|monatsweise|monat fur monat)\b"
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
#: Words for what is paid, so that a list of it leaves out what came in.
PAID = re.compile(
    r"\b(?:payments?|paid|charges?|charged|spent|spend\w*|expens\w*|bills?|debits?|purchases?|purchses|outgoings?|went out|going out|"
    r"abbuchung\w*|abgebucht|zahlungen|bezahlt|gezahlt|ausgab\w*|ausgegeben|einkauf\w*|rausgegangen|lastschrift\w*|rechnungen)\b"
)
SPENT = re.compile(
    r"\b(?:i spend|i spent|we spend|we spent|spending|expenses|went out|go out|ausgegeben|ausgaben|rausgegangen|raus)\b"
)
PLACES = re.compile(
    r"\b(?:places?|shops?|stores?|merchants?|companies|restaurants?|cafes?|providers?|insurers?|gesellschaft\w*|laden|geschafte?\w*|lokale?\w*|handler\w*|firmen|anbieter)\b"
)
PERCENT = re.compile(r"\b(?:per ?cent\w*|prozent\w*|share|anteil\w*|proportion|pct)\b|%")
OF_INCOME = re.compile(
    r"came in|money in\b|reingekommen|eingegangen|eingenommen|\bpay\b|pension|rente|income|earn|salary|pay ?check|wage|einkommen|gehalt|lohn|verdien|einnahmen"
)
MONTHS = re.compile(r"\bmonths?\b|\bmonate?\b")
CHARGED = re.compile(
    r"\b(?:charg\w*|paid|pay|cost\w*|overdraft|gezahlt|bezahlt|zahle\w*|soll\w*|dispo\w*|uberzieh\w*|kredit\w*|credit card)\b"
)
#: Both of the last two answers.
BOTH = re.compile(r"\b(?:both|two|beide\w*|them|those|these|zwei)\b")
#: Words after which what came back is off already ("after the refund", "Rückerstattung abgezogen").
NETTED = re.compile(
    r"\b(?:after|less|minus|net of|nach|abzuglich) (?:(?:the|that|my|der|dem|den|die) )?(?:\w+ )?"
    r"(?:refund\w*|money back|returns?|\w*erstattung\w*|retoure\w*|gutschrift\w*)"
    r"|(?:\w*erstattung\w*|retoure\w*|gutschrift\w*|refunds?) (?:\w+ )?(?:ab\w+|weg|off|deducted|subtracted)\b"
)
#: A message that leaves what was said before.
NEW_TOPIC = re.compile(
    r"\b(?:something else|different (?:question|topic|thing)|new question|other question|andere frage|anderes thema|"
    r"was anderes|etwas anderes|neue frage|themenwechsel)\b"
)
#: What is in an account, which no list of bookings tells.
BALANCE = re.compile(
    r"\b(?:in|on|auf) (?:the |my |our |dem |meinem |unserem )?(?:bank ?)?(?:account|konto|\w+-konto) (?:at the end|end of|right now|now|drauf|gerade)"
    r"|\b(?:have|had|left|was|drauf) in (?:the|my|our) (?:bank )?account\b|\baccount balance\b|\bkontostand\b|\bkontosaldo\b"
)
#: A figure for each month or week, in so many words.
ONE_BY_ONE = re.compile(
    r"\b(?:(?P<en>day|week|month|quarter|year) by (?P=en)|(?P<de>tag|woche|monat|quartal|jahr) fur (?P=de)|"
    r"for each (?P<each>month|week)|jeweils pro (?P<pro>monat|woche))\b"
)
#: The last two answers as one.
TOGETHER = re.compile(
    r"\b(?:together|combined|added up|add (?:them|those|the two|both|it all)|sum of both|zusammen\w*|addier\w*|beide zusammen)\b"
)
