"""How a table's amounts are to be read: the evidence of the whole file, weighed, or a question to the person."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ledger.direction import Decision, Evidence, Reading, Strength, Told, weigh
from ledger.importers.table.sides import PAYMENTS, PURCHASES, are_all_sides, are_codes, read_sides
from ledger.importers.table.signs import PAIR, usual_signs
from ledger.importers.table.stated import word_key
from ledger.importers.table.vocabulary import Role, fold
from ledger.transactions import AccountType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ledger.importers.importer import Hints
    from ledger.importers.table.layout import Layout
    from ledger.importers.table.preamble import Preamble
    from ledger.importers.table.tally import Signs, Tally

#: The share of telling rows that must agree, and how many of them are more than chance.
_AGREEING, _TELLING = 0.8, 2
#: As many rows, and such a share of them, are proof against a balance.
_MANY, _NEARLY_ALL = 12, 0.9

_TURNED_OF = {Reading.AS_WRITTEN: Reading.TURNED, Reading.TURNED: Reading.AS_WRITTEN}
_TOLD_WORDS = {Told.SPENT: "money spent", Told.RECEIVED: "money received", Told.AS_WRITTEN: "written"}
_LAST_TIME = {
    Reading.AS_WRITTEN: "read as written, as last time",
    Reading.TURNED: "read as money spent, as last time",
}


@dataclass(slots=True)
class Words:
    """What the words of rows say against how their amounts stand: counted over a sample."""

    rows: int = 0
    fitting: int = 0
    """Words and sign agree when a minus, or the column for money out, is money out."""
    against: int = 0
    received: int = 0
    """Rows above zero whose words say that the money came in."""
    marks: dict[str, Counter[int]] = field(default_factory=dict)
    """What the words of rows say by what stands in the column of sides."""

    def add(self, said: int, sign: int, mark: str = "") -> None:
        """Count one row: what its words say, its sign as written, and what stands in its column of sides."""
        self.rows += 1
        self.marks.setdefault(mark, Counter())[said] += 1
        self.fitting += said == sign
        self.against += said == -sign
        self.received += said == 1 == sign

    @property
    def telling(self) -> int:
        """The rows whose words say a side at all."""
        return self.fitting + self.against

    @property
    def are_sure(self) -> bool:
        """Whether so many rows say the same that they are no exceptions: a dozen shops don't all pay money back."""
        return self.telling >= _MANY and max(self.fitting, self.against) >= _NEARLY_ALL * self.telling


@dataclass(frozen=True, slots=True)
class Sides:
    """A column that says which way the money went, the side of each of its words, and what it shows."""

    column: int
    sides: Mapping[str, int]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that is known about a file's amounts."""

    layout: Layout
    tally: Tally
    words: Words
    hints: Hints
    preamble: Preamble
    account: str
    card: bool

    @property
    def single(self) -> bool:
        """Whether one column holds all amounts."""
        return bool(self.tally.amounts)

    @property
    def unsigned(self) -> bool:
        """Whether one column holds all amounts, none of them with a minus."""
        return self.single and not self.tally.amounts.below

    @property
    def mixed(self) -> bool:
        """Whether there are amounts on both sides of zero, or in both columns."""
        if self.single:
            return bool(self.tally.amounts.above and self.tally.amounts.below)
        return bool(self.tally.debits) and bool(self.tally.credits)


def decide(case: Case, key: str) -> tuple[Decision | None, Sides | None]:
    """Return how the amounts are to be read, or None if that must be asked; and the column of sides, if one is used."""
    sides = _best_sides(case)
    evidence = list(_evidence(case, sides))
    best = weigh(evidence)
    made = Decision(best.reading, best.why, layout=key, account=case.account) if best else None
    proven = best is not None and best.strength is Strength.PROOF
    told, remembered = case.hints.direction, case.hints.remembered.get((key, case.account))
    if told is not None and (made is None or made.reading in _TURNED_OF):
        return _told(case, told, key, best), sides
    stated = _stated_sign(case.layout)
    if case.layout.said and stated is not None and (made is None or made.reading in _TURNED_OF):
        return Decision(stated, _contrary(stated, best), layout=key, account=case.account), sides
    if remembered is not None and not proven and (made is None or made.reading in _TURNED_OF):
        made = Decision(remembered, _LAST_TIME[remembered], layout=key, account=case.account)
    return made, sides if made and made.reading is Reading.WORDS else None


