"""The commands: within Discord's limits, registered when they differ, and answered for what was chosen."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from bots.contracts import Duty, Question
from bots.desk.commands import COMMANDS
from bots.discord_app.commands import asked, is_registered, payload
from bots.discord_app.registration import inspect, invite_links, sync
from bots.discord_app.suggestions import suggestions
from bots.errors import CommandError
from bots.limits import Discord
from tests.conftest import ManualClock
from tests.support.discord_server import HOME
from tests.support.lookup_house import labels, open_house
from tests.support.untold import untold_in
from tools.calls import Call

WORDS = ("name", "description")


class TestThePayload:
    def test_every_word_of_the_command_line_is_a_subcommand(self):
        money, explain = payload()
        assert {each["name"] for each in money["options"]} == {"ask", *COMMANDS}
        assert (explain["name"], explain["type"]) == ("Explain this charge", 3)

    def test_it_can_be_used_everywhere_by_servers_and_people(self):
        for command in payload():
            assert (command["integration_types"], command["contexts"]) == ([0, 1], [0, 1, 2])
        for command in payload(guild=True):
            assert not {"integration_types", "contexts"} & command.keys()

    def test_it_is_within_the_limits(self):
        money, _ = payload()
        assert len(money["options"]) <= Discord.COMMAND_OPTIONS
        assert _length(money) <= Discord.COMMAND_TEXT
        for each in money["options"]:
            for named in (each, *each["options"]):
                assert 1 <= len(named["name"]) <= Discord.COMMAND_NAME
                assert 1 <= len(named["description"]) <= Discord.COMMAND_DESCRIPTION


class TestRegistration:
    async def test_what_discord_has_already_is_not_sent_again(self, house):
        puts = lambda: len(house.discord.calls_of("PUT /applications/*/commands"))  # noqa: E731
        assert puts() == 1
        assert not await sync(house.adapter._config)
        assert puts() == 1
        assert await sync(house.adapter._config, force=True)
        assert puts() == 2

    async def test_commands_of_a_former_version_are_replaced(self, discord, config):
        await sync(config)
        (money,) = (each for each in discord.commands[None].values() if each["name"] == "money")
        money["options"].pop()
        assert await sync(config)
        assert is_registered(payload(), list(discord.commands[None].values()))

    async def test_a_guild_for_development_has_commands_of_its_own(self, discord, config):
        assert await sync(config, HOME)
        assert {each["name"] for each in discord.commands[HOME].values()} == {"money", "Explain this charge"}
        assert not discord.commands.get(None)

    async def test_those_of_a_guild_are_not_sent_again_either(self, discord, config):
        """Where a command can be used is documented for global ones alone, and null in what a guild has."""
        assert await sync(config, HOME)
        sent = discord.calls_of("PUT /applications/*/guilds/*/commands")
        assert not await sync(config, HOME)
        assert discord.calls_of("PUT /applications/*/guilds/*/commands") == sent
        (money,) = (each for each in discord.commands[HOME].values() if each["name"] == "money")
        assert (money["contexts"], money["integration_types"]) == (None, None)
        money["options"].pop()
        assert await sync(config, HOME)

    async def test_what_discord_refuses_is_said_in_one_sentence(self, discord, config):
        discord.fail("PUT /applications/*/commands", 429, code=30034, retry_after=3600.0)
        with pytest.raises(CommandError, match="Discord can't be reached"):
            await sync(config)
        discord.fail("PUT /applications/*/commands", 403, code=50001)
        with pytest.raises(CommandError, match="50001"):
            await sync(config)

    async def test_a_daily_limit_does_not_keep_the_bot_from_starting(self, unstarted):
        unstarted.discord.fail("PUT /applications/*/commands", 400, code=30034)
        await unstarted.start()
        await unstarted.discord.until(lambda: unstarted.discord.calls_of("PUT /applications/*/commands"))
        await unstarted.discord.say("ana", "how much?")
        assert (await unstarted.received()).text == "how much?"

    async def test_the_doctor_is_told_what_discord_says(self, discord, config):
        assert not (await inspect(config)).commands_current
        await sync(config)
        seen = await inspect(config)
        assert (seen.application, seen.commands_current, seen.reachable) == ("100000000000000001", True, True)
        discord.gateway.token = "another"
        assert (await inspect(config)).refused

    def test_invite_links_ask_for_what_is_used_and_no_more(self):
        links = invite_links("1")
        assert links["server"].endswith("scope=bot+applications.commands&permissions=274878008384&integration_type=0")
        assert links["person"].endswith("scope=applications.commands&integration_type=1")


def entries(command):
    """A command, its subcommands, their options and choices."""
    yield command
    for part in ("options", "choices"):
        for each in command.get(part, ()):
            yield from entries(each)


def test_every_command_option_and_choice_is_named_and_described_in_german():
    with untold_in("de") as untold:
        money, explain = payload()
    alike = {"money", "import", "export"}  # the program's name, and words that both languages have
    assert {name.rpartition("\x04")[2] for name in untold} <= alike
    assert explain["name_localizations"] == {"de": "Diese Buchung erklären"}
    named = {each["name"]: each for each in money["options"]}
    assert named["settings"]["name_localizations"] == {"de": "einstellungen"}
    assert named["settings"]["description_localizations"] == {"de": "Zeitzone, Wochenanfang, Zahltag, Format, Währung"}
    period = named["summary"]["options"][0]
    assert period["name_localizations"] == {"de": "zeitraum"}
    everything = named["forget"]["options"][0]["choices"][1]
    assert (everything["value"], everything["name_localizations"]) == ("everything", {"de": "alles"})


def test_names_and_descriptions_are_as_discord_takes_them_in_every_language():
    name = re.compile(r"[-_'\w]{1,32}")
    for command in payload():
        longest = 0
        for entry in entries(command):
            told = {word: [entry.get(word, ""), *entry.get(f"{word}_localizations", {}).values()] for word in WORDS}
            assert all(len(text) <= Discord.COMMAND_DESCRIPTION for text in told["description"])
            if "description" in entry:
                assert all(name.fullmatch(text) and text == text.lower() for text in told["name"]), told
            assert all(len(text) <= Discord.CHOICE_NAME for text in told["name"])
            longest += sum(max(map(len, texts)) for texts in told.values()) + len(str(entry.get("value", "")))
        for siblings in [each for each in entries(command) if each.get("options")]:
            names = [each.get("name_localizations", {}).get("de", each["name"]) for each in siblings["options"]]
            assert len(set(names)) == len(names)
        assert longest <= Discord.COMMAND_TEXT


@pytest.mark.parametrize(
    ("name", "options", "content"),
    [
        ("summary", {}, Duty("summary")),
        ("category", {"category": " Groceries ", "period": "\x00"}, Duty("category", {"category": "Groceries"})),
        ("search", {"words": "*coffee*"}, Duty("search", {"words": "*coffee*"})),
        ("forget", {"what": "conversations"}, Duty("forget", {"value": "conversations"})),
        ("forget", {}, Duty("forget")),
        ("help", {"command": "search"}, Duty("help", {"value": "search"})),
        ("help", {}, Duty("help")),
        ("export", {}, Duty("export")),
        ("settings", {"currency": "EUR"}, Duty("save-settings", {"currency": "EUR"})),
        ("settings", {}, Duty("settings")),
    ],
)
def test_a_subcommand_asks_what_its_options_say(name, options, content):
    assert asked(name, options) == content


@pytest.mark.parametrize(
    ("options", "call"),
    [
        ({}, Call("accounts-list", {})),
        ({"account": "Visa"}, Call("accounts-list", {})),
        ({"rename": "Gold"}, Call("accounts-list", {})),
        ({"account": "Visa", "rename": "Gold"}, Call("accounts-rename", {"account": "Visa", "new_name": "Gold"})),
        ({"account": "Visa", "type": "loan"}, Call("accounts-set_type", {"account": "Visa", "type": "loan"})),
        ({"account": "Visa", "merge_into": "Giro"}, Call("accounts-merge", {"account": "Visa", "into": "Giro"})),
        ({"account": "Visa", "delete": "yes"}, Call("accounts-delete", {"account": "Visa"})),
    ],
)
def test_an_account_is_changed_by_the_options_of_its_command(options, call):
    assert asked("accounts", options) == call


def test_a_question_is_asked_as_it_stands():
    assert asked("ask", {"question": "help me with summary"}) == Question("help me with summary")


@dataclass(frozen=True)
class Line:
    """A row of the bank's file; ``day`` is in 2026."""

    day: tuple[int, int]
    merchant: str
    category: str
    account: str
    amount: Decimal


