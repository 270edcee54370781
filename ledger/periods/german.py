"""German words of the period grammar."""

from __future__ import annotations

from ledger.periods.spans import Unit
from ledger.periods.vocabulary import Behind, Role, Table, same

MONTH_NAMES = [
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
]
#: Months as no English sentence has them: a number behind one is its year, since German days stand before it ("Okt 26").
BEFORE_A_YEAR = frozenset("januar februar marz mai juni juli oktober dezember janner feber mrz okt dez".split())
#: Words by which a sentence is German, for what both languages write.
SPOKEN = frozenset(
    "wie wieviel was wann im der die das und fur bei ich habe hab wir ausgegeben bezahlt gezahlt ohne".split()
)
_WEEKDAYS = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]
_SMALL = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
_ORDINALS = ["erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft", "zwölft"]
_ORDINALS += ["dreizehnt", "vierzehnt", "fünfzehnt", "sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt", "zwanzigst"]
_ORDINALS += [
    f"{one}undzwanzigst" for one in ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
]
_ORDINALS += ["dreißigst", "einunddreißigst"]


def _inflected(stems: str) -> str:
    """Return the adjectives with the endings that number, gender and case give them."""
    return "|".join(stem + ending for stem in stems.split("|") for ending in ("e", "er", "es", "en", "em"))


_FISCAL = ("steuer", "geschäfts", "wirtschafts", "finanz", "rechnungs", "haushalts")

