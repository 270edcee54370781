"""Words that say what a sentence wants to know, whatever it is about (English and German)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from graph.planner.vocabulary import FUNCTION_WORDS
from language.words import fold, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from language.words import Word

#: Phrases by cue, separated by semicolons; compared without case, accents and apostrophes.
_PHRASES = {
    "spent": """
        spend; spends; spent; spending; spendings; cost; costs; pay; pays; paid; paying; payed; bought; buy; buying;
        expense; expenses; bill; bills; take out; took out; taken out; pull out; pulled out; withdraw; withdrew;
        withdrawn; went out; go out; goes out; gone out; going out of; get through; got through; gets through; went
        through; go through; burn; burned; burnt; burn through; burned through; blow; blew; blown; drop; dropped; shell
        out; shelled out; fork out; forked out; fork over; splash out; splashed out; splurge on; set me back; damage;
        dmg; sting; stung; out of me; from me; off me; went to; gone to; go to; goes to; went on; gone on; goes on; how
        expensive; total; totals; totalled; sum; add up; adds up; added up; add up to; come to; comes to; came to;
        amount to; amounts to; amounted to; hand over; handed over; give; given; gave; owe; leave at; left at; charged;
        charge; outgoings; outlay; expenditure; spendings; squander; squandered; waste; wasted; put into; put on;
        geflossen; fliesst; floss; worth of; going to; went down the drain; set us back; price; run me; ran me; ausgabe;
        ausgaben; ausgegeben; ausgeben; gebe; gibt; ausgibst; kosten; kostet; gekostet; kostete; zahle; zahlen; zahlt;
        zahlte; gezahlt; bezahlt; bezahle; bezahlen; gekauft; kaufe; kauft; eingekauft; raus; rausgegangen; drauf;
        draufgegangen; weg; weggegangen; verballert; verbraten; verprasst; verpulvert; rausgehauen; rausgeworfen;
        gelassen; hingelegt; liegen gelassen; zusammengekommen; kam zusammen; zusammen kam; kam da zusammen; summe;
        gesamt; gesamtsumme; insgesamt; gesamtausgaben; teuer; rechnung; rechnungen; losgeworden; verbraucht; abgebucht;
        abgegangen; berappt; geblecht; geht an; ging an; gingen an; gingen fur; ging fur; geht fur; gehen fur
    """,
    "income": """
        earn; earns; earned; earning; earnings; income; incomes; salary; salaries; wage; wages; paycheck; paychecks; pay
        cheque; payslip; came in; come in; comes in; coming in; brought; brought in; bring in; brings in; bringing in;
        take home; took home; received; receive; get paid; got paid; been paid; paid me; pays me; pay me; money in;
        revenue; made me; make from; made from; did i make; have i made; do i make; i make; takings; payout; payouts;
        verdient; verdiene; verdienst; einkommen; gehalt; gehalter; lohn; einnahmen; eingenommen; einnahme; rein;
        reingekommen; eingegangen; eingang; bekommen; bekam; bekomme; erhalten; erhielt; gutschrift; gutschriften;
        uberwiesen bekommen; rein gekommen; brutto; netto
    """,
    "search": """
        find; search; search for; look for; look up; looking for; locate; hunt for; suche; such; suchen; finde; finden
    """,
    "in the text": """
        in the name; in its name; in the description; in the text; in it; with the word; containing; contains; that say;
        that says; mentioning; enthalt; enthalten; mit dem wort; im namen; im verwendungszweck; im text; in der
        beschreibung
    """,
    "or": "or; oder",
    "more": """
        more; less; cheaper; pricier; bigger; smaller; higher; lower; mehr; weniger; teurer; billiger; gunstiger; hoher;
        niedriger
    """,
    "overall": """
        in total; total; overall; altogether; all in all; so far; ever; all time; all told; in all; insgesamt; gesamt;
        gesamte; bisher; alles in allem; gesamtausgaben; jemals; total spending
    """,
    "list": """
        show; list; display; view; print; pull up; bring up; which purchases; which transactions; what transactions;
        what purchases; every transaction; all transactions; every purchase; all purchases; zeig; zeige; zeigen;
        anzeigen; liste; auflisten; auflistung; welche buchungen; welche einkaufe; welche zahlungen; alle buchungen;
        alle einkaufe; alle zahlungen; samtliche; auffuhren
    """,
    "rows": """
        transactions; transaction; entries; rows; bookings; statement lines; buchungen; umsatze; kontobewegungen;
        buchung; receipts; purchases; payments; charges; orders; einkaufe; zahlungen; bestellungen; kaufe; everything;
        anything; alles; alle
    """,
    "status": """
        on file; do i have; date range; data range; how far back; what data; which data; my data; the data; data do you
        have; you have on me; you got on me; do you know; have you got; do you have; are loaded; is loaded; imported;
        which accounts; what accounts; accounts do i have; accounts are there; how many accounts; oldest data; newest
        data; first entry; last entry; latest data; since when; kennst du; hast du; weisst du; welche daten; wie weit;
        wie weit zuruck; welche konten; wie viele konten; zeitraum der daten; seit wann; meine daten; datenbestand;
        geladen; importiert
    """,
    "compare": """
        compare; compares; compared; comparing; comparison; versus; vs; against; than; difference; differ; different;
        more expensive; less expensive; more or less; which costs more; rather; up or down; stack up; side by side; as
        opposed to; vergleich; vergleiche; vergleichen; verglichen; gegenuber; unterschied; als; im vergleich; teurer;
        gunstiger; billiger; statt; gegeneinander
    """,
    "changed": """
        go up; gone up; went up; go down; gone down; went down; increase; increased; decrease; decreased; rise; rose;
        risen; fall; fell; fallen; grow; grew; grown; drop by; change; changed; rise by; gestiegen; steigen; stieg;
        gesunken; sank; gefallen; verandert; erhoht; zugenommen; abgenommen; teurer geworden; mehr geworden; weniger
        geworden
    """,
    "together": """
        together; combined; in total; altogether; all in all; both; in sum; jointly; zusammen; insgesamt; gemeinsam; in
        summe; zusammengenommen; beide
    """,
    "each": """
        each; separately; individually; respectively; apiece; one by one; jeweils; je; einzeln; getrennt
    """,
    "advice": """
        should i; should we; can i afford; could i afford; would you; do you think; is it worth; is it better;
        recommend; advise; suggest; how do i; how do you; how does one; how can i; how to; how would i; what if; teach
        me; explain how; soll ich; sollte ich; sollen wir; kann ich mir leisten; lohnt; empfiehl; empfiehlst; wie kann
        ich; wie sagt man; wie schreibt man; wie koche; wie mache ich; wie geht; wurdest du
    """,
}

#: Others whose money this ledger does not hold.
OTHERS = frozenset(
    word.key
    for word in words(
        """
    neighbor neighbour neighbors neighbours flatmate flatmates roommate roommates housemate boss colleague colleagues
    coworker coworkers
    friend friends wife husband spouse partner girlfriend boyfriend mother father mum mom dad sister brother parents cousin
    nachbar nachbarin nachbarn mitbewohner mitbewohnerin chef chefin kollege kollegin kollegen freund freundin
    freunde frau mann mutter vater schwester bruder eltern
    user users customer customers everyone somebody someone anyone nutzer kunde kunden jemand
    """
    )
)

_SHORTEST_SLIP, _LONG = 4, 6

#: First words of an order to do something with money or data, which nothing here does.
ORDERS = frozenset(
    "transfer send wire move pay cancel delete remove erase wipe buy sell invest withdraw deposit book "
    "order uberweise uberweis schick "
    "schicke sende losche kundige kaufe verkaufe storniere hebe bezahle bestelle buche entferne".split()
)
#: Numbers as words; what they count, a slot has read.
NUMBERS = frozenset(
    "two three four five six seven eight nine ten zwei drei vier funf sechs sieben acht neun zehn single dozen".split()
)
#: Words that carry nothing in any sentence.
FILLERS = frozenset(
    "hab eigentlich cent howmuch yo lol mate bro dude innit basically pls plz btw omg ey hey digga alter ma mal "
    "halt eben doch hmm hm um uh erm right so wait just "
    "sort kind kinda really actually honestly literally quickly quick darn damn bloody tja na naja ach "
    "quasi ungefahr also bitte".split()
)

#: Words that point at something said before; with nothing said before, they mean nothing.
DANGLING = frozenset("there them those these dort denen other others andere anderen anderer anderes beiden".split())


def is_phrase(keys: Sequence[str]) -> bool:
    """Whether words in a row are one of the cues of several words ("shell out"), whatever each of them may name."""
    return any(phrase == tuple(keys) for phrase, _ in _phrases().get(keys[0], ())) if len(keys) > 1 else False


@cache
def _phrases() -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return every phrase and its cue under the phrase's first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for cue, text in _PHRASES.items():
        for phrase in text.split(";"):
            keys = tuple(fold(part) for part in phrase.split())
            if keys:
                found.setdefault(keys[0], []).append((keys, cue))
    return {first: tuple(sorted(each, key=lambda item: -len(item[0]))) for first, each in found.items()}


def cues_of(sentence: Sequence[Word]) -> tuple[frozenset[str], frozenset[int]]:
    """Return the cues of words, and where the words that give them start."""
    keys = [word.key for word in sentence]
    cues: set[str] = set()
    starts: set[int] = set()
    known = _phrases()
    for place, key in enumerate(keys):
        for phrase, cue in known.get(key, ()):
            if tuple(keys[place : place + len(phrase)]) == phrase:
                cues.add(cue)
                starts.update(word.start for word in sentence[place : place + len(phrase)])
    return frozenset(cues), frozenset(starts)


@lru_cache(maxsize=1024)
def near_cue(key: str) -> str | None:
    """Return "spent" for a word that is probably a misspelt one of that cue, an empty text for any other cue, else None.

    One slip is allowed in four or five letters, two in longer words; a swap of neighbours is one slip.
    """
    if len(key) < _SHORTEST_SLIP:
        return None
    most = 1 if len(key) < _LONG else 2
    near = [word for word in _single_words() if OSA.distance(key, word, score_cutoff=most) <= most]
    return _single_words()[min(near, key=lambda word: OSA.distance(key, word))] if near else None


@cache
def _single_words() -> Mapping[str, str]:
    """Return every cue that is one word, and the words without meaning of their own, of a length that slips can be told in."""
    plain = {word: "" for word in FUNCTION_WORDS if len(word) >= _SHORTEST_SLIP}
    return plain | {
        phrase[0]: cue if cue == "spent" else ""
        for phrases in _phrases().values()
        for phrase, cue in phrases
        if len(phrase) == 1 and len(phrase[0]) >= _SHORTEST_SLIP
    }
