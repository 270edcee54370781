"""Words of ours that the planner reads by: function words, cues of follow-ups, exclusions (English and German)."""

from __future__ import annotations

from language.words import fold, words


def _set(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in text.split())  # `words` reads no more than a message's length


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """Return phrases, written with semicolons between them, the longest first."""
    found = (tuple(word.key for word in words(phrase)) for phrase in text.split(";"))
    return tuple(sorted((phrase for phrase in found if phrase), key=len, reverse=True))


#: Words that carry no subject of their own.
FUNCTION_WORDS = _set(
    """
    a an the of in on at for from to by with and or but as is are was were be been do does did done has have had having will
    would can could should may might must i me my mine we us our ours you your it its this that these those them they their
    he she his her there here what which who whom whose when where why how much many more less most least any some all every
    each just only also too please tell show give get got let know see need want like so if then than not no yes ok okay hi
    hello hey thanks thank up out off over about around again now still ever never really exactly roughly approximately
    one ones total totals overall altogether sum amount amounts money cash dollars euros bucks spending spend spent
    spends expense
    expenses expenditure cost costs pay paid paying payment payments purchase purchases purchased buy bought buying
    transaction
    transactions charge charges charged bill bills price worth figure figures number numbers things thing stuff item items
    went going go gone make made use used using happened bot minder summary summarise summarize overview breakdown break down
    report analysis analyse analyze list find search look display view breakdown detail details compared compare comparison
    versus vs between difference account accounts category categories merchant merchants store stores shop shops place places
    vendor period time times date dates day days week weeks month months year years quarter quarters today
    m s re ve d ll don didn isn wasn whats hows wheres im ive id id altogether lot lots bit way
    ein eine einen einem einer eines der die das den dem des und oder aber in im an am auf aus bei beim bis durch
    fur fuer gegen mit
    nach ohne seit um unter uber ueber von vom vor zu zum zur ist sind war waren wird werden wurde wurden hat habe
    haben hatte hatten
    hast ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere du dich dir dein deine sie er es
    ihr ihre ihm ihn ihnen man
    was welche welcher welches welchen welchem wer wen wem wann wo warum wieso wie viel viele wieviel mehr weniger meist
    am meisten alle alles jede jeder jedes nur auch bitte zeig zeige zeigen sag gib nenne mal so wenn dann als nicht
    kein keine
    rund keinen ja nein hallo danke noch schon gesamt gesamte insgesamt summe betrag betrage betragen geld ausgabe ausgaben
    ausgegeben ausgeben
    gebe gibt gab kosten kostet gekostet zahle zahlen zahlt gezahlt bezahlt bezahlen zahlung zahlungen kauf kaufe
    kaufen gekauft
    eingekauft einkaufen buchung buchungen umsatz umsatze transaktion transaktionen rechnung ubersicht
    zusammenfassung auflistung
    liste suche finde such find vergleich vergleiche vergleichen unterschied konto konten kategorie kategorien handler laden
    geschaft zeitraum zeit mal tag tage tagen woche wochen monat monate monaten jahr jahre jahren quartal da dafur davon
    dort gegangen ging gingen geht gehen kam kamen kommt kommen hin wofur gemacht getatigt mich gerade ungefahr etwa circa
    genau eigentlich denn bisher wars ists gibts gabs hats
    """
)