#: Names that are times, figures, cues, quotes or marks; every amount is twice the one before, so that a sum tells its rows.
NAMES = [
    ("October Books", "May", "Savings from May"),
    ("May Stores", "October 2026", "Checking and Savings"),
    ("Today Gym", "last month", "Card over 50"),
    ("Year One", "Food and Drink", 'My "Gold" Card'),
    ("Forget Me Not", "Gifts from Landlord", "Account 2026"),
    ("Marks & Spencer", "over 50", "*Joint*"),
    ("until Dusk", '["A", "B"]', "None"),
    ("May", "all time", "everything"),
    ("365 Market", "Books & More", "_under_ October"),
    ("Top 5", "Groceries October", "to Visa"),
    ("Blue Bottle Coffee", "Not Rent", "last month"),
    ("Shop", "groceries", "Savings"),
    ("The Shop", "Groceries", "savings"),
]
LINES = [
    Line((month, 1 + number), *names, Decimal(2 ** (2 * number + month - 9)) / 100)
    for number, names in enumerate(NAMES)
    for month in (9, 10)
]
PERIODS = {
    "": (date(2026, 9, 1), date(2026, 10, 31)),
    "last month": (date(2026, 10, 1), date(2026, 10, 31)),
    "September 2026": (date(2026, 9, 1), date(2026, 9, 30)),
    "2026-10-03": (date(2026, 10, 3), date(2026, 10, 3)),
    "since 4 October": (date(2026, 10, 4), date(2026, 10, 31)),
}