def _told(case: Case, told: Told, key: str, best: Evidence | None) -> Decision:
    """Return the reading that makes most rows what the person says they are; their word goes before the file's."""
    if told is Told.AS_WRITTEN:
        reading = Reading.AS_WRITTEN
    else:
        reading = Reading.TURNED if (told is Told.SPENT) == (shown_side(case.tally) > 0) else Reading.AS_WRITTEN
    proven = best is not None and best.strength is Strength.PROOF
    doubt = _contrary(reading, best)
    why = "; ".join(filter(None, (f"read as {_TOLD_WORDS[told]}, as you said", doubt)))
    return Decision(reading, why, not proven, key, case.account)


def _contrary(reading: Reading, best: Evidence | None) -> str:
    """Say that a file proves the contrary of what a person says of it, if it does."""
    proven = best is not None and best.strength is Strength.PROOF and best.reading is not reading
    return "the file itself shows the contrary" if proven else ""


def _stated_sign(layout: Layout) -> Reading | None:
    """Return what is stated of the signs of files of a layout."""
    sign = layout.stated.sign if layout.stated is not None else None
    return {"as-is": Reading.AS_WRITTEN, "reversed": Reading.TURNED}.get(sign or "")


def shown_side(tally: Tally) -> int:
    """Return the sign of most amounts, or the column of most: the rows that a person is asked about."""
    if tally.amounts:
        return tally.amounts.usual
    return -1 if tally.debits.count >= tally.credits.count else 1


def _evidence(case: Case, sides: Sides | None) -> Iterator[Evidence]:
    tally, layout = case.tally, case.layout
    if layout.signed:
        yield Evidence(Reading.AS_WRITTEN, Strength.PROOF, "")
        return
    if not case.single and not layout.guessed:
        yield from _named_columns(case)
        return
    if case.single and tally.marked.keys() - {0}:
        yield Evidence(Reading.MARKS, Strength.PROOF, "")
        return
    if case.single and tally.pluses and tally.pluses == tally.amounts.above:
        yield Evidence(Reading.AS_WRITTEN, Strength.PROOF, "")
        return
    by_sides = sides is not None and sides.evidence.reading is Reading.WORDS
    if sides is not None and by_sides and (sides.evidence.strength is Strength.PROOF or not tally.amounts.below):
        yield sides.evidence
        return
    by_words = [] if case.layout.earned else list(_by_words(case))  # a shop's words speak of what was sold
    by_balance = list(_by_balance(case))
    if any(each.reading is Reading.BALANCE for each in by_balance):
        yield by_balance[0]
        return
    yield from by_words
    yield from _agreed(by_balance, by_words, owed=case.card or case.words.are_sure)
    if sides is not None:
        yield sides.evidence
    yield from _by_layout(case)
    yield from _by_signs(case)


def _named_columns(case: Case) -> Iterator[Evidence]:
    """Names of columns are proof, unless a balance proves the contrary: bookkeepers call debit what comes in.

    Where the rows' own words say the same as the names, that balance is what is owed.
    """
    words = next((each.reading for each in _by_words(case) if each.strength is Strength.STRONG), None)
    against = case.tally.balance.fits("turned") and not case.card and words is not Reading.AS_WRITTEN
    if against:
        yield Evidence(Reading.TURNED, Strength.PROOF, "the balance proves that the debits came in")
    if not against or words is None:
        yield Evidence(Reading.COLUMNS, Strength.PROOF, "")


def _agreed(balance: list[Evidence], words: list[Evidence], *, owed: bool) -> Iterator[Evidence]:
    """Let a balance prove nothing against the rows' own words: where it may be ``owed``, as on a card, these prove that it is."""
    against = [
        each
        for each in words
        if balance and each.strength >= Strength.STRONG and each.reading is not balance[0].reading
    ]
    if not against:
        yield from balance
    elif owed:
        yield replace(against[0], strength=Strength.PROOF, why="the balance is what is owed")
    else:
        yield from balance
        yield replace(against[0], strength=Strength.PROOF)


def _by_signs(case: Case) -> Iterator[Evidence]:
    """What the signs alone say: a minus is usually money out, which people have more of."""
    signs = case.tally.amounts
    if signs.below > signs.above:
        yield Evidence(Reading.AS_WRITTEN, Strength.WEAK, "")
    elif case.card and case.mixed and signs.above > signs.below:
        yield Evidence(Reading.TURNED, Strength.WEAK, "a card's charges stand without a minus")


