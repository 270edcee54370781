"""Words of ours that the planner reads by: function words, cues of follow-ups, exclusions (English and German)."""

from __future__ import annotations

from tools.slots.words import words


def _set(text: str) -> frozenset[str]:
    return frozenset(word.key for word in words(text))


#: Words that carry no subject of their own.
FUNCTION_WORDS = _set(
    """
    a an the of in on at for from to by with and or but as is are was were be been do does did done has have had having will
    would can could should may might must i me my mine we us our ours you your it its this that these those them they their
    he she his her there here what which who whom whose when where why how much many more less most least any some all every
    each just only also too please tell show give get got let know see need want like so if then than not no yes ok okay hi
    hello hey thanks thank up out off over about around again now still ever never really exactly roughly approximately
    one ones total totals overall altogether sum amount amounts money cash dollars euros bucks spending spend spent spends expense
    expenses expenditure cost costs pay paid paying payment payments purchase purchases purchased buy bought buying transaction
    transactions charge charges charged bill bills price worth figure figures number numbers things thing stuff item items
    went going go gone make made use used using happened bot minder summary summarise summarize overview breakdown break down
    report analysis analyse analyze list find search look display view breakdown detail details compared compare comparison
    versus vs between difference account accounts category categories merchant merchants store stores shop shops place places
    vendor period time times date dates day days week weeks month months year years quarter quarters today
    m s re ve d ll don didn isn wasn whats hows wheres im ive id id altogether lot lots bit way
    ein eine einen einem einer eines der die das den dem des und oder aber in im an am auf aus bei beim bis durch fur gegen mit
    nach ohne seit um unter uber von vom vor zu zum zur ist sind war waren wird werden wurde wurden hat habe haben hatte hatten
    hast ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere du dich dir dein deine sie er es ihr ihre man
    was welche welcher welches welchen welchem wer wen wem wann wo warum wieso wie viel viele wieviel mehr weniger meist
    am meisten alle alles jede jeder jedes nur auch bitte zeig zeige zeigen sag gib nenne mal so wenn dann als nicht kein keine
    keinen ja nein hallo danke noch schon gesamt gesamte insgesamt summe betrag betrage geld ausgabe ausgaben ausgegeben ausgeben
    gebe gibt gab kosten kostet gekostet zahle zahlen zahlt gezahlt bezahlt bezahlen zahlung zahlungen kauf kaufe kaufen gekauft
    eingekauft einkaufen buchung buchungen umsatz umsatze transaktion transaktionen rechnung ubersicht zusammenfassung auflistung
    liste suche finde such find vergleich vergleiche vergleichen unterschied konto konten kategorie kategorien handler laden
    geschaft zeitraum zeit mal tag tage tagen woche wochen monat monate monaten jahr jahre jahren quartal da dafur davon
    dort gegangen hin wofur gemacht getatigt mich gerade ungefahr etwa circa genau eigentlich denn bisher
    """
)

#: Words before a name that take it out.
EXCLUSIONS = (
    ("without",), ("excluding",), ("exclude",), ("except",), ("except", "for"), ("not", "counting"), ("not", "including"),
    ("minus",), ("leave", "out"), ("leaving", "out"), ("ignoring",), ("ignore",), ("other", "than"), ("besides",),
    ("apart", "from"), ("aside", "from"), ("but", "not"), ("drop",), ("remove",), ("skip",),
    ("ohne",), ("ausser",), ("abzuglich",), ("nicht",), ("abgesehen", "von"), ("lass", "weg"),
)  # fmt: skip

#: First words of a follow-up that changes something in the question before it.
OPENERS = (
    ("and",), ("but",), ("now",), ("then",), ("same",), ("what", "about"), ("how", "about"), ("what", "if"), ("ok", "and"),
    ("okay", "and"), ("and", "what"), ("the", "same"), ("und",), ("aber",), ("jetzt",), ("dann",), ("dasselbe",),
    ("das", "gleiche"), ("was", "ist", "mit"), ("wie", "ist", "es"), ("wie", "sieht", "es"), ("und", "wie"),
)  # fmt: skip

#: Words by which a follow-up points back.
POINTERS = _set(
    "that it its those them these same there both one ones das davon dort dem diese dieser dieses diesen denen selbe beiden "
    "beide die daran davor"
)

ADDERS = _set("add plus include including also too additionally dazu auch zusatzlich hinzu inklusive samt")
NARROWERS = _set("only just solely nur ausschliesslich lediglich")
#: Phrases that drop every name from the scope.
WIDENERS = (
    ("everything",), ("all", "categories"), ("all", "merchants"), ("all", "stores"), ("any", "category"), ("in", "total"),
    ("overall",), ("all", "spending"), ("all", "of", "it"), ("alles",), ("alle", "kategorien"), ("insgesamt",), ("gesamt",),
    ("alle", "handler"), ("all", "accounts"), ("anywhere",), ("everywhere",), ("uberall",),
)  # fmt: skip

#: Words that may stand around the mentions of a fragment ("in September?", "nur bei Rewe bitte").
GLUE = _set(
    "in on at for from to of the a an my our by with please per during over im in am bei fur von vom der die das den dem mein "
    "meine bitte zum zur aus"
)
#: Words that change a question and say nothing else.
EDITS = (
    ADDERS
    | NARROWERS
    | _set("instead stattdessen without excluding except minus drop remove ohne ausser lass weg statt")
)

#: Words by which a follow-up asks for the money itself, after a count or a list.
AMOUNT_WORDS = _set(
    "cost costs spend spent pay paid total sum kosten gekostet ausgegeben bezahlt summe gesamt gesamtbetrag"
)

COMPARISONS = _set("compare compares compared comparison versus vs against vergleich vergleiche vergleichen verglichen")
INCOME_WORDS = _set("income salary earnings earned wages paycheck einkommen gehalt lohn einnahmen verdienst")
ABOVE_AVERAGE = _set("average avg typical usual mean durchschnitt durchschnittlich schnitt")
LARGER = _set("larger bigger higher more above over exceed exceeding exceeded greater grosser hoher uber teurer")
LISTERS = _set("which list show transactions purchases what liste zeig zeige welche them buchungen einkaufe")

#: Words of time to come; nothing is known of it.
FUTURE = _set(
    "next tomorrow upcoming future nachste nachsten nachster nachstes kommende kommenden morgen ubermorgen zukunft"
)
#: Words that periods and superlatives are made of, for telling a typing slip in one.
TELLING_WORDS = tuple(
    "week weekend month quarter year yesterday today last previous january february march april june july august september "
    "october november december woche wochenende monat quartal jahr gestern heute letzten letzte letztes vorigen januar februar "
    "märz april juni juli august september oktober november dezember biggest largest smallest cheapest highest lowest average "
    "größte kleinste teuerste durchschnitt".split()
)
