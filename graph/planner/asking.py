"""What is asked, as both witnesses tell it: the reader its act and factors, the reading what it names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graph.planner.balances import explained_by_forms
from graph.planner.constraints import constraints_of, population_named
from graph.planner.consumption import read_by_rule, unread_words
from graph.planner.meaning import SUBJECTS, Meaning
from graph.planner.missed import is_size
from graph.planner.pointing import is_of_one_untold, points_back, points_outside
from graph.planner.putting_aside import account_put_aside_in, narrowed
from graph.planner.vocabulary import BOTH, FUNCTION_WORDS, POINTERS, PURCHASE_NOUNS
from language import cues
from language.lexicon import choices, listed
from language.reader import reader
from language.words import fold, fold_in_place, words
from ledger.brands import brand_called, is_own_name, is_payment_service
from ledger.category_words import find_category_words
from ledger.recurring import recurring
from ledger.taxonomy import CATEGORIES, lineage
from ledger.transactions import AccountType
from tools.slots.name_index import is_everyday
from tools.slots.names import names_of

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence

    from graph.planner.reading import Reading
    from language.reader import Told
    from language.words import Word
    from ledger.periods import Period
    from ledger.recurring import Series
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

#: Acts that are about what recurs.
OF_REGULAR = frozenset({"level", "level_change", "next", "ended"})
#: Acts that are about an answer before.
OF_BEFORE = ("edit", "same", "calc")
#: What stands for a mention in the pattern that the reader sees.
_PLACEHOLDERS = {"category": "{c}", "merchant": "{m}", "period": "{p}", "account": "{a}"}
#: Kinds of movement of which only lists and their sums are told.
_LISTED = {"card_payment": "card_payments", "loan_payment": "loan_payments"}
#: The kinds of movement that are a kind of money by themselves.
_KINDS = {
    "refund": "refunds",
    "fee": "fees",
    "interest": "interest",
    "transfer": "transfers",
    "cash": "cash",
    "income": "income",
    **_LISTED,
}
_KNOWN = FUNCTION_WORDS | BOTH | POINTERS | PURCHASE_NOUNS
_CATEGORIES = tuple(category.name for category in CATEGORIES.values())
#: So well a word must tell a category to name one.
_TOLD = 0.9
#: Categories that are kinds of money, or what recurs, by themselves.
_NOT_BOUGHT = frozenset(
    "subscriptions income salary interest transfers fees cash savings loans other memberships".split()
)
#: Slots of a sentence that is nothing but names and dates.
_FRAGMENT_SLOTS = frozenset({"period", "category", "merchant", "account", "per", "over", "under", "by", "kind"})
#: Words before a month by which each of several months is one of its own.
_APART = listed("apart_months")
_CASH = frozenset(map(fold, choices("kind")["cash"]))
_SHORTEST_SHOP = 5
_ARTICLES = listed("articles", "possessives")
#: How sure the reader must be of the end of a rank.
_TELLING = 0.5
#: How sure it must be that the first time is asked for where no word says so.
_BEGINNING = 0.8
#: How sure the reader must be that a follow-up is about other money than the question before.
_OTHER_MONEY = 0.8


@dataclass(frozen=True)
class Asking:
    """A reading with what the reader says of it, the tools that may be used, and the day."""

    reading: Reading
    told: Mapping[str, Told]
    tools: Mapping[str, Tool]
    context: ToolContext
    regular: Sequence[Series] = ()
    """What recurs in the ledger, where the act may be about that."""
    base: Meaning | None = None
    """What the message leans on: its constraints and time are asked about, as far as the message changed them."""
    act_is: str | None = None
    """The act where it is not the sentence that tells it."""
    of_is: str | None = None
    """The money where it is not the sentence that tells it."""
    follows: bool = False
    """Whether anything was said before."""
    sought: str = ""
    """Words of the sentence that are looked for in what the bank wrote, and so are explained."""

    @cached_property
    def text(self) -> str:
        """The sentence as forms are matched in it."""
        return fold_in_place(self.reading.text)

    def says(self, form: re.Pattern[str]) -> bool:
        """Whether the sentence has a form."""
        return form.search(self.text) is not None

    @cached_property
    def unread(self) -> tuple[Word, ...]:
        """The words that nothing explains in a question of this act."""
        left = unread_words(self.reading, self.act, self.context.vocabulary.currencies)
        return tuple(word for word in left if word.key not in self._sought_keys and not self._is_read_by_form(word))

    def _is_read_by_form(self, word: Word) -> bool:
        """Whether a word only says that something is looked for, which balance, that it is savings, or which account of one."""
        saved = self.of in ("savings", "savings_back") and cues.SAVED.search(word.key)
        sized = self.act == "empty" and is_size(self, word.key)
        kin = word.key in listed("kin") and self.reading.of("merchant")
        only = len(self.context.vocabulary.accounts) == 1 and word.key in listed("account_words")
        if saved or sized or kin or only:
            return True
        told = explained_by_forms(self.text) if self.act == "balance" else []
        told += [found.span() for form in self._forms_read for found in form.finditer(self.text)]
        return any(start <= word.start < end for start, end in told)

    @property
    def _forms_read(self) -> list[re.Pattern[str]]:
        """The forms that are heard in a question of this act and money, so that their words are explained."""
        came = self.of in ("income", "refunds") and bool(self.reading.of("merchant"))
        forms = {
            **dict.fromkeys((cues.SEARCHES, cues.CHARGING, cues.NETTED), True),
            **dict.fromkeys((cues.CAME_BACK, cues.TO_ME), came),
            cues.JOBS: self.of in ("income", "salary"),
            cues.WAGES: self.of in ("income", "salary") or self.says(cues.OF_INCOME),
            cues.COMES_EVERY: self.act == "recurring",
            **dict.fromkeys((cues.IN_THE_END, cues.AT_FIRST), self.follows),
            cues.RANKED_AT: self.nth > 1,
            cues.ACCOUNT_GREW: self.has("account"),
            cues.FORTNIGHTLY: self.act == "level",
            **dict.fromkeys((cues.FORMER, cues.MORE_OR_LESS, cues.COMPARED_TO), self.act in ("apart", "level_change")),
            cues.OMISSION: self.act == "empty",
            cues.DRAWN: self.of == "cash" or self.follows,
        }
        return [form for form, heard in forms.items() if heard]

    @property
    def _sought_keys(self) -> frozenset[str]:
        return frozenset(word.key for word in words(self.sought))

    @cached_property
    def unknown(self) -> tuple[Word, ...]:
        """The words that may name what is asked about, and nobody knows, or the ledger has nothing of."""
        mentions, vocabulary = self.reading.mentions, self.context.vocabulary
        if not (vocabulary.categories or vocabulary.merchants):
            return ()  # of an empty ledger it is said that it is empty
        ruled = read_by_rule(self.reading)
        return tuple(
            word
            for place, word in enumerate(self.reading.words)
            if place not in self.reading.crossed
            and place not in ruled
            and word.key not in self._sought_keys
            and not self._is_read_by_form(word)
            and not any(m.start < word.end and word.start < m.end for m in mentions)
            and self._may_name(word)
        )

    def _may_name(self, word: Word) -> bool:
        """Whether a word may be what is asked about: a shop, what is bought, or a word that nobody knows."""
        names = not self.named and names_something(word.key)
        text = self.reading.text
        initials = word.end - word.start > 1 and text[word.start : word.end].isupper() and not text.isupper()
        return names or is_shop(self, word) or (word in self.unread and (initials or _is_strange(word.key)))

    @property
    def dangles(self) -> bool:
        """Whether the sentence points at something or somebody that nobody has named."""
        if self.follows:
            return points_back(self.reading)
        if any(is_shop(self, word) for word in self.unknown):
            return False  # "at Lidl, did I spend anything there?"
        somebody = points_outside(self.reading, listed("persons_met")) and not self.has("merchant")
        joins = self.joins and not (self.named or self.says(cues.SPENT))
        return somebody or joins or self._points_outside or is_of_one_untold(self)

    @property
    def _points_outside(self) -> bool:
        """Whether it points at what it does not name; behind the pay that went up, “it” is the pay."""
        of_pay = self.of == "salary" and self.says(cues.SALARY)
        of_an_amount = self.told["act"].best == "identify" and self._said.keys() >= {"over", "under"}
        return points_outside(self.reading) and not (of_pay or of_an_amount)

    @property
    def joins(self) -> bool:
        """Whether the sentence begins as one that goes on from another does ("and …")."""
        return bool(self.reading.words) and self.reading.words[0].key in listed("joining")

    @cached_property
    def act(self) -> str:
        """What is asked for: the likeliest act, where nothing else tells it."""
        return self.act_is or self.told["act"].best

    @cached_property
    def of(self) -> str:
        """Which money is asked about: a kind that is named, what a category is of, else what the reader says."""
        before = self.base.of if self.base else None
        netted = (
            self.told["of"].best == "refunds" and self.reading.crossed and self.ruled_of != "refunds"
        )  # "after a refund"
        if self.of_is is None and (self.says(cues.NETTED) or netted):
            return before or "spending"
        told = self._of_alone if before is None else self._of_after(before)
        return narrowed(self.of_is or self.ruled_of or told, self)

    @property
    def _of_alone(self) -> str:
        """Which money the reader tells; what is earned is no spending, whatever it says."""
        told = self.told["of"].best
        sent_me = self.says(cues.TO_ME) and not self.says(cues.FROM_ME)
        if self.says(cues.PAID_OUT) or (sent_me and self.has("merchant")):
            return "spending" if self._saw_what_is_left_out(told) else "income"
        if self._saw_what_is_left_out(told) or self._is_spent_all_the_same(told):
            return "spending"
        if told == "spending" and self._came_back:
            return "refunds"
        earned = self.says(cues.COMES_IN) and not self.says(cues.SPENT) and not any(map(self.has, SUBJECTS))
        return "income" if earned and told == "spending" else told

    @property
    def _came_back(self) -> bool:
        """Whether something came back from somebody who is named or asked after."""
        return self.says(cues.CAME_BACK) and (self.has("merchant") or self.says(cues.PAYERS))

    def _saw_what_is_left_out(self, told: str) -> bool:
        """Whether the reader only tells savings as they are left out."""
        saved = told in ("transfers", "savings") and self.says(cues.SAVED)
        return saved and not cues.SAVED.search(self._kept_text)

    def _is_spent_all_the_same(self, told: str) -> bool:
        """Whether money is spent though the reader tells it as income or fees: it is we who pay, or single charges."""
        if (told in ("income", "refunds") and self.says(cues.FROM_ME)) or (
            told == "transfers" and self.says(cues.ON_THE_CARD)
        ):
            return True
        if told == "income" and self.says(cues.I_PAID):
            return self.has("merchant") or not self.says(cues.COMES_IN)
        return told == "fees" and self.told["of"].sure < _OTHER_MONEY and self.said("by") == "purchase"

    def _of_after(self, before: str) -> str:
        """Which money is asked about after a question about some, which stands unless other money is told for certain."""
        if before in ("savings", "savings_back") and self.says(cues.SAVED_BACK):
            return "savings_back"
        if self.says(cues.TO_ME) or self.says(cues.PAID_OUT):
            return "income"
        if self.says(cues.SPENT) or self.says(cues.I_PAID):
            return "spending"
        if before == "spending" and self.says(cues.CAME_BACK) and self.reading.of("merchant"):
            return "refunds"
        told = self.told["of"]
        other = told.best != "spending" and (told.best != "income" or self.says(cues.COMES_IN))
        return told.best if other and told.sure >= _OTHER_MONEY else before

    @cached_property
    def ruled_of(self) -> str | None:
        """Which money a kind, a category or a word of savings tells for certain."""
        given = self.says(cues.FROM_ME)  # "did I send her the money back?"
        kinds = [each for each in self._said.get("kind", ()) if each in _KINDS and not (given and each == "refund")]
        kind = "fee" if kinds == ["cash", "fee"] else next(iter(kinds), None)  # "ATM fees" are no cash
        if kind == "fee" and self.says(cues.TO_ME):
            kind = "income"  # what others pay as a fee is no bank's
        if kind is not None:
            return _KINDS[kind] if kind not in _LISTED or self.act in ("total", "rows") else None
        if cues.TO_SAVINGS.search(self._kept_text):
            return "transfers"
        if self.says(cues.PAID_OFF) and self._is_about_a_card and self.act in ("total", "rows"):
            return "card_payments"
        return population_named(self.reading.of("category"))

    @property
    def _is_about_a_card(self) -> bool:
        """Whether the accounts that are named are credit cards."""
        named = {name for mention in self.reading.of("account") for name in names_of(mention.value)}
        types = [each.type for each in self.context.vocabulary.accounts if each.name in named]
        return bool(types) and all(each is AccountType.CREDIT_CARD for each in types)

    @cached_property
    def _kept_text(self) -> str:
        """The sentence as forms are matched in it, without what is left out and the words that say so."""
        crossed = (self.reading.words[place] for place in self.reading.crossed)
        return _blanked(self.text, [*crossed, *(mention for mention in self.reading.mentions if mention.excluded)])

    @cached_property
    def unnamed_text(self) -> str:
        """The sentence as forms are matched in it, without the names in it ("No Frills" is no "no")."""
        return _blanked(self.text, [m for m in self.reading.mentions if m.slot in SUBJECTS])

    def factor(self, head: str) -> str:
        """Return a factor that the reader tells."""
        return self.told[head].best

    def said(self, slot: str) -> Any:
        """Return what the sentence itself says of a slot, if anything."""
        values = self._said.get(slot)
        return values[0] if values else None

    @cached_property
    def _said(self) -> Mapping[str, Sequence[Any]]:
        """What the sentence says of each slot, what it leaves out aside."""
        return self.reading.by_slot(excluded=False)

    @cached_property
    def about(self) -> Mapping[str, Any]:
        """The constraints that are named, or that stand from before."""
        about = self.base.about if self.base else constraints_of(self.reading)
        return {**about, "text": self.sought} if self.sought else about

    @cached_property
    def periods(self) -> tuple[Period, ...]:
        """The periods that are named, or that stand from before; all time is none."""
        if self.base:
            return self.base.periods
        found = [mention.value for mention in self.reading.of("period")]
        told = [each for each in found if not each.is_all_time or each.weekdays]
        return tuple(each for each in told if not any(_is_within(other, each) for other in told))

    def meaning(self, act: str, **more: Any) -> Meaning:
        """Return a meaning of what is named and when."""
        meaning = Meaning(act, self.of, self.about, self.periods).but(**more)
        if meaning.of in ("savings", "savings_back"):  # they are where the money goes, not where the rows are
            gone = [] if account_put_aside_in(self) else ["account"]
            meaning = meaning.without("means", *gone, *(["merchant"] if self._says_only_savings else []))
        if meaning.of == "card_payments" and self.says(cues.PAID_OFF):  # they leave another account
            meaning = meaning.without("account")
        if meaning.of == "cash" and any(fold(m.text) in _CASH for m in self.reading.of("merchant")):
            meaning = meaning.without("merchant")  # "cash machine" is how it was drawn
        return meaning

    @property
    def says_nothing_else(self) -> bool:
        """Whether all of its words are small ones, words for money, in questions of any kind, or are read by a rule."""
        small = FUNCTION_WORDS | listed("money", "total", "around")
        read = read_by_rule(self.reading) | self.reading.crossed
        return all(
            word.key in small
            or place in read
            or reader().is_common(word.key)
            or any(m.start <= word.start < m.end for m in self.reading.mentions)
            for place, word in enumerate(self.reading.words)
        )

    @property
    def _says_only_savings(self) -> bool:
        """Whether what is named as a merchant only says that it is savings ("my pot"), and not which ("the Tax Pot")."""
        said = [word.key for mention in self.reading.of("merchant") for word in words(mention.text)]
        if not said and self.base is not None:
            said = [word.key for name in names_of(self.base.about.get("merchant")) for word in words(name)]
        small = FUNCTION_WORDS | listed("account_words", "articles", "possessives")
        return bool(said) and all(key in small or cues.SAVED.search(key) for key in said)

    @property
    def is_fragment(self) -> bool:
        """Whether the sentence holds nothing but names and dates, what is left out, and small words around them."""
        mentions, crossed = self.reading.mentions, self.reading.crossed
        outside = [
            word.key
            for place, word in enumerate(self.reading.words)
            if place not in crossed and not any(m.start <= word.start < m.end for m in mentions)
        ]
        only = all(mention.slot in _FRAGMENT_SLOTS or mention.excluded for mention in mentions)
        told = any(mention.slot not in ("by", "per") for mention in mentions) or self.says(cues.SPENT)
        return only and told and listed("around").issuperset(outside)

    def word_before(self, mention: Mention | Word) -> str:
        """Return the folded word before a mention or another word, articles aside."""
        before = (word.key for word in reversed(self.reading.words) if word.end <= mention.start)
        return next((key for key in before if key not in _ARTICLES), "")

    @property
    def named(self) -> bool:
        """Whether a category, a merchant or an account is named, or words of the bank's text."""
        return bool(self.sought) or any(self.has(slot) for slot in ("category", "merchant", "account"))

    def has(self, slot: str) -> bool:
        """Whether such a thing is named, or stands from before."""
        return slot in self.about

    def as_act(self, act: str) -> Asking:
        """Return the same asked as another act."""
        return replace(self, act_is=act)

    def only(self, mention: Mention, *slots: str) -> Asking:
        """Return the same with one mention as the only one of its slot, or of several."""
        those = slots or (mention.slot,)
        kept = tuple(m for m in self.reading.mentions if m.slot not in those or m is mention or m.excluded)
        return replace(self, reading=replace(self.reading, mentions=kept))

    def without(self, mention: Mention, text: str) -> Asking:
        """Return the same with words of the bank's text in place of a mention."""
        kept = tuple(each for each in self.reading.mentions if each is not mention)
        return replace(self, reading=replace(self.reading, mentions=kept), sought=text)

    @property
    def nth(self) -> int:
        """Which place is asked for: 2 of "the second largest"."""
        outside = _blanked(self.text, self.reading.of("period"))
        return next((number for number, form in cues.NTH.items() if form.search(outside)), 1)

    @property
    def direction(self) -> str:
        """Which end is asked for: largest, smallest, latest or first."""
        ends = {"last": "latest", "largest": "largest", "smallest": "smallest", "first": "first"}
        said, told = ends.get(str(self.said("measure"))), self.told["dir"]
        if said is None and self.says(cues.WHEN):
            return "first" if told.best == "first" and told.sure >= _BEGINNING else "latest"
        return said or (self.factor("dir") if self.told["dir"].sure >= _TELLING else "largest")

    @property
    def adjoining(self) -> bool:
        """Whether the periods follow each other without a gap: "May and June" is one, "in May and in June" is two."""
        mentions = self.reading.of("period")
        return all(
            (second.value.start - first.value.end).days == 1 and words(second.text)[0].key not in _APART
            for first, second in pairwise(mentions)
        )


