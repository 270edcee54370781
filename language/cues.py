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
#: What an employer or a pension fund pays.
WAGES = re.compile(
    r"\bsalar(?:y|ies)\b|\bwages?\b|pay ?che(?:ck|que)|pay ?slip|\bpayroll|\bgehalt\w*|\blohn(?!steuer)\w*"
)
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
SAVED = re.compile(r"sav|spar(?!\b|da\b|kass)|tagesgeld|rucklage|extra-?konto|\bpots?\b|put (?:away|aside)")
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
#: Why something was so.
WHY = re.compile(r"^(?:and |und |so |but |aber |ok |okay )*(?:why|how come|what made|warum|wieso|weshalb|woran)\b")
#: A message that leaves what was said before.
NEW_TOPIC = re.compile(
    r"\b(?:something else|different (?:question|topic|thing)|new question|other question|andere frage|anderes thema|"
    r"was anderes|etwas anderes|neue frage|themenwechsel)\b"
)
#: What is in an account, which no list of bookings tells.
BALANCE = re.compile(
    r"\b(?:in|on|auf) (?:the |my |our |dem |meinem |unserem )?(?:bank ?)?(?:account|konto|\w+-konto) (?:at the end|end of|right now|now|drauf|gerade)"
    r"|\b(?:have|had|left|was|drauf) in (?:the|my|our) (?:bank )?account\b|\baccount balance\b|\bkontostand\b|\b(?:auf\W?m|aufm|am) \w*konto (?:drauf|grad)\b|\bhow much (?:is|do i have) (?:left )?(?:in|on) my (?:\w+ )?(?:account|savings)\b|\bkontosaldo\b"
    r"|\b(?:im|ins) minus\b|\bin the red\b|\boverdrawn\b|\bbelow zero\b|\bunter null\b"
)
#: What no total of spending counts anyway.
NEVER_COUNTED = re.compile(
    rf"{SAVED.pattern}|^(?:own |internal |die |eigene\w* )?(?:transfers?|umbuchung\w*|ubertrag\w*)$"
)
#: What somebody else earns.
THEIR_PAY = re.compile(
    r"\b(?:verdient|verdienen) (?!ich\b|wir\b|mein)|\b(?:does|do|did) (?!i\b|we\b|my\b)(?:\w+ ){1,3}(?:earn|make)\b(?! me| up| a difference)"
    r"|\b(?:he|she|they) (?:earns?|makes?)\b(?! me)|\bdoes my (?:\w+ ){1,2}(?:get|receive)\b(?! me| us)"
)
#: Advice is asked for.
ADVISED = re.compile(r"\b(?:should|shud|shld) (?:i|we)\b|\bsoll(?:te|ten)? (?:ich|wir)\b")
#: What a platform or a customer paid out to whoever asks.
PAID_OUT = re.compile(r"\bpay ?outs?\b|\bauszahlung\w*|\bausgezahlt\b|\bauszahl\w*\b|\bzahlt \w+ mich aus\b")
#: The day of what was answered.
WHICH_DAY = re.compile(
    r"^(?:and |und |ok |so )*(?:an welchem (?:tag|datum)|on (?:which|what) (?:day|date)|what (?:day|date) was|which day was|"
    r"when (?:was that|did (?:it|that|they|\w+ money) (?:arrive|come|land))|wann (?:war das|kam (?:das|es)))"
)
#: A figure for each month or week, in so many words.
ONE_BY_ONE = re.compile(
    r"\b(?:(?P<en>day|week|month|quarter|year) by (?P=en)|(?P<de>tag|woche|monat|quartal|jahr) fur (?P=de)|"
    r"for each (?P<each>month|week)|jeweils pro (?P<pro>monat|woche)|by (?P<by>day|week|month|quarter|year)|"
    r"nach (?P<nach>tag|woche|monat|quartal|jahr)(?:en|n)?|(?:each|every) (?P<every>day|week|month|quarter|year) "
    r"(?:from|between|since|in|of|over|during)|jede\w* (?P<jede>tag|woche|monat|quartal|jahr) (?:von|zwischen|seit|im|in))\b"
    r"|\b(?:bis|seit)\b.*\bjede\w* (?P<danach>tag|woche|monat|quartal|jahr)\b"
)
#: The last two answers as one.
TOGETHER = re.compile(
    r"\b(?:together|combined|added up|add (?:them|those|the two|both|it all)|sum of both|zusammen\w*|addier\w*|beide zusammen)\b"
)
#: Money that came back from savings.
SAVED_BACK = re.compile(
    r"\b(?:from|out of|vom|von|aus) (?:(?:my|the|our|mein\w*|dem|unser\w*) )?(?:\w+ )?(?:savings?\b|saver\b|spar\w*|tagesgeld\w*|rucklagen?\b|\w*sparkonto)"
    r"|\b(?:pull\w*|take|took|taken|mov\w*|c[ao]me|coming|transfer\w*|put) (?:\w+ )?(?:it |that |this )?(?:back|out)\b|\bback (?:out|into)\b"
    r"|\bzuruck\w*\b|\bwieder (?:raus|runter|geholt|entnommen)\w*"
)
#: Somebody paid whoever asks.
TO_ME = re.compile(
    r"\b(?:sent|sends?|paid|payed|pays?|gave|gives?|given|transferr?ed|venmo\w*|zelle\w*|lent|brought|made|earned) (?:me|us)\b|\bsend (?:me|us)\b|\b(?:mir|uns)\b.*\b(?:uberwiesen|gegeben|geschickt|gezahlt|bezahlt|zuruck\w*)\b"
    r"|\b(?:i|we) (?:got|get|received)\b|\bmoney back\b|(?<!\bi )(?<!\bwe )\b(?:send|sent|gave|give|paid|payed|pay)\b(?: \w+){0,2} back\b|\bvon\b.*\b(?:bekommen|erhalten|gekriegt|(?:zuruck|rein|an)?gekommen)\b"
)
#: For a whole year.
A_YEAR = re.compile(
    r"\b(?:a|per|each|every|the whole|over a) (?:whole )?year\b|\bannual\w*|\byearly\b|\b(?:im|pro|aufs|aufs ganze|furs) jahr\w*|\bjahrlich\w*|\bubers jahr"
)
#: Whoever asks paid somebody.
I_PAID = re.compile(
    r"\b(?:i|we) (?:have |ve |did )?(?:paid|pay|sent|send|gave|give|given|transferr?ed)\b|\b(?:have|did) (?:i|we) (?:pay|paid|send|sent|give|given|transfer\w*)\b"
    r"|\bhab\w* (?:ich|wir) .*\b(?:bezahlt|gezahlt|uberwiesen|geschickt|gegeben)\b"
)
#: The same the other way round.
REVERSED = re.compile(
    r"^(?:and |und |so )*(?:the other way (?:a?round)|vice versa|umgekehrt|andersrum|anders herum|"
    r"(?:me|i|we|what i (?:sent|paid)) (?:to )?(?:him|her|them)|(?:he|she|they|him|her|them) (?:to )?(?:me|us)|"
    r"ich (?:ihm|ihr|ihnen)|wir (?:ihm|ihr|ihnen)|(?:er|sie) (?:mir|uns))\W*$"
)
#: The largest of what was paid ("the most I've ever paid for …").
MOST_PAID = re.compile(
    r"\bthe most (?:i|we) (?:ve |have )?(?:ever )?(?:paid|spent) (?:for|on)\b|\bdas meiste was (?:ich|wir)\b"
)
#: The last time of all, whatever time was spoken of.
LAST_TIME = re.compile(
    r"\b(?:when|wann)\b.*\b(?:last|zuletzt|letzte\w*)\b|\b(?:last time|most recent time|das letzte mal|zum letzten mal)\b"
)
#: The day of something is asked for.
WHEN = re.compile(r"^(?:\w+ ){0,2}(?:when|wann)\b")
#: More at one than at another.
MORE_AT = re.compile(r"\b(?:more|less|mehr|weniger)\b.*\b(?:than|als)\b")
#: Income and spending, both asked for.
_IN = r"(?:income|earn\w*|money in|c[ao]me in|comes in|rein(?:gekommen)?|einnahmen|einkommen|verdien\w*|gehalt)"
_OUT = r"(?:what went out|went out|goes out|raus(?:gegangen)?|spending|expenses|outgoings|expenditure|spent|money out|ausgaben|kosten|ausgegeben)"
IN_AND_OUT = re.compile(rf"\b{_IN} (?:and|und|&) (?:\w+ ){{0,2}}{_OUT}\b|\b{_OUT} (?:and|und|&) (?:\w+ ){{0,2}}{_IN}\b")
IN_FIRST = re.compile(rf"\b{_IN} (?:and|und|&)")
WENT_OUT = re.compile(rf"\b(?:spend|go out|gone out|{_OUT})\b")
#: A sum and a number, both asked for.
_SUM = r"(?:how much|wie ?viel|sum|total|summe|betrag|gesamtsumme|kosten)"
_NUMBER = r"(?:how often|how many(?: times)?|wie oft|wie viele|anzahl|number|count)"
SUM_AND_NUMBER = re.compile(rf"\b{_SUM} (?:and|und|&) {_NUMBER}\b|\b{_NUMBER} (?:and|und|&) {_SUM}\b")
SUM_FIRST = re.compile(rf"\b{_SUM} (?:and|und|&)")
HOW_OFTEN = re.compile(r"\b(?:how often|wie oft)\b")
#: Each of what is named, by itself.
EACH_OF = re.compile(
    r"\b(?:each|separately|individually|respectively|apiece|one by one|jeweils|einzeln|getrennt)\b(?! (?:month|week|day|year))"
)
#: More than an average.
ABOVE_AVERAGE = re.compile(
    r"\b(?:larger|bigger|higher|more|above|over|exceed\w*|greater|grosser|hoher|uber|teurer)\b(?: \w+){0,3} "
    r"(?:average|avg|typical|usual|mean|durchschnitt\w*|schnitt)\b"
)
#: More went out than came in, or less.
MORE_THAN_CAME_IN = re.compile(
    r"\b(?:more|less|mehr|weniger)\b.*\b(?:than|als)\b.*\b(?:brought in|came in|earn\w*|made|income|took in|"
    r"eingenommen|verdient|reingekommen|einnahmen|rein)\b|\b(?:earn\w*|verdien\w*|eingenommen)\b.*\b(?:more|less|mehr|weniger)\b.*"
    r"\b(?:than|als)\b.*\b(?:spen[dt]\w*|ausgegeben|ausgaben)\b"
)
#: Money that comes in.
COMES_IN = re.compile(
    r"\b(?:earn\w*|income|salar\w*|wages?|pay ?checks?|came in|comes? in|coming in|brought in|take home|received|money in|"
    r"verdien\w*|einkommen|gehalt|gehalter|lohn|einnahmen|eingenommen|reingekommen|eingegangen|bekommen|erhalten)\b"
)
#: What is behind these is what something is compared to.
COMPARED_TO = re.compile(
    r"\b(?:compared (?:to|with)|than|versus|vs|against|als|gegenuber|im vergleich|verglichen mit)\b"
)
#: One thing set against another.
COMPARES = re.compile(
    r"\b(?:compar\w*|versus|vs|against|vergleich\w*|verglichen|gegenuber)\b|"
    r"\b(?:more|less|mehr|weniger)\b.*\b(?:than|als)\b"
)
#: The rows of what was answered.
WHICH_ONES = re.compile(
    r"^(?:ok |okay |and |und |so )*(?:which (?:ones|were|are|purchases|transactions)|show (?:me )?(?:them|those|these|all)|"
    r"list (?:them|those|these|all)|welche (?:waren|sind|denn|genau)|zeig\w* (?:mir )?(?:sie|die|alle|diese)|liste (?:sie|die|alle))\b"
)
#: What was counted or listed, as money.
AMOUNT = re.compile(
    r"\b(?:how much|wie ?viel(?!e)|costs?|spen[dt]|paid|total|sum|kosten|gekostet|ausgegeben|bezahlt|summe|gesamtbetrag|in total|insgesamt)\b"
)
PRICED = re.compile(r"\b(?:much|viel|wieviel|betrag|amount|cost|gekostet)\b")
#: The one before the latest.
ONE_BEFORE = re.compile(
    r"\b(?:(?:the )?(?:one|time|payment|purchase|bill) before(?: (?:that|it))?|before that(?: one)?|previous one|second to last|last but one|"
    r"und davor|(?:die|der|das) davor|vorletzt\w*|das mal davor)\b"
)
#: Words that are looked for in what the bank wrote.
SEARCHES = re.compile(
    r"^(?:please |can you |bitte )?(?:find|finde)\b|\b(?:search|look(?:ing)? (?:for|up)|locate|hunt for|containing|contains|with the word|mentioning|in the (?:name|description|text)|"
    r"suche?|suchen|mit dem wort|im (?:namen|text|verwendungszweck)|enthalt\w*)\b"
)
