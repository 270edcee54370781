"""The running bot, killed as by a power cut at every point of a turn: each question has its one answer after the restart."""

from __future__ import annotations

import asyncio
import random
import signal
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from tests.support.ollama_server import MODEL, OllamaServer
from tests.support.slack.bot import BotProcess
from tests.support.slack.state import BOT_USER
from tests.support.slack.talk import answer, answered, groceries, headline, headlines, question, replies, said_twice
from tests.support.slack_server import SlackServer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.support.slack_server import Seen, Sent

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(400)]

SPENT = {month: f"{100 + month}.{month:02}" for month in range(1, 12)}
OCTOBER, SEPTEMBER = answer(10, SPENT[10]), answer(9, SPENT[9])
CHANNEL = "C1GENERAL"
_numbers = count(1)


class House:
    """One Slack and one bot, killed and started again."""

    def __init__(self, slack: SlackServer, bot: BotProcess, ollama: OllamaServer) -> None:
        self.slack = slack
        self.bot = bot
        self.ollama = ollama

    async def member(self, spent: Mapping[int, str] | None = SPENT) -> str:
        user = f"U{next(_numbers)}CRASH"
        self.slack.add_member(user)
        self.slack.workspace.channels[CHANNEL].members.add(user)
        if spent:
            await self.bot.give(user, "bank.csv", groceries(spent))
        return user

    def dm(self, user: str) -> str:
        return self.slack.workspace.members[user].dm

    def at(self, user: str) -> Callable[[dict[str, Any]], bool]:
        return lambda arguments: self.dm(user) in (arguments.get("channel"), arguments.get("channel_id"))

    def lose(self, method: str, where: Callable[[dict[str, Any]], bool], **fault: Any) -> None:
        """Let the calls end without an answer as long as this process lives."""
        self.slack.fail(method, drop=True, where=where, times=999, **fault)

    def lose_answer(self, method: str, user: str) -> None:
        """Let one call be done without an answer, and nobody look whether it was."""
        self.slack.fail(method, drop=True, after_effect=True, where=self.at(user))
        self.lose("conversations.replies", self.at(user))

    def signal_at(self, method: str, user: str, number: signal.Signals, *, after_effect: bool) -> None:
        """Send the bot a signal at the moment at which such a call reaches Slack; its answer never arrives."""

        def reached(arguments: dict[str, Any]) -> bool:
            mine = self.at(user)(arguments) or arguments.get("user") == user
            if mine:
                self.bot.signal(number)
            return mine

        self.slack.fail(method, drop=True, after_effect=after_effect, where=reached)

    async def restart(self) -> None:
        await self.bot.kill()
        self.slack.behave()
        await self.bot.start()

    async def preview(self, user: str, data: bytes) -> tuple[Sent, Seen]:
        sent = await self.slack.say(user, "", files=[("statement.csv", data)])
        await answered(self.slack, user, sent)
        return sent, replies(self.slack, user, sent)[0]

    async def ask_more(self, user: str, thread: Sent, earlier: int) -> list[str]:
        """Ask a follow-up, which is answered after everything that was said before in its thread."""
        await self.slack.say(user, question(9), thread_ts=thread.ts)
        return await answered(self.slack, user, thread, earlier + 1)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def house(tmp_path_factory):
    with OllamaServer([""]) as ollama:
        settings = {"MONEY_MINDER_MODEL": f"ollama:{MODEL}", "MONEY_MINDER_OLLAMA_URL": ollama.url}
        async with (
            SlackServer() as slack,
            BotProcess(slack, tmp_path_factory.mktemp("crashes") / "data", settings) as bot,
        ):
            yield House(slack, bot, ollama)