def money_of_kind(kind: str) -> str | None:
    """Return which money a kind of movement is by itself."""
    return _KINDS.get(kind)


def _is_within(inner: Period, outer: Period) -> bool:
    """Whether a period is a part of another: "this year in March" is March."""
    return outer.start <= inner.start and inner.end <= outer.end and inner != outer and not outer.weekdays


def is_shop(asking: Asking, word: Word) -> bool:
    """Whether a word is the whole name of a well-known shop, and of nothing else."""
    text = asking.reading.text
    written = text[word.start : word.end + text.startswith("+", word.end)]  # Disney+
    known = len(written) >= _SHORTEST_SHOP and is_own_name(written) and not is_payment_service(brand_called(written))
    return known and not is_everyday(word.key)


def _blanked(text: str, parts: Iterable[Word | Mention]) -> str:
    """Return a text with spaces in place of some of its parts, so that the others stay where they are."""
    for part in parts:
        text = f"{text[: part.start]}{' ' * (part.end - part.start)}{text[part.end :]}"
    return text


def _is_strange(key: str) -> bool:
    return not (reader().is_read(key) or key in _KNOWN or key in listed("money"))


def names_something(key: str) -> bool:
    """Whether a folded word is one for a category of what is bought."""
    return bool(categories_named(key))


