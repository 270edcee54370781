"""Whatever is proposed in Slack: used, cancelled, replaced or expired, its buttons go and it says why, also after a restart.

Whoever presses a button that an old screen still shows is told the real reason.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from ledger.links import new_code, spelled
from ledger.store import Store
from tests.support.slack.bot import NOW
from tests.support.slack.visit import open_house

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.support.slack.state import Seen
    from tests.support.slack.visit import House, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="module")

BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-30,SALARY,2000.00\n"
TWICE = b"Date,Description,Amount (USD)\n2026-10-05,SAFEWAY #1508,-41.27\n2026-10-06,SAFEWAY 1508,-41.27\n"
NOTE = "Remember that my rent is due on the 3rd"
DONE, CANCELLED = "This was already done.", "This was cancelled. Please ask for it again."
REPLACED = "A newer proposal took the place of this one."
EXPIRED = "This has expired. Please ask for it again."
NO_LONGER_BACK = "This can no longer be taken back with one press."
FORGOTTEN = "I don't know any more what this was about: it is long ago, or deleted. Please ask for it again."
LATER = "2026-11-21T13:00:01+00:00"
MUCH_LATER = "2026-11-28T12:00:01+00:00"


async def of_a_listed_row(ana: Visitor, words: str) -> Seen:
    listed = await ana.ask("Show my last 2 purchases at Safeway")
    return await ana.ask(words, thread=listed.thread_ts)


async def from_home(ana: Visitor) -> Seen:
    await ana.slack.open_home(ana.id)
    home = await ana.slack.until(lambda: ana.slack.home(ana.id))
    return await ana.press(home, "Delete my data")


async def of_a_code(ana: Visitor) -> Seen:
    store = await Store.open(ana.house.bot.data_dir / "money.sqlite3")
    other = ana.house.bot.person(f"{ana.id}B")
    repository = await store.repository(other)
    async with store.write() as connection:
        code = await new_code(connection, other, repository.person_id, datetime.fromisoformat(NOW))
    await store.close()
    return await ana.ask(f"link {spelled(code)}")


#: What can be proposed: how it comes to that, what its yes says, and whether the person has a ledger before.
PROPOSALS: dict[str, tuple[Callable[[Visitor], Awaitable[Seen]], str, bytes | None]] = {
    "an import": (lambda ana: ana.drop(("checking.csv", BANK)), "Import", None),
    "made-up data": (lambda ana: ana.ask("sample"), "Fill my ledger", None),
    "an import taken back": (lambda ana: ana.ask("undo"), "Take back", TWICE),
    "conversations forgotten": (lambda ana: ana.ask("forget conversations"), "Delete conversations", TWICE),
    "everything forgotten": (from_home, "Delete everything", TWICE),
    "a note": (lambda ana: ana.ask(NOTE), "Confirm", None),
    "a setting": (lambda ana: ana.ask("Set my time zone to Berlin"), "Confirm", None),
    "a category": (lambda ana: ana.ask("Put Safeway under shopping"), "Confirm", TWICE),
    "a row by hand": (lambda ana: ana.ask("Spent 9.80 on lunch"), "Confirm", TWICE),
    "a row changed": (
        lambda ana: of_a_listed_row(ana, "Change the category of the second one to gifts"),
        "Confirm",
        TWICE,
    ),
    "a row deleted": (lambda ana: of_a_listed_row(ana, "Delete the second one"), "Confirm", TWICE),
    "a row split": (lambda ana: of_a_listed_row(ana, "Split the second one in half"), "Confirm", TWICE),
    "a merchant left out": (lambda ana: ana.ask("Ignore Safeway from now on"), "Confirm", TWICE),
    "two rows that are one": (lambda ana: of_a_listed_row(ana, "rows 1 and 2 of that list are one"), "Confirm", TWICE),
    "an account's name": (lambda ana: ana.ask("call my account Bank “Giro”"), "Confirm", TWICE),
    "one ledger in two places": (of_a_code, "Use one ledger", TWICE),
}


async def agreed(ana: Visitor, proposed: Awaitable[Seen]) -> Seen:
    return await ana.press(await proposed, "Confirm")


async def of_the_settings(ana: Visitor) -> Seen:
    await (await ana.slack.press(ana.id, await ana.ask("settings"), "Change settings")).acknowledged()
    await ana.slack.until(lambda: ana.slack.modal(ana.id))
    return await ana.reply(ana.slack.submit(ana.id, {"week_start": "Sunday"}))


#: What is done and can be taken back by a press.
DOINGS: dict[str, tuple[Callable[[Visitor], Awaitable[Seen]], bytes | None]] = {
    "a note": (lambda ana: agreed(ana, ana.ask(NOTE)), None),
    "a category": (lambda ana: agreed(ana, ana.ask("Put Safeway under shopping")), TWICE),
    "a row deleted": (lambda ana: agreed(ana, of_a_listed_row(ana, "Delete the second one")), TWICE),
    "settings": (of_the_settings, None),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("proposals")) as opened:
        yield opened


async def proposed(house: House, name: str) -> tuple[Visitor, Seen]:
    """Somebody new, and what they are asked."""
    propose, yes, data = PROPOSALS[name]
    ana = await house.visitor(None, data=data or b"")
    shown = await propose(ana)
    assert {yes, "Cancel"} <= set(shown.labels), (name, shown.text, shown.labels)
    return ana, shown


def now(seen: Seen, ana: Visitor) -> Seen:
    """The same message as it stands now."""
    return next(each for each in ana.answers if (each.channel, each.ts) == (seen.channel, seen.ts))


async def settled(ana: Visitor, shown: Seen, line: str, name: str) -> None:
    """Wait until a proposal says what became of it, and has no button left that could be pressed for yes or no."""

    def says_so() -> bool:
        return f"→ {line}" in now(shown, ana).text

    try:
        await ana.slack.until(says_so)
    except AssertionError as error:
        raise AssertionError(f"{name}: {now(shown, ana).text!r} does not say {line!r}") from error
    left = {"Confirm", "Cancel", "Undo", "Columns…", *(yes for _, yes, _ in PROPOSALS.values())}
    assert not left & set(now(shown, ana).labels), name


async def restart(house: House, at: str) -> None:
    """End the bot in good order, and start it at another time of day."""
    assert await house.bot.stop() == 0
    house.bot.settings["MONEY_MINDER_NOW"] = at
    await house.bot.start()


async def test_what_is_answered_loses_its_buttons_and_an_old_press_is_told_why(house):
    for name, (_, yes, _) in PROPOSALS.items():
        for pressed, told in ((yes, DONE), ("Cancel", CANCELLED)):
            ana, shown = await proposed(house, name)
            answer = await ana.press(shown, pressed)
            await settled(ana, shown, answer.text.splitlines()[0], f"{name}, {pressed}")
            late = (await ana.press(shown, yes)).text
            assert late in (told, FORGOTTEN if pressed == yes and "forgotten" in name else told), (name, pressed, late)


async def test_what_is_replaced_loses_its_buttons_and_an_old_press_is_told_why(house):
    for name, (propose, yes, _) in PROPOSALS.items():
        ana, shown = await proposed(house, name)
        again = (
            ana.ask("Remember that the car is due in May", thread=shown.thread_ts) if shown.thread_ts else propose(ana)
        )
        await again
        await settled(ana, shown, REPLACED, name)
        late = (await ana.press(shown, yes)).text
        assert late == f"{REPLACED} Answer that one, or ask for this one again.", name


async def test_what_was_proposed_before_a_restart_can_be_answered_after_it_and_then_loses_its_buttons(house):
    waiting = {name: await proposed(house, name) for name in PROPOSALS}
    done = {name: await of_a_doing(house, name) for name in DOINGS}
    await restart(house, NOW)
    for name, (ana, shown) in waiting.items():
        answer = await ana.press(shown, PROPOSALS[name][1])
        await settled(ana, shown, answer.text.splitlines()[0], name)
    for name, (ana, shown) in done.items():
        answer = await ana.press(shown, "Undo")
        await settled(ana, shown, answer.text.splitlines()[0], name)
        assert (await ana.press(shown, "Undo")).text == DONE, name


async def of_a_doing(house: House, name: str) -> tuple[Visitor, Seen]:
    do, data = DOINGS[name]
    ana = await house.visitor(None, data=data or b"")
    done = await do(ana)
    assert "Undo" in done.labels, (name, done.text, done.labels)
    return ana, done


async def test_what_expires_loses_its_buttons_also_where_the_bot_did_not_run_then(house):
    waiting = {name: await proposed(house, name) for name in PROPOSALS}
    done = {name: await of_a_doing(house, name) for name in DOINGS}
    try:
        await restart(house, LATER)
        for name, (ana, shown) in waiting.items():
            await settled(ana, shown, EXPIRED, name)
            assert (await ana.press(shown, PROPOSALS[name][1])).text == EXPIRED, name
        await restart(house, MUCH_LATER)
        for name, (ana, shown) in done.items():
            await settled(ana, shown, NO_LONGER_BACK, name)
    finally:
        await restart(house, NOW)