_CALENDAR: Table = {
    Role.MONTH: {name: number for number, name in enumerate(MONTH_NAMES, 1)}
    | {name + "s": number for number, name in enumerate(MONTH_NAMES, 1) if name != "märz"}
    | {"jänner": 1, "feber": 2, "mär": 3, "mrz": 3, "okt": 10, "dez": 12},
    Role.WEEKDAY: {name: number for number, name in enumerate(_WEEKDAYS)} | {"sonnabend": 5},
    Role.WEEKDAYS: {name + "s": (number,) for number, name in enumerate(_WEEKDAYS)}
    | {f"einem {name}": (number,) for number, name in enumerate(_WEEKDAYS)}
    | {name + "e": (number,) for number, name in enumerate(_WEEKDAYS)}
    | {name + "en": (number,) for number, name in enumerate(_WEEKDAYS)}
    | {"sonnabends": (5,)}
    | same("wochenenden|wochenends", (5, 6))
    | same("werktags|werktage|werktagen|wochentags|wochentage|wochentagen", (0, 1, 2, 3, 4))
    | same("unter der woche|während der woche", (0, 1, 2, 3, 4)),
    Role.SEASON: same("frühling|frühjahr", 3)
    | same("sommer|sommers", 6)
    | same("herbst|herbstes", 9)
    | same("winter|winters", 12),
    Role.UNIT: same("stunde|stunden", Unit.HOUR)
    | same("tag|tage|tagen|tages|tags", Unit.DAY)
    | same("wochenende|wochenendes|wochenenden", Unit.WEEKEND)
    | same("woche|wochen|kalenderwoche|kalenderwochen", Unit.WEEK)
    | same("monat|monate|monaten|monats|kalendermonat|kalendermonate|kalendermonaten", Unit.MONTH)
    | same("quartal|quartale|quartalen|quartals|vierteljahr", Unit.QUARTER)
    | same(
        "halbjahr|halbjahre|halbjahres|hälfte|jahreshälfte|halbe jahr|halbes jahr|halben jahr|halben jahres", Unit.HALF
    )
    | same("jahr|jahre|jahren|jahres|kalenderjahr|kalenderjahres", Unit.YEAR)
    | same("|".join(f"{kind}jahr{end}" for kind in _FISCAL for end in ("", "e", "en", "es")), Unit.FISCAL_YEAR),
    Role.MEASURED: same("halbe jahr|halbes jahr|halben jahr|halben jahres", (6, Unit.MONTH))
    | same("anderthalb jahre|anderthalb jahren|eineinhalb jahre|eineinhalb jahren", (18, Unit.MONTH)),
    Role.DAY: same("heute|heute morgen|heute früh|heute abend|heute nacht", 0) | {"gestern": -1, "vorgestern": -2},
    Role.NOW: same("jetzt|dato"),
    Role.DAYTIME: same("früh|morgen|morgens|vormittag|mittag|nachmittag|abend|abends|nacht|nachts"),
    Role.TO_DATE: {"heuer": Unit.YEAR},
    Role.MONTH_PART: {f"{name}woche": (number, Unit.WEEK) for number, name in enumerate(MONTH_NAMES, 1)}
    | {f"{name}hälfte": (number, Unit.HALF) for number, name in enumerate(MONTH_NAMES, 1)}
    | {f"{name}wochenende": (number, Unit.WEEKEND) for number, name in enumerate(MONTH_NAMES, 1)},
    Role.UNIT_PART: {
        **same("jahresanfang|jahresbeginn", (0, Unit.YEAR)),
        **same("jahresmitte", (1, Unit.YEAR)),
        **same("jahresende", (2, Unit.YEAR)),
        **same("monatsanfang|monatsbeginn", (0, Unit.MONTH)),
        **same("monatsmitte", (1, Unit.MONTH)),
        **same("monatsende", (2, Unit.MONTH)),
        **same("wochenanfang|wochenbeginn", (0, Unit.WEEK)),
        **same("quartalsanfang|quartalsbeginn", (0, Unit.QUARTER)),
        **same("quartalsende", (2, Unit.QUARTER)),
    },
    Role.NEIGHBOUR: {
        **same("vortag|vortages", (-1, Unit.DAY)),
        **same("vorwoche", (-1, Unit.WEEK)),
        **same("vormonat|vormonats|vormonates", (-1, Unit.MONTH)),
        **same("vorquartal|vorquartals", (-1, Unit.QUARTER)),
        **same("vorjahr|vorjahres|vorjahrs", (-1, Unit.YEAR)),
        **same("folgetag|tag danach|tag darauf", (1, Unit.DAY)),
        **same("folgewoche", (1, Unit.WEEK)),
        **same("folgemonat|folgemonats", (1, Unit.MONTH)),
        **same("folgejahr|folgejahres", (1, Unit.YEAR)),
    },
    Role.SAME_LAST_YEAR: same("vorjahresmonat|vorjahresmonats", Unit.MONTH)
    | same("vorjahresquartal|vorjahresquartals", Unit.QUARTER)
    | same("vorjahreszeitraum|vorjahreszeitraums|vorjahreszeit", None),
    Role.ALL_TIME: same("seit anfang an|seit beginn an")
    | same(
        "jemals|aller zeiten|gesamte zeit|gesamten zeit|gesamten zeitraum|gesamter zeitraum"
        "|ganzer zeitraum|ganzen zeitraum|ganze zeitraum"
    )
    | same("gesamte zeitraum|seit beginn|seit anbeginn|von anfang an|von beginn an|ganze zeit|ganzen zeit"),
    Role.WEEK_CODE: same("kw|kalenderwoche|woche"),
}

_NAMED_DAYS: Table = {
    Role.NAMED_DAY: {
        **same("neujahr|neujahrstag", "new year"),
        **same("silvester|sylvester", "new year's eve"),
        **same("dreikönigstag|heilige drei könige", "epiphany"),
        **same("valentinstag", "valentine"),
        **same("rosenmontag", "carnival monday"),
        **same("faschingsdienstag|fastnacht", "mardi gras"),
        **same("aschermittwoch", "ash wednesday"),
        **same("palmsonntag", "palm sunday"),
        **same("karfreitag", "good friday"),
        **same("ostern|osterwochenende|osterfeiertage|osterfeiertagen", "easter"),
        **same("ostersonntag", "easter sunday"),
        **same("ostermontag", "easter monday"),
        **same("tag der arbeit|maifeiertag", "may day"),
        **same("christi himmelfahrt|himmelfahrt|vatertag", "ascension"),
        **same("pfingsten", "whitsun"),
        **same("pfingstmontag", "whit monday"),
        **same("fronleichnam", "corpus christi"),
        **same("muttertag", "mother"),
        **same("tag der deutschen einheit", "german unity"),
        **same("allerheiligen", "all saints"),
        **same("nikolaus|nikolaustag", "st nicholas"),
        **same("heiligabend|heiliger abend|heiligen abend|weihnachtsabend", "christmas eve"),
        **same("weihnachten|weihnacht|weihnachtsfeiertage|weihnachtsfeiertagen", "christmas"),
    },
}