@cache
def categories_named(key: str) -> frozenset[str]:
    """Return the keys of the categories of what is bought that a folded word is one for."""
    if reader().is_common(key) or key in _KNOWN or key in listed("money"):
        return frozenset()
    matches = [match for mention in find_category_words(key, _CATEGORIES) for match in mention.matches]
    told = (each for match in matches if match.score >= _TOLD for each in match.keys)
    return frozenset(each for each in told if _NOT_BOUGHT.isdisjoint(lineage(each)))


async def asking_of(
    reading: Reading, tools: Mapping[str, Tool], context: ToolContext, *, anything_before: bool = False
) -> Asking:
    """Return what the reader says of a reading; where nothing was said before, it is no change of that."""
    told = reader().read(reading.text, pattern_of(reading))
    if not anything_before:
        told["act"] = told["act"].without(*OF_BEFORE)
    text = fold_in_place(reading.text)
    forms = (cues.A_YEAR, cues.REPRICED, cues.EVERY_HOW_MANY, cues.MORE_OR_LESS)
    of_regular = told["act"].best in OF_REGULAR or any(form.search(text) for form in forms)
    regular = await recurring(context.ledger) if of_regular else ()
    return Asking(reading, told, tools, context, regular, follows=anything_before)


def pattern_of(reading: Reading) -> str:
    """Return a sentence with placeholders for what it names."""
    pieces, place = [], 0
    for mention in reading.mentions:
        mark = _PLACEHOLDERS.get(mention.slot)
        if mark is not None and mention.start >= place:
            pieces += [reading.text[place : mention.start], mark]
            place = mention.end
    return "".join((*pieces, reading.text[place:]))
