"""Where the person wants a merchant: put into a category for good, taken back, and listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from language.catalogue import Template, joined, say
from ledger.category_words import How, is_ambiguous, match_categories
from ledger.filters import Filter
from ledger.judgement import key_of
from ledger.left_out import list_left_out
from ledger.own_names import told_name
from ledger.rules import Rule, list_rules, moved_by_rule, own_categories, remove_rule, set_rule
from ledger.stemming import fold
from tools.apps.scope import no_data
from tools.calls import Call, Choice, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import AssignedCategory, AssignedMerchant, ReleasedMerchant, RuleTopic
from tools.slots.assignments import OUR_CATEGORIES, SURE_CATEGORY, bare_merchant, merchants_named, new_category
from tools.slots.names import MerchantSlot, names_of
from tools.wording import enumeration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.category_words import CategoryMatch
    from ledger.money import Money
    from tools.results import Value

_ASSIGN, _UNASSIGN, _RULES = "categories-assign", "categories-unassign", "categories-rules"
_MOST_CHOICES = 5
_LONGEST_CATEGORY = 40
_FORCED = "new category"
#: What a choice says that puts something under a category, and what it says where that is a new one.
_UNDER_NEW = {
    "Put {what} under {category}": "Put {what} into a new category {category}",
    "“{what}” under {category}": "“{what}” into a new category {category}",
    "Under {category}": "Under new category {category}",
    "Put {what} under new category {category}": "Put {what} into a new category {category}",
}
#: What is said of a change, by how many transactions it moves: of none, of one, of several.
_ASK_TO_PUT = (
    "Put {merchant} under {category}?",
    "{merchant}: 1 transaction from {before} to {category}?",
    "{merchant}: {count} transactions from {before} to {category}?",
)
_PUT = (
    "{merchant} is under {category} from now on.",
    "{merchant} is under {category} from now on: 1 transaction moved.",
    "{merchant} is under {category} from now on: {count} transactions moved.",
)
_ASK_TO_FORGET = (
    "Forget that {merchant} is under {category}?",
    "{merchant}: 1 transaction from {category} back to {before}?",
    "{merchant}: {count} transactions from {category} back to {before}?",
)
_FORGOTTEN = (
    "I have forgotten your category for {merchant}.",
    "I have forgotten your category for {merchant}: 1 transaction moved back.",
    "I have forgotten your category for {merchant}: {count} transactions moved back.",
)


@tool(
    app="categories",
    name=_ASSIGN,
    examples=(
        "Put Costco under groceries",
        "Categorise Netflix as entertainment",
        "Costco is groceries",
        "Always file Amazon under shopping",
        "Change the category of Shell to fuel",
        "Put Boulderwelt into a new category Climbing",
        "Ordne REWE unter Lebensmittel ein",
        "Netflix gehört zu Unterhaltung",
    ),
    keywords=("category", "categorise", "put under", "rule", "Kategorie", "zuordnen"),
    writes=True,
)
async def assign(context: ToolContext, merchant: AssignedMerchant, category: AssignedCategory) -> Result:
    """Put a merchant into a category for good, past and future transactions; only where the person asks for it themselves.

    Args:
        merchant: The shop or company.
        category: The category that it is to have; "new category …" makes one.
    """
    if not context.vocabulary.count:
        return no_data(context)
    rules = await list_rules(context.ledger)

    def again(name: str) -> Choice:
        return choice_of(_putting(name, category), _ASSIGN, merchant=name, category=category)

    found = _merchant(merchant, context, rules, again)
    if isinstance(found, Result):
        return found

    def put(each: str) -> Choice:
        return choice_of(_putting(found, each), _ASSIGN, merchant=found, category=each)

    wanted = category_named(category, context, rules, put)
    if isinstance(wanted, Result):
        return wanted
    now = await moved_by_rule(context.ledger, found)
    rule = _rule_for(found, rules)
    moved = _ranked(now, wanted)
    names = _names(found, moved, wanted, context)
    if not moved and (rule is None or rule.category == wanted):
        already = "{merchant} is under {category} already."
        return Result(already, names=names, behind=_behind(found), kind="unchanged")

    async def work(connection: AsyncConnection) -> None:
        await set_rule(connection, context.ledger, found, wanted)

    back = _assigning(found, rule.category, context, rules) if rule else Call(_UNASSIGN, {"merchant": found})
    return Result(
        _by_number(_ASK_TO_PUT, moved),
        facts=(Fact.count("count", "Transactions that change", sum(moved.values())),),
        notes=_notes(moved, wanted, context),
        names=names,
        table=await _table(context, moved, {wanted: sum(moved.values())}),
        behind=_behind(found),
        change=Change(work, _by_number(_PUT, moved), back),
    )


@tool(
    app="categories",
    name=_UNASSIGN,
    examples=(
        "Forget the rule for Costco",
        "Remove the category rule for Netflix",
        "Categorise Amazon automatically again",
        "Lösche die Regel für REWE",
    ),
    keywords=("forget", "remove", "category", "rule", "Regel", "Kategorie"),
    writes=True,
)
async def unassign(context: ToolContext, merchant: ReleasedMerchant) -> Result:
    """Forget the category that the person chose for a merchant; its transactions have again what they had without.

    Args:
        merchant: The shop or company; several are given by their names in the ledger.
    """
    rules = await list_rules(context.ledger)
    if not rules:
        return Result("You have put no merchant into a category yourself.", kind="empty")
    several = names_of(merchant)
    if len(several) > 1:
        return _forgetting_all([rule for name in several if (rule := _rule_for(name, rules))], context)
    found = _merchant(several[0], context, rules, _forgetting)
    if isinstance(found, Result):
        return found
    rule = _rule_for(found, rules)
    if rule is None:
        choices = tuple(_forgetting(each.merchant) for each in rules[:_MOST_CHOICES])
        return Result(
            "You have not put {merchant} into a category yourself.",
            names={"merchant": found}, kind="clarify", choices=choices,
        )  # fmt: skip
    own = _ranked(await own_categories(context.ledger, found), rule.category)
    names = _names(found, own, rule.category, context)

    async def work(connection: AsyncConnection) -> None:
        await remove_rule(connection, context.ledger, found)

    back = _assigning(found, rule.category, context, rules) if own and _is_in(found, context) else None
    return Result(
        _by_number(_ASK_TO_FORGET, own),
        facts=(Fact.count("count", "Transactions that change", sum(own.values())),),
        names=names,
        table=await _table(context, {rule.category: sum(own.values())} if own else {}, own),
        behind=_behind(found),
        change=Change(work, _by_number(_FORGOTTEN, own), back),
    )


@tool(
    app="categories",
    name=_RULES,
    examples=(
        "Show my category rules",
        "Which category rules do I have?",
        "Which merchants did I categorise myself?",
        "Zeig mir meine Kategorieregeln",
    ),
    keywords=("rules", "categories", "Regeln", "Kategorien"),
)
async def own_rules(context: ToolContext, merchant: RuleTopic | None = None) -> Result:
    """The categories that the person chose for merchants themselves, and what they leave out of their figures.

    Args:
        merchant: Only this one.
    """
    rules = await list_rules(context.ledger)
    left_out = () if merchant else await list_left_out(context.ledger)
    if not rules and not left_out:
        return Result(
            "You have put no merchant into a category yourself.",
            notes=("“Put … under …” does, with the names of a merchant and of a category.",),
            kind="empty",
        )
    if merchant is not None:
        found = _merchant(
            merchant, context, rules,
            lambda name: choice_of(say("Show the rule for {merchant}", merchant=name), _RULES, merchant=name),
        )  # fmt: skip
        if isinstance(found, Result):
            return found
        rule = _rule_for(found, rules)
        if rule is None:
            return Result(
                "You have not put {merchant} into a category yourself.", names={"merchant": found}, kind="empty"
            )
        rules = (rule,)
    rows = [(rule.merchant, rule.category, date.fromisoformat(rule.created_at[:10])) for rule in rules]
    nowhere = say("left out of all figures")
    rows += [(each.pattern, nowhere, date.fromisoformat(each.created_at[:10])) for each in left_out]
    one = {"merchant": rules[0].merchant, "category": told_name(rules[0].category)} if rules else {}
    several = "You have put {count} merchants into categories."
    told = [several if len(rules) > 1 else "You have put {merchant} under {category}."] if rules else []
    told += ["You leave {left_out} out of all figures."] if left_out else []
    return Result(
        joined(map(say, told), " "),
        names={"count": len(rules), "left_out": ", ".join(each.pattern for each in left_out), **one},
        notes=tuple(
            filter(
                None,
                (
                    "“Forget the rule for …” takes one back." if rules else "",
                    "“Count … again” counts it again." if left_out else "",
                ),
            )
        ),
        table=Table((Column("Merchant"), Column("Category"), Column("Since", "date")), tuple(rows)),
    )


def _forgetting_all(rules: Sequence[Rule], context: ToolContext) -> Result:
    """Return the proposal to forget the rules of several merchants at once."""
    if not rules:
        return Result("You have put none of them into a category yourself.", kind="empty")

    async def work(connection: AsyncConnection) -> None:
        for rule in rules:
            await remove_rule(connection, context.ledger, rule.merchant)

    return Result(
        "Forget your categories of {count} merchants?" if len(rules) > 1 else "Forget your category of {merchant}?",
        facts=(Fact.count("count", "Merchants whose category is forgotten", len(rules)),),
        names={"merchant": rules[0].merchant},
        table=Table((Column("Merchant"), Column("Category")), tuple((rule.merchant, rule.category) for rule in rules)),
        behind=(Filter(merchants=tuple(key_of(rule.merchant) for rule in rules)),),
        change=Change(work, "I have forgotten those categories."),
    )


def _forgetting(name: str) -> Choice:
    return choice_of(say("Forget the rule for {merchant}", merchant=name), _UNASSIGN, merchant=name)


def _merchant(words: str, context: ToolContext, rules: Sequence[Rule], again: Callable[[str], Choice]) -> str | Result:
    """Return the merchant that words name, or the question which one; ``again`` asks for the same with a name."""
    exact = [name for _, name in context.vocabulary.merchants if name == words]
    ruled = [rule.merchant for rule in rules if key_of(rule.merchant) == key_of(words)]
    named = exact or ruled or list(merchants_named(words, context))
    if not named:
        checked = MerchantSlot().check(bare_merchant(words), context)
        named = list(names_of(checked.value))
        if not named:
            choices = tuple(again(name) for name in checked.choices[:_MOST_CHOICES])
            question = "I find no merchant “{words}” in your ledger."
            return Result(question, names={"words": words}, kind="clarify", choices=choices)
    if len(named) > 1:
        choices = tuple(again(name) for name in named[:_MOST_CHOICES])
        question = "{count} merchants are called “{words}”. Which one?"
        return Result(question, names={"count": len(named), "words": words}, kind="clarify", choices=choices)
    return named[0]


def category_named(
    words: str, context: ToolContext, rules: Sequence[Rule], put: Callable[[str], Choice]
) -> str | Result:
    """Return the category that words name, theirs or ours or a new one, or the question which; ``put`` asks with one."""
    known = _known(context, rules)
    new = new_category(words)
    name = _printable(new or words)
    same = next((each for each in (*known, *OUR_CATEGORIES) if fold(each) == fold(name)), None)
    if same is None and (not any(map(str.isalnum, name)) or len(name) > _LONGEST_CATEGORY):
        return Result(
            "A category's name has letters, and {most} characters at most.",
            names={"most": _LONGEST_CATEGORY},
            kind="clarify",
        )
    if same or new:
        return same or name
    found = [match_categories(name, names) for names in (known, OUR_CATEGORIES)]
    if sure := next(filter(None, map(_only_one, found)), ""):
        return sure
    near = list(dict.fromkeys(each for matches in found for match in matches for each in match.names))
    if not near:
        return name
    made = f"{_FORCED} {name}"
    choices = [*(put(each) for each in near[: _MOST_CHOICES - 1]), _into_new(put(made), name)]
    return Result(
        "“{words}” may be more than one category. Which one?" if len(near) > 1 else "There is no category “{words}”.",
        names={"words": name}, kind="clarify", choices=tuple(choices),
    )  # fmt: skip


def _printable(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _only_one(matches: Sequence[CategoryMatch]) -> str:
    """Return the category that words surely name; empty where they may name another."""
    if not matches or is_ambiguous(matches) or matches[0].how is How.BROADER or matches[0].score < SURE_CATEGORY:
        return ""
    return matches[0].names[0] if len(matches[0].names) == 1 else ""


def _known(context: ToolContext, rules: Sequence[Rule]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*context.vocabulary.categories, *(rule.category for rule in rules))))


def _assigning(merchant: str, category: str, context: ToolContext, rules: Sequence[Rule]) -> Call:
    """Return the call that puts a merchant back; the category may be gone from the ledger by then."""
    others = [rule for rule in rules if rule.merchant != merchant]
    known = category in {*_known(context, others), *OUR_CATEGORIES}
    return Call(_ASSIGN, {"merchant": merchant, "category": category if known else f"{_FORCED} {category}"})


def _rule_for(merchant: str, rules: Sequence[Rule]) -> Rule | None:
    return next((rule for rule in rules if key_of(rule.merchant) == key_of(merchant)), None)


def _is_in(merchant: str, context: ToolContext) -> bool:
    return any(key == key_of(merchant) for key, _ in context.vocabulary.merchants)


def _behind(merchant: str) -> tuple[Filter, ...]:
    return (Filter(merchants=(key_of(merchant),)),)


async def _counts(context: ToolContext, wanted: Filter) -> Counter[str]:
    """Return how many transactions in scope each category has, whatever their currency."""
    counts: Counter[str] = Counter()
    for group in await context.ledger.groups(wanted, "category"):
        counts[group.key] += group.totals.count
    return counts


async def _table(context: ToolContext, leaving: Mapping[str, int], coming: Mapping[str, int]) -> Table | None:
    """Return how many transactions of the ledger each category has before and after a change."""
    if not leaving:
        return None
    before = await _counts(context, Filter())
    after = before + Counter(coming)
    after.subtract(leaving)
    rows = tuple((told_name(name), before[name], after[name]) for name in dict.fromkeys((*leaving, *coming)))
    return Table((Column("Category"), Column("Before", "count"), Column("After", "count")), rows, "Transactions")


def _ranked(counts: Mapping[str, int], without: str) -> dict[str, int]:
    """Return the categories other than one with their numbers, the largest first."""
    others = [(name, count) for name, count in counts.items() if name != without]
    return dict(sorted(others, key=lambda each: (-each[1], each[0])))


def _names(merchant: str, moved: Mapping[str, int], category: str, context: ToolContext) -> dict[str, Value | Money]:
    """Return the names of a change: ``before`` are the categories other than the rule's."""
    before = enumeration([*map(told_name, moved)] or [""], context.language)
    return {"merchant": merchant, "category": told_name(category), "count": sum(moved.values()), "before": before}


def _notes(moved: Mapping[str, int], category: str, context: ToolContext) -> tuple[str, ...]:
    notes = ["What is imported later follows.", "What counts as spending stays as it is."]
    if category not in (*context.vocabulary.categories, *OUR_CATEGORIES):
        notes.insert(0, "{category} is a new category.")
    return tuple(notes if moved else notes[:-1])


def _by_number(forms: tuple[str, str, str], moved: Mapping[str, int]) -> str:
    """Return the form for how many transactions move."""
    return forms[min(sum(moved.values()), 2)]


def _putting(merchant: str, category: str) -> Template:
    """Return what a choice says that puts a merchant under a category, which may be called a new one."""
    new = category.removeprefix(f"{_FORCED} ")
    if new != category:
        return say("Put {what} under new category {category}", what=merchant, category=new)
    return say("Put {what} under {category}", what=merchant, category=category)


def _into_new(choice: Choice, name: str) -> Choice:
    """Return a choice that puts something under a new category, with a label that says so."""
    label = choice.label
    if isinstance(label, Template) and label.form in _UNDER_NEW:
        label = say(_UNDER_NEW[label.form], **{**label.parts, "category": name})
    return replace(choice, label=label)
