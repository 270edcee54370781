"""A model's sentences below an answer in Slack: after it, verified, in direct messages only, and ended by the stop button."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.support.ollama_server import MODEL, OllamaServer
from tests.support.slack.visit import LINES, OCTOBER, category, dollars, open_house

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = "How much did I spend on groceries last month?"
SPENT = dollars(LINES, category("Groceries"), OCTOBER)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model():
    with OllamaServer(["unused"]) as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory, model):
    settings = {"MONEY_MINDER_MODEL": f"ollama:{MODEL}", "MONEY_MINDER_OLLAMA_URL": model.url}
    async with open_house(tmp_path_factory.mktemp("narration"), **settings) as opened:
        yield opened


def streams(who):
    """What was streamed to a person."""
    return [message.seen() for message in who.slack.workspace.posts if message.stream and message.channel == who.dm]


async def told(who):
    """Wait until a stream was ended, and return what it says."""
    await who.slack.until(lambda: (found := streams(who)) and not found[-1].streaming)
    return streams(who)[-1]


async def test_the_answer_comes_first_then_verified_sentences_in_the_same_thread(house, model):
    model.answers = [["Your groceries", " came to {f1}. That is *bold*", " talk about {f1}."]]
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    assert answer.text.startswith(f"{SPENT} on groceries in October 2026")
    story = await told(ana)
    assert story.text == f"Your groceries came to {SPENT}."
    assert (story.channel, story.thread_ts) == (ana.dm, answer.thread_ts)
    methods = [call.method for call in house.slack.calls]
    assert methods.index("chat.startStream") > methods.index("chat.postMessage")
    assert [seen.ts for seen in ana.answers] == [answer.ts, story.ts]


async def test_several_sentences_are_streamed_one_after_another(house, model):
    model.answers = [["All of it was {f1}. ", "So {f1} it is. ", "It came to {f1}."]]
    ana = await house.visitor()
    await ana.ask(GROCERIES)
    story = await told(ana)
    assert story.text == f"All of it was {SPENT}. So {SPENT} it is. It came to {SPENT}."
    assert len(house.slack.calls_of("chat.appendStream")) >= 2


@pytest.mark.parametrize(
    "words",
    [
        "You spent 999 dollars.", "You spent {f1}, twice as much.", "See https://evil.example for {f1}.", "<!channel> {f1}.",
        "You spent {f99}.", "You spent {f1} more.", "Nothing at all.",
    ],
)  # fmt: skip
async def test_a_sentence_that_says_what_no_fact_says_is_not_shown(house, model, words):
    model.answers = [words]
    ana = await house.visitor()
    asked = len(model.chats)
    await ana.ask(GROCERIES)
    await ana.slack.until(lambda: len(model.chats) > asked)
    await ana.ask("help")
    assert streams(ana) == []
    assert len(ana.answers) == 2


async def test_in_a_channel_nothing_is_narrated(house, model):
    model.answers = ["Your groceries came to {f1}."]
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    root = await ben.slack.say(ben.id, "food?", place)
    before = len(house.slack.calls_of("chat.startStream"))
    for thread in (None, root.ts):
        await ana.ask("groceries last month", place, thread=thread)
    await ana.ask(GROCERIES)
    await told(ana)
    assert len(house.slack.calls_of("chat.startStream")) == before + 1, "only the direct message"
    assert ben.answers == []


async def test_a_command_or_a_press_is_not_narrated_but_a_question_by_button_is(house, model):
    model.answers = ["Your groceries came to {f1}."]
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    await told(ana)
    await ana.press(answer, "Receipt")
    assert len(streams(ana)) == 1
    await ana.press(answer, "September 2026?")
    await ana.slack.until(lambda: len(streams(ana)) == 2)


async def test_a_model_that_is_down_costs_no_answer(house, model):
    model.answers = [500]
    house.warnings |= {'"no narration"', "slack_stream_ended"}
    ana = await house.visitor()
    asked = len(model.chats)
    assert SPENT in (await ana.ask(GROCERIES)).text
    await ana.slack.until(lambda: len(model.chats) > asked)
    model.answers = ["Your groceries came to {f1}."]
    assert SPENT in (await ana.ask(GROCERIES)).text
    await told(ana)


async def test_the_stop_button_ends_the_stream_and_the_session_is_no_longer_processing(house, model):
    model.answers = [["All of it was {f1}. ", "So {f1} it is. ", "It came to {f1}."]]
    ana = await house.visitor()
    house.slack.slow("chat.appendStream", 0.5)
    house.refusals |= {"stopped_by_user", "message_not_in_streaming_state"}  # of the sentence that was under way
    try:
        answer = await ana.ask(GROCERIES)
        await ana.slack.until(lambda: streams(ana))
        await (await ana.slack.stop_session(ana.id, ana.dm, answer.thread_ts)).acknowledged()
        await ana.slack.until(lambda: not streams(ana)[-1].streaming)
        await ana.ask("help", thread=answer.thread_ts)
    finally:
        house.slack.behave()
    [story] = streams(ana)
    assert story.text == f"All of it was {SPENT}."
    assert ana.slack.session(ana.dm, answer.thread_ts).status == "active"


async def test_the_stop_button_ends_a_turn_that_a_model_is_thinking_about(house, model):
    model.answers, model.slow_seconds = ["slow"], 8.0
    ana = await house.visitor()
    asked = len(model.chats)
    sent = await ana.slack.say(ana.id, "List all my trips to Cineworld.")
    await ana.slack.until(lambda: len(model.chats) > asked)
    await ana.slack.until(lambda: (seen := ana.slack.session(ana.dm, sent.ts)) and seen.status == "processing")
    await (await ana.slack.stop_session(ana.id, ana.dm, sent.ts)).acknowledged()
    await ana.slack.until(lambda: ana.answers)
    assert [seen.text for seen in ana.answers] == ["Stopped."]
    await ana.slack.until(lambda: ana.slack.session(ana.dm, sent.ts).status == "active")
    model.answers = ["Your groceries came to {f1}."]
    assert SPENT in (await ana.ask(GROCERIES, thread=sent.ts)).text
    await ana.slack.until(lambda: streams(ana) and not any(seen.streaming for seen in streams(ana)))


async def test_the_next_question_ends_what_is_told_about_the_last(house, model):
    model.answers = [["All of it was {f1}. ", "So {f1} it is. ", "It came to {f1}."], "It was {f1}."]
    ana = await house.visitor()
    house.slack.slow("chat.appendStream", 0.5)
    house.refusals.add("message_not_in_streaming_state")  # of the sentence that was under way
    try:
        answer = await ana.ask(GROCERIES)
        await ana.slack.until(lambda: streams(ana))
        await ana.ask("and the month before?", thread=answer.thread_ts)
        await ana.slack.until(lambda: len(streams(ana)) == 2 and not any(seen.streaming for seen in streams(ana)))
    finally:
        house.slack.behave()
    assert "It came to" not in streams(ana)[0].text