def _by_layout(case: Case) -> Iterator[Evidence]:
    """What files of this layout are known for."""
    if not case.single:
        return
    if (stated := _stated_sign(case.layout)) is not None:
        yield Evidence(stated, Strength.STRONG, "as this bank's files are")
    if case.tally.amounts.usual < 0:
        return
    if case.layout.charges_positive:
        yield Evidence(Reading.TURNED, Strength.STRONG, "this card's files list charges without a minus")
    if case.layout.known and case.layout.known.budget and case.mixed:
        yield Evidence(Reading.AS_WRITTEN, Strength.STRONG, "")
    if case.layout.earned and not case.layout.charges_positive:
        yield Evidence(Reading.AS_WRITTEN, Strength.STRONG, "a seller's list: what was sold came in")
    if case.layout.spent_only and not case.words.received:
        yield Evidence(Reading.TURNED, Strength.STRONG, "a list of orders or prices: all of it is money out")


def _by_words(case: Case) -> Iterator[Evidence]:
    """What the rows' own words say: shops and fees are money out, salaries and refunds money in."""
    words = case.words
    if not words.telling:
        return
    fits = words.fitting >= words.against
    if max(words.fitting, words.against) < _AGREEING * words.telling:
        return
    reading = Reading.AS_WRITTEN if fits else Reading.TURNED
    strength = Strength.STRONG if words.telling >= _TELLING else Strength.WEAK
    if strength is Strength.WEAK and _is_unusual(case, fits=fits):
        return
    if case.single and not case.mixed:
        if case.tally.amounts.below:  # a list of nothing but minuses: its words may doubt that, but not turn it
            strength = strength if fits else Strength.WEAK
        elif fits:
            if words.received < words.rows:
                return
            strength = Strength.STRONG
        elif not case.card:  # a shop's name does not tell a purchase from a refund
            return
    yield Evidence(reading, strength, "the rows' own words fit only so" if reading is Reading.TURNED else "")


def _is_unusual(case: Case, *, fits: bool) -> bool:
    """Tell whether one name stands against what is usual: most amounts are money out, and a debit comes before a credit."""
    if not case.single:
        return not fits or case.layout.column(Role.DEBIT) > case.layout.column(Role.CREDIT) >= 0
    if not fits:
        return not case.card
    return case.mixed and case.tally.amounts.above > case.tally.amounts.below


def _by_balance(case: Case) -> Iterator[Evidence]:
    """What running and stated balances prove."""
    balance = case.tally.balance
    fitting = Reading.AS_WRITTEN if balance.fits("same") else Reading.TURNED if balance.fits("turned") else None
    if case.unsigned and (fitting is None or fitting is not _stated_sign(case.layout)):
        if balance is case.tally.as_one and balance.order:  # nothing has a sign, so each row needs its own proof
            yield Evidence(Reading.BALANCE, Strength.PROOF, "each sign is proved by the balance")
    elif fitting is not None:
        yield Evidence(fitting, Strength.PROOF, "the balance proves it")
    opening, closing = case.preamble.opening, case.preamble.closing
    if opening is not None and closing is not None and case.tally.total:
        change = closing.amount - opening.amount
        if abs(change) == abs(case.tally.total):
            reading = Reading.AS_WRITTEN if change == case.tally.total else Reading.TURNED
            yield Evidence(reading, Strength.PROOF, "opening and closing balance prove it")


def _best_sides(case: Case) -> Sides | None:
    """Return the column that tells the sides of most rows, one with such a header before types of transactions."""
    if not case.single:
        return None
    headed = {case.layout.column(Role.SIGN), PAIR}
    ordered = sorted(case.tally.words.items(), key=lambda item: item[0] not in headed)
    if case.layout.earned:  # in a seller's list a sale is money in
        ordered = [each for each in ordered if PURCHASES.isdisjoint(map(fold, each[1]))]
    found = (_sides(case, column, words, headed=column in headed) for column, words in ordered)
    return next((sides for sides in found if sides is not None), None)