async def test_what_a_kill_interrupts_is_answered_once(house):
    """Nine people's turns are each at another point when the process dies."""
    slack, bot = house.slack, house.bot
    lost, arrived, filed, frozen, mentioned, ordered, told = [await house.member() for _ in range(7)]
    import_lost, import_arrived = await house.member(None), await house.member(None)
    previews = {user: await house.preview(user, groceries({10: "33.33"})) for user in (import_lost, import_arrived)}
    threads = {user: sent for user, (sent, _) in previews.items()}

    # during a stream: its first words stand there
    house.ollama.answers[:] = [["It was {f1}. ", "And {f1} it is. "]]
    slack.slow("chat.appendStream", 30)
    threads[told] = await slack.say(told, question(10))
    await answered(slack, told, threads[told], 2)
    house.ollama.answers[:] = [""]

    # the reply is written down, and its post did not arrive, or did without the bot's knowing
    house.lose("chat.postMessage", house.at(lost))
    house.lose("chat.postMessage", house.at(import_lost))
    house.lose("response_url", lambda _: True)
    house.lose_answer("chat.postMessage", arrived)
    house.lose_answer("chat.postMessage", import_arrived)
    house.lose_answer("files.completeUploadExternal", filed)  # between the parts: the text is known to stand there
    for user in (lost, arrived):
        threads[user] = await slack.say(user, question(10))
    threads[filed] = await slack.say(filed, "export")
    for user in (import_lost, import_arrived):
        await slack.press(user, previews[user][1], "Import")
    await slack.command(ordered, "/money", question(10), CHANNEL)
    cut = "chat.postMessage", "files.completeUploadExternal", "response_url"
    await slack.until(lambda: sum(call.status == 0 for call in slack.calls if call.method in cut) >= 6)

    # an ephemeral was shown and its answer never arrives; a message lies in the socket, unread
    house.signal_at("chat.postEphemeral", mentioned, signal.SIGSTOP, after_effect=True)
    await slack.say(mentioned, f"<@{BOT_USER}> {question(10)}", CHANNEL)
    await slack.until(lambda: slack.answers_to(mentioned))
    threads[frozen] = await slack.say(frozen, question(10))
    assert not threads[frozen].is_acknowledged

    await house.restart()

    for user in (lost, arrived, frozen):
        assert await answered(slack, user, threads[user]) == [OCTOBER]
        assert await house.ask_more(user, threads[user], 1) == [OCTOBER, SEPTEMBER]
    assert (await house.ask_more(told, threads[told], 2)) == [OCTOBER, "It was $110.10.", SEPTEMBER]
    exported = await house.ask_more(filed, threads[filed], 2)
    assert (exported[0], exported[2:]) == ("11 transactions as a CSV file", [SEPTEMBER])
    assert [len(seen.files) for seen in replies(slack, filed, threads[filed])] == [0, 1, 0]
    for user in (import_lost, import_arrived):
        said = await answered(slack, user, threads[user], 2)
        assert said == ["1 new transaction in statement.csv", "Imported 1 transaction, 5 Oct 2026"]
        assert await _imports(house, user) == 1
        other = await slack.say(user, question(10))
        assert await answered(slack, user, other) == [answer(10, "33.33")]
    await slack.until(lambda: [headline(seen) for seen in slack.answers_to(ordered)] == [OCTOBER])
    await slack.say(mentioned, f"<@{BOT_USER}> {question(9)}", CHANNEL)
    await slack.until(lambda: headline(slack.answers_to(mentioned)[-1]) == SEPTEMBER)
    shown = [headline(seen) for seen in slack.answers_to(mentioned)]
    assert shown in ([OCTOBER, SEPTEMBER], [OCTOBER, OCTOBER, SEPTEMBER]), "once more, since Slack can't be asked"

    # the acknowledgements were lost as well, and Slack delivers everything again
    before = {user: len(slack.answers_to(user)) for user in threads}
    for sent in threads.values():
        await (await slack.redeliver(sent)).acknowledged()
    for user, sent in threads.items():
        await house.ask_more(user, sent, len(replies(slack, user, sent)))
        assert len(slack.answers_to(user)) == before[user] + 1
        assert said_twice(slack, user) == []
    assert "Traceback" not in bot.log


async def test_an_import_is_done_once_when_the_kill_comes_with_the_acknowledgement(house):
    """Between the press and its reply, at whatever point of the import that is."""
    slack, bot = house.slack, house.bot
    people = [await house.member(None) for _ in range(3)]
    previews = [await house.preview(user, groceries({10: "33.33"})) for user in people]
    presses = [await slack.press(user, seen, "Import") for user, (_, seen) in zip(people, previews, strict=True)]
    presses[-1].on_ack = lambda _: bot.signal(signal.SIGKILL)
    if presses[-1].is_acknowledged:
        bot.signal(signal.SIGKILL)
    await presses[-1].acknowledged()
    await house.restart()
    for user, (sent, _) in zip(people, previews, strict=True):
        assert (await answered(slack, user, sent, 2))[1:] == ["Imported 1 transaction, 5 Oct 2026"]
        await slack.say(user, question(10), thread_ts=sent.ts)
        assert (await answered(slack, user, sent, 3))[1:] == [
            "Imported 1 transaction, 5 Oct 2026",
            answer(10, "33.33"),
        ]
        assert await _imports(house, user) == 1
        assert said_twice(slack, user) == []


async def test_twelve_kills_within_one_conversation(house):
    """Two questions a life; after each restart all that was asked stands there answered, once and in order."""
    slack, bot = house.slack, house.bot
    user = await house.member()
    chance = random.Random(12)
    moments = ["delivered", "acknowledged", "post", "posted", "answered", "second post"] * 2
    chance.shuffle(moments)
    opening = await slack.say(user, question(10))
    expected = [OCTOBER]
    await answered(slack, user, opening)
    for life, moment in enumerate(moments):
        asked = len(expected)
        months = [(life + number) % 11 + 1 for number in (0, 5)]
        expected += [answer(month, SPENT[month]) for month in months]
        if moment in {"post", "posted"}:
            house.signal_at("chat.postMessage", user, signal.SIGKILL, after_effect=moment == "posted")
        first, _ = [await slack.say(user, question(month), thread_ts=opening.ts) for month in months]
        if moment == "acknowledged":
            await first.acknowledged()
        elif moment == "answered":
            await answered(slack, user, opening, asked + 1)
        elif moment == "second post":
            await answered(slack, user, opening, asked + 1)
            house.signal_at("chat.postMessage", user, signal.SIGKILL, after_effect=bool(chance.randrange(2)))
        if moment in {"post", "posted"}:
            await bot.ended()
        else:
            await asyncio.sleep(chance.uniform(0, 0.05))
        await house.restart()
        assert await answered(slack, user, opening, len(expected)) == expected, (life, moment)
    closing = await slack.say(user, question(11), thread_ts=opening.ts)
    await closing.acknowledged()
    expected.append(answer(11, SPENT[11]))
    assert await answered(slack, user, opening, len(expected)) == expected
    assert headlines(slack, user, opening) == expected
    assert said_twice(slack, user) == []


async def _imports(house: House, user: str) -> int:
    """How many imports a person's App Home lists."""
    slack = house.slack
    slack.workspace.members[user].home = None
    await slack.open_home(user)
    view = await slack.until(lambda: slack.home(user))
    return str(view.text).count("statement.csv ·")