_GRAMMAR: Table = {
    Role.NUMBER: {word: number for number, word in enumerate(_SMALL, 1)}
    | same("ein|eine|einen|einem|einer|eines", 1)
    | same("beiden|beide", 2)
    | {"dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "zwanzig": 20, "vierundzwanzig": 24}
    | {"dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "neunzig": 90},
    Role.COUNT: same("paar|ein paar", 3) | same("dutzend", 12),
    Role.ORDINAL: {form: number for number, stem in enumerate(_ORDINALS, 1) for form in _inflected(stem).split("|")},
    Role.THIRD: same("anfang|beginn", 0) | same("mitte", 1) | same("ende", 2),
    Role.LAST: same(_inflected("letzt|vergangen|vorig"), 1) | same(_inflected("vorletzt"), 2),
    Role.PREVIOUS: same(_inflected("vorherig|vorangegangen|vorangehend")),
    Role.THIS: same(_inflected("dies|aktuell|laufend|jetzig") + "|dies"),
    Role.NEXT: same(_inflected("nächst|kommend")),
    Role.FOLLOWING: same(_inflected("folgend|darauffolgend")),
    Role.SAME: same(_inflected("selb|gleich|derselb|denselb|dieselb|dasselb") + "|demselben|desselben|dasselbe"),
    Role.NEW: same(_inflected("neu")),
    Role.BEGAN: same("begann|begonnen hat|angefangen hat|anfing|startete|gestartet ist|losging|losgegangen ist"),
    Role.STRETCH: same("zeitraum|zeitraums|zeit|zeitspanne"),
    Role.FULL: same(_inflected("voll|ganz|vollständig|komplett")),
    Role.WHOLE: same(_inflected("ganz|gesamt|komplett")),
    Role.AGO_FIRST: same("vor"),
    Role.EARLIER: same("davor|zuvor|vorher|früher", -1) | same("danach|darauf|später", 1),
    Role.SO_FAR: same("bisher|bislang|bis jetzt|bis heute|bis dato|bis zum heutigen tag"),
    Role.SINCE: same("seit|ab"),
    Role.ONWARD: same("an"),
    Role.UNTIL: same("bis|bis zum|bis zur|bis einschließlich|bis inklusive|bis einschl"),
    Role.BEFORE: same("vor"),
    Role.AFTER: same("nach"),
    Role.FROM: same("von|vom"),
    Role.BETWEEN: same("zwischen"),
    Role.TO: same("bis|bis zum|bis zur|bis einschließlich"),
    Role.AND: same("und"),
    Role.OR: same("oder"),
    Role.OF: same("im|in|von|vom|des|der|dem|diesen"),
    Role.PREPOSITION: same("von|vom|für|aus|bei|an|in|auf|um", value=False)
    | same("im|am|zu|zum|zur|während|innerhalb|beim"),
    Role.ARTICLE: same("der|die|das|den|dem|des|ganze|ganzen|gesamte|gesamten"),
    Role.EVERY: same(_inflected("jed") + "|alle"),
}

_AROUND: Table = {
    Role.LINK: same("und|oder|gegen|gegenüber|mit|zu|zum|als|sowie|verglichen mit|im vergleich zu|im vergleich zum"),
    Role.COMPARE: same("vergleich|vergleiche|vergleichen|verglichen|unterschied|differenz"),
    Role.SHOW: same("zeig|zeige|liste|mein|meine|meinen|gesamt|und"),
    Role.STOP: same("im|in|am|an|auf|aus|bei|beim|für|mit|von|vom|zu|zum|zur|und|oder|als|gegen|gegenüber|ich|wir|habe")
    | same("hab|hatte|haben|war|waren|ist|sind|die|der|das|den|dem|ein|eine|einen|mein|meine|insgesamt|nur|ausgegeben")
    | same("bezahlt|gezahlt|gekauft|verbraucht|gekostet|eingenommen|verdient|ausgaben|einnahmen|so|pro|nach|ohne|außer")
    | same("zusammen|jeweils|gesamt|durchschnittlich|monatlich|netto|brutto|ging|kam|kamen|haben|kostete|gehabt|übrig")
    | same("gab|gibt|gingen|verglichen|wie|was|wo|bitte|alles|es|mehr|weniger|bis|seit|zwischen|überwiesen|abgehoben"),
    Role.MONEY: same("mark|prozent|mal|stück|punkte|franken"),
    Role.AMOUNT: same("über|unter|mindestens|höchstens|maximal|etwa|circa|ca|rund|genau|betrag|nummer|als"),
    Role.TOP: same("größten|größte|teuersten|kleinsten|letzten|ersten|höchsten|meine|zeige"),
}

_EVENTS: Table = {
    Role.EVENT_CUE: same("seit|seitdem|während|nachdem|bevor|ehe|sobald|solange", Behind.ANYTHING)
    | same("vor|nach|bis|bis zum|bis zur", Behind.NOUN)
    | same("als", Behind.VERB_LAST)
    | same("in|im|auf|über den|über die|über das|über unseren|über meinen|übers|rund um", Behind.EVENT)
    | same(_inflected("letzt|vorig|vergangen|dies"), Behind.EVENT)
    | same("am|an|an meinem|an unserem", Behind.DAY),
    Role.EVENT: same(
        "umzug|hochzeit|feier|party|urlaub|urlaubs|ferien|sommerferien|osterferien|herbstferien|winterferien"
    )
    | same("weihnachtsferien|pfingstferien|feiertage|feiertagen|reise|ausflug|geburt|trennung|scheidung|krankheit")
    | same(
        "unfall|schwangerschaft|elternzeit|corona|pandemie|lockdown|prüfung|prüfungen|examen|semester|semesterferien"
    )
    | same(
        "schule|studium|ausbildung|praktikum|rente|kündigung|beförderung|besuch|festival|konferenz|zahltag|geburtstag"
    )
    | same("jahrestag|flitterwochen|weihnachtszeit|adventszeit|vorweihnachtszeit|jahreswechsel|schuljahr")
    | same("abrechnungszeitraum"),
    Role.EVENT_YEAR: same("schuljahr"),
    Role.EVENT_DAY: same("zahltag|zahltage|zahltagen|geburtstag|jahrestag|hochzeitstag|einschulung", value=False),
    Role.VAGUE: same("neulich|kürzlich|letztens|unlängst|in letzter zeit|in der letzten zeit|damals|vor kurzem")
    | same("vor einiger zeit|vor langer zeit|zwischen den jahren|vor einer weile|die letzte zeit"),
    Role.DETERMINER: same("der|die|das|den|dem|des|diesem|dieser|jenem|jener|ein|eine|einem|einer|einen")
    | same(_inflected("mein|unser|sein|ihr|dein|euer")),
    Role.PERSON: same("ich|wir|er|sie|alles|man"),
    Role.STATE: same("war|waren|wohnte|wohnten|lebte|lebten|arbeitete|zog|zogen|umzog|umzogen|studierte|hatte|hatten"),
    Role.MONEY_NOUN: same("steuer|steuern|abzug|abzüge|erstattung|erstattungen|rückerstattung|gutschrift|gutschriften")
    | same("miete|ausgabe|ausgaben|kosten|gebühr|gebühren|rechnung|rechnungen|zahlung|zahlungen|kauf|einkauf|einkäufe")
    | same("buchung|buchungen|summe|betrag|konto|kategorie|kategorien|händler|kredit|rate|raten|versicherung|reihe")
    | same("lebensmittel|geld|bezahlt|gezahlt|ausgegeben|größe|höhe|datum|allem|retouren|retoure"),
    Role.QUESTION: same("wie|wieviel|welche|welcher|welches|welchen|wer|wo|wann|wofür"),
}

GERMAN = (_CALENDAR, _NAMED_DAYS, _GRAMMAR, _AROUND, _EVENTS)