#: Words before a name that take it out.
EXCLUSIONS = _phrases(
    """
    without; excluding; excl; exclude; except; except for; excepting; not counting; not including; not considering;
    minus; leave out; leaving out; leave aside; leaving aside; ignoring; ignore; disregard; disregarding; omit;
    omitting; other than; besides; apart from; aside from; but not; but no; with the exception of; exclusive of;
    save for; w o; sans; dont count; do not count; dont include; do not include; never mind; nevermind; forget;
    forget about; everything but; all but; anything but; not; no; drop; remove; skip; filter out; strip out;
    cut out; that wasnt; that isnt; that arent; that werent; which wasnt; which isnt; which arent; which werent;
    wasnt; isnt; arent; werent; ohne; außer; abzüglich; exklusive; exkl; nicht; abgesehen von; ausgenommen;
    mit ausnahme von; mit ausnahme der; mit ausnahme des; bis auf; ungerechnet; lass weg; ignoriere; ignorier;
    vergiss; streich; streiche; nicht mitgezählt; nicht mitgerechnet; die keine; das keine; was keine; die kein;
    das kein; was kein; der kein
    """
)
#: Those of them that leave out only right before a name ("not rent"), and never a period: that is a correction.
WEAK = (("not",), ("nicht",), ("no",))
#: Those that are an order at the beginning of a clause ("drop rent") and a word of spending elsewhere.
ORDERED = frozenset({"drop", "remove", "skip", "forget", "take", "throw", "kick", "knock", "cut"})
ORDER_LEADS = _set("and but please also now then ok okay just if und aber bitte jetzt dann auch wenn")
#: Those that leave out what a clause says is not so ("that wasn't rent"), and the words such a clause hangs on.
NEGATIONS = frozenset({"wasnt", "isnt", "arent", "werent"})
RELATIVES = _set("that which what who thing things stuff money purchase purchases one ones")
#: Words behind a name that take it out.
BEHIND = _phrases(
    """
    not included; not counted; dont count; doesnt count; do not count; excluded; left out; aside; apart; notwithstanding;
    noch weg; auch weg; no weg; auch raus; noch raus;
    excepted; omitted; ignored; removed; taken out; left aside; not in it; ausgenommen; nicht mitgezählt;
    nicht mitgerechnet; nicht mitrechnen; nicht mitzählen; nicht einrechnen; nicht berücksichtigen; rauslassen;
    nicht mit; nich mit; nich; nicht eingerechnet; nicht inbegriffen; nicht inklusive; nicht dabei;
    zählt nicht; zählen nicht; nicht berücksichtigt; nicht enthalten; nicht einbezogen; nicht mit eingerechnet; nicht dazugezählt;
    weglässt;
    weglassen; weggelassen; weglasse; rausgerechnet; herausgerechnet; rausrechnet; rausrechne; herausrechnet;
    abgezogen; abzieht; abziehe; ausgeklammert; ausklammert; ausklammere; ausgeschlossen; ausschließt; außen vor;
    außen vor gelassen; außen vor lässt; rausnimmt; rausgenommen; ignoriert; ignoriere; beiseite; beiseite lässt;
    beiseite gelassen; nicht zählt; nicht mitzählt; nicht mitrechnet
    """
)
#: Words before a name, and behind it, that take it out together ("leave rent out", "lass die Miete weg").
AROUND = (
    _set(
        "leave leaving leaves left strip filter filtering take throw kick knock cut lass lasse lassen lässt lasst rechne "
        "rechnet rechnen zieh ziehe ziehen klammer klammere nimm nehmen nehmt streich streichen wirf zähl zähle"
    ),
    _set("out aside off away weg raus heraus aus ab beiseite außen"),
)
#: Small words that may stand between a name and what takes it out or along.
BETWEEN = _set(
    """
    the a an my our your his her their any all every each single one of for on at from to by in with stuff spending
    costs cost payment payments purchase purchases transaction transactions things thing bill bills der die das den
    dem des mein meine meinen meinem meiner unser unsere unseren alle allen jede jeden einzelne einzelnen einzigen
    für von vom bei beim zu zum zur an am auf kosten ausgaben zahlungen einkäufe einkäufen mal bitte dabei hier is
    are was were being be has have been monthly yearly weekly monatliche monatlichen jährliche jährlichen
    """
)
#: Words around what is left out that say nothing else ("if you …", "… as well").
FRAMES = _set(
    "if when once you man we i wir ich du mal and but also please now then just ok okay so und aber bitte jetzt dann wenn "
    "also auch"
)
TRAILS = _set("as well too also please auch bitte mal noch jetzt though though dann tho gerechnet davon dabei again")
#: Words that open a clause of what was given back ("after returns", "net of what I took back"), which a total is net of.
NETTING = _phrases(
    """
    after; net of; less; minus; once; including; incl; nach; nach abzug; nach abzug der; nach abzug von; abzüglich;
    inklusive; nachdem; wenn
    """
)
GIVEN_BACK = _phrases(
    """
    refund; refunds; refunded; return; returns; returned; money back; took back; taken back; sent back; gave back;
    given back; credits; erstattung; erstattungen; erstattet; rückerstattung; rückerstattungen; retoure; retouren;
    gutschrift; gutschriften; zurückgegeben; zurückgeschickt; zurückgebracht; rückgabe; rückgaben; storno;
    storniert; rücksendung; rücksendungen
    """
)
DEDUCTED = _set("abgezogen abzieht abziehe rausgerechnet herausgerechnet deducted subtracted netted off")
JOINERS = _set("and or nor plus und oder sowie noch")
#: Words before a name, and behind it, that take it along.
INCLUSIONS = _phrases(
    """
    including; incl; inclusive of; counting; not only; not just; more than just; inklusive; inkl; samt; mitsamt;
    einschließlich; einschl; nicht nur; nicht bloß; nicht allein
    """
)
INCLUDED = _phrases(
    """
    included; inclusive; counted; incl; inbegriffen; eingeschlossen; eingerechnet; mitgerechnet; mitgezählt; inklusive;
    mit drin; mit dabei
    """
)