def _sides(case: Case, column: int, words: Mapping[str, Signs], *, headed: bool) -> Sides | None:
    filled = {word: signs for word, signs in words.items() if word}
    below = bool(case.tally.amounts.below)
    named = headed or ((case.mixed or not below) and are_all_sides(filled))
    if not headed and (are_codes(filled) or (not named and _is_remark(case.layout, column))):
        return None
    ours = column == case.layout.column(Role.SIGN)
    sides = _stated_sides(case.layout, column, filled)
    if not sides:
        sides = _read_sides(case, filled, named=named)
        sides = {} if ours and are_codes(filled) and _is_denied(case.words, sides) else sides
    learned = ours and not any(sides.values())
    sides = _learned_sides(case.words, filled) if learned else sides
    if named and set(sides.values()) == {1} and "" in words:
        sides[""] = -1  # where a file marks only its credits, everything else is a debit
    known, counted = _counts(words, sides)
    if not known or (not named and known * 2 < counted and not below):
        return None
    reading = _reading_of_sides(words if "" in sides else filled, sides, named=named)
    proof = not learned and (headed or (known == counted and not below))
    strength = Strength.PROOF if proof else Strength.STRONG
    why = "turned by the words beside the amounts" if reading is Reading.TURNED else ""
    return Sides(column, sides, Evidence(reading, strength, why))


def _counts(words: Mapping[str, Signs], sides: Mapping[str, int]) -> tuple[int, int]:
    """Return how many rows have a word whose side is known, and how many there are."""
    known = sum(signs.count for word, signs in words.items() if sides.get(word))
    return known, sum(signs.count for signs in words.values())


def _is_remark(layout: Layout, column: int) -> bool:
    """Tell a column of texts: one word of a remark, “paid” or “sent”, says nothing of whose money it was."""
    return column in layout.memos or column == layout.column(Role.DESCRIPTION)


def _read_sides(case: Case, words: Collection[str], *, named: bool) -> dict[str, int]:
    """Return the sides that words usually have.

    “Payment” is money in on a card and money out elsewhere: it needs signs beside it, or a card.
    """
    buys = any(fold(word) in PURCHASES for word in words)
    pays = any(not PAYMENTS.isdisjoint(fold(word).split()) for word in words)
    return dict(read_sides(words, named=named, card=buys and (case.card or case.mixed or not pays)))


def _is_denied(words: Words, sides: Mapping[str, int]) -> bool:
    """Tell whether more rows say by their words the contrary of what their marks usually mean than say the same."""
    told = ((words.marks.get(mark, Counter()), side) for mark, side in sides.items() if side)
    return sum(said[side] - said[-side] for said, side in told) < 0


def _learned_sides(words: Words, marks: Collection[str]) -> dict[str, int]:
    """Return the sides of two marks that nobody knows, if the rows of each say by their words that they are of one only."""
    told = {mark: [side for side in (-1, 1) if words.marks[mark][side]] for mark in marks if mark in words.marks}
    telling = sum(words.marks[mark][side] for mark, sides in told.items() for side in sides)
    if telling <= _TELLING or len(marks) != len(told) or sorted(told.values()) != [[-1], [1]]:
        return {}
    return {mark: side for mark, (side,) in told.items()}


def _stated_sides(layout: Layout, column: int, words: Iterable[str]) -> dict[str, int]:
    """Return the sides of words as they are stated; nothing where that is not said, or of another column."""
    sides = layout.stated.sides if layout.stated is not None and column == layout.column(Role.SIGN) else {}
    return {word: sides.get(word_key(word), 0) for word in words} if sides else {}


def _reading_of_sides(words: Mapping[str, Signs], sides: Mapping[str, int], *, named: bool) -> Reading:
    """Tell whether the signs say the same as the words, the contrary, or nothing."""
    usual = usual_signs(words, sides)
    has_out, has_in = (any(sides[word] == side for word in words) for side in (-1, 1))
    below = any(signs.below for signs in words.values())
    above = any(signs.above for signs in words.values())
    if has_out and usual[-1] < 0:
        return Reading.WORDS if named and has_in and not above else Reading.AS_WRITTEN
    if not has_out and below:
        return Reading.AS_WRITTEN if usual[1] > 0 else Reading.TURNED if above else Reading.WORDS
    if not has_out:
        return Reading.WORDS
    return Reading.TURNED if below and (usual[1] < 0 or not has_in) else Reading.WORDS


def is_card(layout: Layout, account_type: AccountType | None, hints: Hints, guess: AccountType | None) -> bool:
    """Tell whether the file is of a credit card, by its layout, the account that it names or its own name."""
    card = AccountType.CREDIT_CARD
    return (
        layout.charges_positive
        or account_type is card
        or (account_type is None and not hints.account and guess is card)
    )