def spent(period: str = "", **wanted: str) -> Decimal:
    """The sum over the lines of a period with these names, by plain addition."""
    first, last = PERIODS[period]
    days = [line for line in LINES if first <= date(2026, *line.day) <= last]
    return sum(
        (line.amount for line in days if all(getattr(line, key) == name for key, name in wanted.items())), Decimal(0)
    )


def bank_file() -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Date", "Description", "Amount (USD)", "Category", "Account"])
    for line in LINES:
        writer.writerow([date(2026, *line.day), line.merchant, -line.amount, line.category, line.account])
    return out.getvalue().encode()


class Patient(ManualClock):
    """A second passes between two questions, so that nobody asks a lot at once."""

    def seconds(self) -> float:
        self.instant += timedelta(seconds=1)
        return super().seconds()


@pytest.fixture
async def home(sqlite_store):
    """The real agent behind a platform in memory, and that ledger."""
    async with open_house(sqlite_store, Patient()) as opened:
        await opened.bring(bank_file())
        yield opened


async def answer(home, command, thread="", **options):
    """What is said to a command with these options."""
    content = asked(command, options)
    return (await home.say("", call=content, thread=thread or f"{command} {options}")).reply


async def offered(home, option):
    """All that is offered for an option, by what it begins with."""
    vocabulary = (await home.desk.context(home.alice)).vocabulary
    return [each["value"] for each in suggestions(option, "", vocabulary)]


def totals(reply, *ids):
    facts = {fact.id: fact.value for fact in reply.facts if fact.unit == "money"}
    return [facts.get(name, Decimal(0)) for name in ids]


