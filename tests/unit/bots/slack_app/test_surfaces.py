"""App Home, prompts, welcome and modals, as people meet them in a Slack of ours that the real adapter is connected to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from structlog.testing import capture_logs

from bots.contracts import Accepted, Duty, Message, Occasion, Question, Receipt
from bots.desk.desk import Desk
from bots.desk.overview import overview
from bots.desk.settings import SAVE, setting_handlers
from bots.desk.welcome import welcome_handlers, welcome_notices
from bots.history import History, Recollection
from bots.slack_app.bodies import Opened, Surroundings
from bots.slack_app.platform import SlackConfig, SlackPlatform
from bots.slack_app.surfaces import Surfaces
from bots.slack_app.web import SlackWeb
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Audience
from graph.turn import TurnRequest
from ledger.imports import import_files
from ledger.people import Person
from ledger.preferences import set_preference
from ledger.sample import sample_csv
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, BOT_USER, OTHER_TEAM, TEAM, SeenView, SlackServer
from tests.support.untold import untold_in
from tools.calls import Call
from tools.registry import Registry

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ANA, BEN = Person("slack", TEAM, "U1ANA"), Person("slack", TEAM, "U2BEN")
HERE = Surroundings(TEAM, BOT_USER, "B0BOT", lambda: NOW)


@dataclass
class House:
    """The adapter over a desk, and what it handed to the inbox."""

    slack: SlackServer
    desk: Desk
    received: list[Message] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)

    async def receive(self, message: Message | Occasion) -> Receipt:
        (self.occasions if isinstance(message, Occasion) else self.received).append(message)
        self.slack.changed()
        return Accepted(len(self.received))

    async def home(self, user: str = "U1ANA") -> SeenView:
        """Open the Home, and return it once it was drawn for that."""
        before = self._drawn()
        await self.slack.open_home(user)
        return await self.slack.until(lambda: self._drawn() > before and self.slack.home(user))

    def _drawn(self) -> int:
        return sum(bool(call.answer and call.answer.get("ok")) for call in self.slack.calls_of("views.publish"))

    async def modal(self, label: str, user: str = "U1ANA") -> SeenView:
        """Press a button of the Home that opens a modal."""
        await self.slack.press(user, await self.home(user), label)
        return await self.slack.until(lambda: self.slack.modal(user))

    async def message(self, number: int = 1) -> Message:
        return await self.slack.until(lambda: len(self.received) >= number and self.received[number - 1])

    async def occasion(self, number: int = 1) -> Occasion:
        return await self.slack.until(lambda: len(self.occasions) >= number and self.occasions[number - 1])

    async def bring(self, person: Person, data: bytes) -> None:
        await import_files(await self.desk.repository(person), [SourceFile("bank.csv", data)])

    async def bring_sample(self, person: Person = ANA) -> None:
        await self.bring(person, sample_csv(NOW.date()))


async def _none(*_: object) -> None:
    return None


def agent_over(store: Store, *, writes: bool = True) -> MoneyAgent:
    model = ModelChoice("builtin", "http://127.0.0.1:9")
    return MoneyAgent(store, Registry.built_in(), model, lambda: NOW, search_index=_none, writes=writes)


def desk_over(store: Store, *, writes: bool = True) -> Desk:
    context = agent_over(store, writes=writes).context
    return Desk(store, History(store), context, _none, _none, writes)  # type: ignore[arg-type]


@pytest.fixture
async def house(slack: SlackServer, sqlite_store: Store) -> AsyncIterator[House]:
    made = House(slack, desk_over(sqlite_store))
    platform = SlackPlatform(SlackConfig(BOT_TOKEN, APP_TOKEN, api_url=slack.api_url), made.desk, lambda: NOW)
    await platform.start(made.receive)
    await slack.connected()
    yield made
    await platform.stop()


def blocks(view: SeenView) -> list[str]:
    return [block["type"] for block in view.raw["blocks"]]


# -- App Home


async def test_home_shows_ones_own_figures_and_nobody_elses(house: House) -> None:
    await house.bring_sample()
    ana, ben = await house.home(), await house.home("U2BEN")
    seen = await overview(house.desk, ANA)
    assert seen.this_month is not None
    assert seen.last_month is not None
    for headline in (seen.this_month.headline, seen.last_month.headline):
        assert headline in ana.text
        assert headline not in ben.text
    assert "$" not in ben.text
    assert "drop it in the Messages tab" in ben.text
    assert house.received == []


async def test_a_home_and_its_forms_are_in_the_language_of_ones_slack(slack: SlackServer, house: House) -> None:
    slack.workspace.members["U1ANA"].locale = "de-DE"
    await house.bring_sample()
    with untold_in("de") as untold:
        home = await house.home()
        await slack.press("U1ANA", home, "Konto ändern")
        form = await slack.until(lambda: slack.modal("U1ANA"))
    assert not untold
    assert "Konten" in home.text.splitlines()
    assert "ausgegeben" in home.text.splitlines()[0]
    assert form.title == "Konto ändern"
    settings = await (await house.desk.repository(ANA)).settings()
    assert ("locale" in settings, settings["told_locale"]) == (False, "de_DE")
    assert "Settings" in (await house.home("U2BEN")).text.splitlines()


async def test_a_language_of_ones_own_counts_before_that_of_slack(slack: SlackServer, house: House) -> None:
    slack.workspace.members["U1ANA"].locale = "de-DE"
    await set_preference(await house.desk.repository(ANA), "locale", "en_GB")
    assert "Settings" in (await house.home()).text.splitlines()


async def test_home_is_drawn_anew_each_time_it_is_opened(house: House) -> None:
    assert "bank.csv" not in (await house.home()).text
    await house.bring_sample()
    assert "bank.csv" in (await house.home()).text


async def test_a_home_that_is_too_fast_for_slack_is_drawn_later(house: House) -> None:
    house.slack.fail("views.publish", "ratelimited", retry_after=0)
    await house.slack.open_home("U1ANA")
    await house.slack.until(lambda: house.slack.home("U1ANA"))


async def test_a_home_that_slack_refuses_is_logged_and_nothing_else(
    slack: SlackServer, web: SlackWeb, sqlite_store: Store
) -> None:
    slack.fail("views.publish", "not_enabled", times=2)
    with capture_logs() as logs:
        assert await Surfaces(web, desk_over(sqlite_store)).opened(Opened(ANA, "D1ANA", "home"), HERE) is None
    assert [(entry["what"], entry["code"]) for entry in logs if "what" in entry] == [("home", "not_enabled")]
    assert len(slack.calls_of("views.publish")) == 1


async def test_deleting_is_asked_for_in_the_direct_messages(house: House) -> None:
    await house.slack.press("U1ANA", await house.home(), "Delete my data")
    message = await house.message()
    assert message.content == Duty("forget", {"value": "everything"})
    assert (message.conversation.channel, message.conversation.thread) == ("D1ANA", "")
    assert (message.person, message.audience) == (ANA, Audience.PRIVATE)


async def test_where_nothing_may_be_changed_only_asking_and_deleting_are_offered(
    slack: SlackServer, web: SlackWeb, sqlite_store: Store
) -> None:
    await Surfaces(web, desk_over(sqlite_store, writes=False)).opened(Opened(ANA, "D1ANA", "home"), HERE)
    home = slack.home("U1ANA")
    assert home is not None
    assert home.labels == ["What I can ask", "Delete my data"]


@pytest.mark.parametrize("tab", ["home", "messages"])
@pytest.mark.parametrize(("person", "channel"), [(Person("slack", OTHER_TEAM, "U1ANA"), "D1ANA"), (ANA, "C1GENERAL")])
async def test_people_of_other_organisations_and_other_places_are_shown_nothing(
    slack: SlackServer, web: SlackWeb, sqlite_store: Store, person: Person, channel: str, tab: Any
) -> None:
    assert await Surfaces(web, desk_over(sqlite_store)).opened(Opened(person, channel, tab), HERE) is None
    assert slack.calls == []


# -- prompts and the welcome


async def test_prompts_are_questions_about_ones_own_ledger(house: House) -> None:
    await house.bring_sample()
    await house.slack.open_home("U1ANA", "messages")
    prompts = await house.slack.until(lambda: house.slack.prompts("U1ANA"))
    assert 0 < len(prompts) <= 4
    for prompt in prompts:
        outcome = await agent_over(house.desk.store).answer(
            TurnRequest(ANA, "any", prompt["message"], Audience.PRIVATE)
        )
        assert outcome.reply.kind == "answer"
        assert outcome.reply.facts


async def test_without_transactions_prompts_are_commands_that_are_known(house: House) -> None:
    await house.slack.open_home("U1ANA", "messages")
    prompts = await house.slack.until(lambda: house.slack.prompts("U1ANA"))
    known = {"import", *setting_handlers(house.desk), *welcome_handlers(house.desk)}
    assert {prompt["message"] for prompt in prompts} <= known


async def test_where_nothing_is_changed_no_prompt_brings_anything(
    slack: SlackServer, web: SlackWeb, sqlite_store: Store
) -> None:
    await Surfaces(web, desk_over(sqlite_store, writes=False)).opened(Opened(ANA, "D1ANA", "messages"), HERE)
    assert [prompt["message"] for prompt in slack.prompts("U1ANA")] == ["help", "settings"]


async def test_a_merchants_name_that_is_markup_is_in_no_prompt(house: House) -> None:
    rows = "".join(f"2026-11-{day:02},<!channel> <https://evil.example|free>,-{day}.00\n" for day in range(1, 20))
    await house.bring(ANA, f"Date,Description,Amount (USD)\n{rows}".encode())
    await house.slack.open_home("U1ANA", "messages")
    prompts = await house.slack.until(lambda: house.slack.prompts("U1ANA"))
    assert len(prompts) == 4
    assert not set("<>") & set(str(prompts))


async def test_someone_new_is_welcomed_once_however_often_they_look(house: House) -> None:
    for _ in range(2):
        await house.slack.open_home("U1ANA", "messages")
    assert [each.name for each in (await house.occasion(1), await house.occasion(2))] == ["welcome", "welcome"]
    first, second = house.occasions[0].place, house.occasions[1].place
    assert first.delivery_id == second.delivery_id, "so that it is said once"
    assert first.content == Question()
    assert (first.conversation.channel, first.conversation.thread, first.ts) == ("D1ANA", "", None)
    assert first.audience is Audience.PRIVATE

    greeting = await welcome_notices(house.desk)["welcome"](first)
    assert greeting is not None
    assert greeting.noted is not None
    await greeting.noted()
    await house.slack.open_home("U1ANA", "messages")
    await house.slack.open_home("U2BEN", "messages")
    third = (await house.occasion(3)).place
    assert third.person == BEN
    assert third.delivery_id != first.delivery_id


async def test_the_welcome_does_not_need_the_prompts(house: House) -> None:
    house.slack.fail("assistant.threads.setSuggestedPrompts", "missing_scope")
    await house.slack.open_home("U1ANA", "messages")
    assert (await house.occasion()).name == "welcome"


# -- the settings form


async def saved(house: House, message: Message) -> None:
    """Do what a form that was sent off asks for, as the turn that answers it does."""
    outcome = await setting_handlers(house.desk)[SAVE](message, Recollection())
    assert outcome.change is not None
    async with house.desk.store.write() as connection:
        await outcome.change(connection)


async def test_settings_are_changed_by_their_form(house: House) -> None:
    form = await house.modal("Change settings")
    assert {block["block_id"] for block in form.inputs} >= {"time_zone", "week_start", "currency"}
    sent = await house.slack.submit("U1ANA", {"week_start": "Sunday", "currency": "EUR", "time_zone": "Europe/Berlin"})
    assert not sent.errors
    message = await house.message()
    assert isinstance(message.content, Duty)
    assert message.content.name == SAVE
    assert (message.conversation.channel, message.person) == ("D1ANA", ANA)
    await saved(house, message)
    stored = await (await house.desk.repository(ANA)).settings()
    assert stored == {"week_start": "6", "currency": "EUR", "time_zone": "Europe/Berlin"}

    again = await house.modal("Change settings")
    assert "Sunday" in str(again.inputs)
    await house.slack.submit("U1ANA", {"currency": ""})
    back = await house.message(2)
    assert set(back.values) == {"currency"}
    await saved(house, back)
    assert "currency" not in await (await house.desk.repository(ANA)).settings()


async def test_a_mistake_in_the_form_is_said_under_its_input_and_the_form_stays(house: House) -> None:
    await house.bring_sample()
    await house.modal("Change an account")
    account = str((await (await house.desk.repository(ANA)).accounts())[0].id)
    sent = await house.slack.submit("U1ANA", {"account": account, "new_name": "Mine", "account_type": "cash"})
    assert set(sent.errors) == {"account_type"}
    assert house.slack.modal("U1ANA")
    assert house.received == []


async def test_a_form_in_which_nothing_was_changed_closes_quietly(house: House) -> None:
    await house.modal("Change settings")
    sent = await house.slack.submit("U1ANA")
    assert sent.is_acknowledged
    assert house.slack.modal("U1ANA") is None
    assert house.received == []


async def test_a_time_zone_is_chosen_by_typing_a_city(house: House) -> None:
    await house.modal("Change settings")
    options = await house.slack.options("U1ANA", "time_zone", "berlin")
    assert options[0]["value"] == "Europe/Berlin"


# -- the categories form


async def test_a_category_is_changed_by_its_form_and_shown_before_it_is(house: House) -> None:
    await house.bring_sample()
    await house.modal("Change a category")
    merchants = await house.slack.options("U1ANA", "merchant", "starb")
    categories = await house.slack.options("U1ANA", "category", "restau")
    await house.slack.submit("U1ANA", {"merchant": merchants[0]["value"], "category": categories[0]["value"]})
    message = await house.message()
    asked = message.content
    assert isinstance(asked, Call)
    assert asked == Call("categories-assign", {"merchant": "Starbucks", "category": "Restaurants"})
    request = TurnRequest(ANA, str(message.conversation), "", message.audience, asked)
    outcome = await agent_over(house.desk.store).answer(request)
    assert outcome.proposal == asked
    assert "from Coffee Shops to Restaurants?" in outcome.reply.headline


async def test_merchants_of_others_are_neither_offered_nor_taken(house: House) -> None:
    await house.bring_sample(ANA)
    await house.bring(BEN, b"Date,Description,Amount (USD)\n2026-11-02,BENS BIKES,-5.00\n")
    await house.modal("Change a category", "U2BEN")
    offered = [option["value"] for option in await house.slack.options("U2BEN", "merchant")]
    assert len(offered) == 1
    sent = await house.slack.submit("U2BEN", {"merchant": "Starbucks", "category": "Groceries"})
    assert set(sent.errors) == {"merchant"}
    assert house.received == []


async def test_an_account_is_changed_by_its_form_and_shown_before_it_is(house: House) -> None:
    await house.bring_sample()
    ledger = await house.desk.repository(ANA)
    first, second = (await ledger.accounts())[:2]
    form = await house.modal("Change an account")
    assert form.title == "Change an account"
    assert await house.slack.submit("U1ANA", {"account": str(first.id), "new_name": "Everyday"})
    message = await house.message()
    asked = message.content
    assert isinstance(asked, Call)
    assert asked == Call("accounts-rename", {"account": first.name, "new_name": "Everyday"})
    request = TurnRequest(ANA, str(message.conversation), "", message.audience, asked)
    outcome = await agent_over(house.desk.store).answer(request)
    assert outcome.proposal == asked
    assert outcome.reply.headline == f"Call {first.name} “Everyday”?"
    changes = (
        ({"account_type": "savings"}, Call("accounts-set_type", {"account": first.name, "type": "savings"})),
        ({"into_account": str(second.id)}, Call("accounts-merge", {"account": first.name, "into": second.name})),
        ({"remove_account": "yes"}, Call("accounts-delete", {"account": first.name})),
    )
    for number, (filled, call) in enumerate(changes, start=2):
        await house.modal("Change an account")
        await house.slack.submit("U1ANA", {"account": str(first.id), **filled})
        assert (await house.message(number)).content == call


async def test_a_form_of_an_account_asks_for_one_change_of_one_s_own(house: House) -> None:
    await house.bring_sample(ANA)
    await house.bring(BEN, b"Date,Description,Amount (USD),Account\n2026-11-02,BENS BIKES,-5.00,Bens\n")
    (account,) = await (await house.desk.repository(BEN)).accounts()
    foreign = (await (await house.desk.repository(ANA)).accounts())[0]
    for filled, wrong in (
        ({"account": str(account.id)}, {"new_name"}),
        ({"account": str(account.id), "new_name": "Mine", "account_type": "cash"}, {"account_type"}),
    ):
        await house.modal("Change an account", "U2BEN")
        assert set((await house.slack.submit("U2BEN", filled)).errors) == wrong
    form = await house.modal("Change an account", "U2BEN")
    assert foreign.name not in form.text
    assert house.received == []


async def test_an_unknown_menu_has_no_options(house: House) -> None:
    await house.bring_sample()
    await house.modal("Change a category")
    house.slack.workspace.members["U1ANA"].modals[-1]["blocks"][0]["element"]["action_id"] = "accounts"
    assert await house.slack.options("U1ANA", "accounts", "a") == []


# -- what goes wrong


@pytest.mark.parametrize("misbehave", [
    lambda slack: slack.fail("views.open", "expired_trigger_id"),
    lambda slack: slack.fail("views.open", status=500),
    lambda slack: slack.fail("views.open", drop=True),
])  # fmt: skip
async def test_a_modal_that_can_not_be_opened_is_logged_and_nothing_else(
    house: House, misbehave: Callable[[SlackServer], None]
) -> None:
    home = await house.home()
    misbehave(house.slack)
    with capture_logs() as logs:
        await house.slack.press("U1ANA", home, "Change settings")
        await house.slack.until(lambda: any(entry.get("what") == "modal" for entry in logs))
    assert house.slack.modal("U1ANA") is None
    assert house.received == []
    assert len(house.slack.calls_of("views.open")) == 1
    assert (await house.modal("Change settings")).title == "Settings"