#: First words of a follow-up that changes something in the question before it.
OPENERS = (
    ("and",), ("but",), ("now",), ("then",), ("same",), ("what", "about"), ("how", "about"), ("what", "if"), ("ok", "and"),
    ("okay", "and"), ("and", "what"), ("the", "same"), ("und",), ("aber",), ("jetzt",), ("dann",), ("dasselbe",),
    ("das", "gleiche"), ("was", "ist", "mit"), ("wie", "ist", "es"), ("wie", "sieht", "es"), ("und", "wie"),
)  # fmt: skip

#: Words by which a follow-up points back.
POINTERS = _set(
    "that it its those them they these same there both one ones das davon dort dem diese dieser dieses diesen denen selbe beiden "
    "beide die daran davor"
)

#: Words before a message that change nothing in it ("hmm ok. and September?").
INTERJECTIONS = _set(
    "hm hmm hmmm mm mhm uh um ah aha oh ooh ok okay k kk cool great nice good fine thanks thank you thx ty cheers right "
    "alright well wow ouch yikes huh yes yeah yep sure please so hey hi super danke gut prima ja jo jep achso ach alles "
    "klar verstehe toll interesting interessant lovely perfect perfekt oha puh naja na tja"
)
#: Phrases at the beginning of a message that take back a part of the one before ("no, I meant Netflix").
CORRECTIONS = (
    ("no",), ("nope",), ("nah",), ("sorry",), ("oops",), ("actually",), ("wait",), ("i", "meant"), ("i", "mean"),
    ("meant",), ("rather",), ("correction",), ("not", "that"), ("make", "that"), ("make", "it"), ("nein",), ("nee",),
    ("ne",), ("entschuldigung",), ("quatsch",), ("falsch",), ("vielmehr",), ("ich", "meinte"), ("meinte",),
    ("ich", "meine"), ("moment",), ("halt",), ("gemeint",), ("doch",),
)  # fmt: skip
#: Words before a name that another one takes the place of ("Costco instead of Target", "Aldi statt Lidl").
INSTEAD = _set("instead statt anstatt stattdessen anstelle")
#: What one purchase is called whatever it was for; in a follow-up it says no more than "one" does.
PURCHASE_NOUNS = _set(
    "one ones purchase purchases payment payments transaction transactions order orders charge charges trip trips visit "
    "visits run runs fill-up fill-ups fillup fillups fill ups top-up top-ups ride rides meal meals bill bills item items "
    "thing things stuff entry entries amount amounts debit debits delivery deliveries posten betrag betrage beitrag "
    "beitrage rechnung rechnungen einkauf einkaufe kauf kaufe bestellung bestellungen zahlung zahlungen buchung buchungen "
    "abbuchung abbuchungen fahrt fahrten besuch besuche lieferung lieferungen einzelausgabe einzelausgaben ausgabe ausgaben "
    "tankfullung tankfullungen sache sachen"
)
#: Words by which two things of before are meant.
BOTH = _set("both two beide beiden beider zwei them those these denen")
#: Words behind "der", "die", "das" where they are no article but point back ("die über 50", "was war das?").
AFTER_PRONOUN = _set(
    "war waren ist sind kostet kosten kostete kosteten gekostet hat haben habe hatte hatten macht machen machte ging gingen "
    "kam kamen wird wurde wurden mit ohne bei beim von vom uber unter ab im in am an auf aus zu zusammen zusammengerechnet "
    "alles alle denn mal pro je jetzt so insgesamt gesamt beide beiden durchschnittlich so jeweils einzeln bitte etwa "
    "ausgemacht zuletzt da als"
)
#: Words behind which "that" begins a clause of its own ("things that I bought"), and so points at nothing said before.
BEFORE_RELATIVE = _set("thing things everything anything stuff money items item all those ones")
#: Forms of "be" beside which "there" only says that something exists ("are there any refunds?").
EXISTING = _set("is are was were be been s theres isnt arent wasnt werent has have")

ADDERS = _set("add plus include including also too additionally dazu auch zusatzlich hinzu inklusive samt")
NARROWERS = _set("only just solely nur ausschliesslich lediglich")
#: Phrases that drop every name from the scope.
WIDENERS = (
    ("everything",), ("all", "categories"), ("all", "merchants"), ("all", "stores"), ("any", "category"), ("in", "total"),
    ("overall",), ("all", "spending"), ("all", "of", "it"), ("alles",), ("alle", "kategorien"), ("insgesamt",), ("gesamt",),
    ("alle", "handler"), ("all", "accounts"), ("anywhere",), ("everywhere",), ("uberall",),
)  # fmt: skip

#: Words of banks that stand in many descriptors and name nobody.
OF_BANKS = _set("credit debit card bank account payment transfer kredit karte konto zahlung lastschrift")
#: Words that change a question and say nothing else.
EDITS = (
    ADDERS
    | NARROWERS
    | _set("instead stattdessen without excluding except minus drop remove ohne ausser lass weg statt")
)


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