class TestWhatIsChosen:
    @pytest.mark.parametrize("kind", ["merchant", "category"])
    async def test_every_name_that_is_offered_is_answered_for_in_every_period(self, home, kind):
        names = await offered(home, kind)
        assert set(names) == {getattr(line, kind) for line in LINES}
        for name in names:
            for period in PERIODS:
                reply = await answer(home, kind, **{kind: name, "period": period})
                assert totals(reply, "total") == [spent(period, **{kind: name})], (name, period, reply.headline)

    async def test_every_account_that_is_offered_narrows_every_question(self, home):
        accounts = await offered(home, "account")
        assert set(accounts) == {line.account for line in LINES}
        for account in accounts:
            for period in PERIODS:
                reply = await answer(home, "summary", account=account, period=period)
                expected = spent(period or "last month", account=account)
                assert totals(reply, "total") == [expected], (account, period, reply.headline)
            for line in LINES[::3]:
                for kind in ("merchant", "category"):
                    name = getattr(line, kind)
                    reply = await answer(home, kind, **{kind: name, "account": account})
                    assert totals(reply, "total") == [spent(account=account, **{kind: name})], (account, name)

    @pytest.mark.parametrize("period", ["", "September 2026", "last month"])
    async def test_two_of_one_kind_are_compared_and_nothing_else(self, home, period):
        names = await offered(home, "one")
        for kind in ("merchant", "category"):
            of_kind = [name for name in names if name in {getattr(line, kind) for line in LINES}]
            for one, another in pairwise(of_kind):
                reply = await answer(home, "compare", one=one, another=another, period=period)
                expected = [spent(period, **{kind: name}) for name in (one, another)]
                assert totals(reply, "side_1_total", "side_2_total") == expected, (one, another, reply.headline)

    async def test_months_are_compared_as_months_also_where_a_category_is_called_so(self, home):
        reply = await answer(home, "compare", one="October 2026", another="September 2026")
        expected = [spent("last month"), spent("September 2026")]
        assert totals(reply, "side_1_total", "side_2_total") == expected

    @pytest.mark.parametrize("pair", [("Year One", "Not Rent"), ("September 2026", "May Stores"), ("Top 5", "Top 5")])
    async def test_what_is_no_pair_is_not_compared(self, home, pair):
        said = await answer(home, "compare", one=pair[0], another=pair[1])
        assert said.headline.endswith(f"“{pair[0]}” and “{pair[1]}” are no such pair.")

    @pytest.mark.parametrize(
        ("words", "period", "merchant"),
        [
            ("october books", "September 2026", "October Books"),
            ("October Books", "", "October Books"),
            ("may stores over 0.02 last month", "last month", "May Stores"),
            ("top 5 in september 2026", "September 2026", "Top 5"),
            ("365 market", "last month", "365 Market"),
        ],
    )
    async def test_words_of_a_name_are_searched_and_only_a_time_beside_them_is_one(self, home, words, period, merchant):
        given = {"words": words, **({"period": period} if period.casefold() not in words else {})}
        reply = await answer(home, "search", **given)
        assert totals(reply, "total") == [spent(period, merchant=merchant)], reply.headline

    async def test_a_follow_up_and_the_buttons_go_on_from_what_was_chosen(self, home):
        reply = await answer(home, "merchant", thread="t", merchant="October Books", period="last month")
        assert labels(reply) == ["Receipt", "Transactions", "September 2026?", "Share"]
        post = await home.press(home.platform.visible_to(home.alice)[-1], "September 2026?")
        assert totals(post.reply, "total") == [spent("September 2026", merchant="October Books")]
        receipt = await home.press(post, "Receipt")
        assert receipt.reply.headline == f"Receipt: {post.reply.headline}"
        later = (await home.say("and at Year One?", thread="t")).reply
        assert totals(later, "total") == [spent("September 2026", merchant="Year One")]


class TestWhatIsTyped:
    @pytest.mark.parametrize(
        ("command", "options", "expected"),
        [
            ("merchant", {"merchant": "blue botle coffe", "period": "last month"}, {"merchant": "Blue Bottle Coffee"}),
            ("merchant", {"merchant": "OCTOBER BOOKS", "period": "last month"}, {"merchant": "October Books"}),
            ("category", {"category": "books & more", "period": "last month"}, {"category": "Books & More"}),
        ],
    )
    async def test_a_name_as_a_person_would_write_it_is_understood(self, home, command, options, expected):
        reply = await answer(home, command, **options)
        assert totals(reply, "total") == [spent("last month", **expected)], reply.headline

    @pytest.mark.parametrize(
        ("command", "options"),
        [
            ("merchant", {"merchant": "October Books", "period": "octbr"}),
            ("merchant", {"merchant": "foo", "account": "Savings from May"}),
            ("merchant", {"merchant": "365 Market", "account": "bogus"}),
            ("category", {"category": "Groceries October and foo"}),
            ("category", {"category": "Not Rent without Gifts"}),
            ("compare", {"one": "Year One", "another": "bogus"}),
        ],
    )
    async def test_what_is_no_name_is_named_and_never_taken_for_another(self, home, command, options):
        reply = await answer(home, command, **options)
        assert reply.kind in ("refuse", "clarify"), reply.headline
        unknown = [text for text in options.values() if text not in {name for line in NAMES for name in line}]
        assert unknown[0] in reply.headline

    @pytest.mark.parametrize("value", ["", "  ", "\x00"])
    async def test_an_empty_name_is_told_how_it_is_used(self, home, value):
        assert (await answer(home, "merchant", merchant=value)).headline.startswith("merchant NAME [period]")


def _length(part) -> int:
    """Names, descriptions and values, as Discord counts them."""
    own = len(part["name"]) + len(part.get("description", ""))
    choices = sum(len(each["name"]) + len(str(each["value"])) for each in part.get("choices", ()))
    return own + choices + sum(_length(each) for each in part.get("options", ()))
