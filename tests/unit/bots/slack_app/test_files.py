"""Files from Slack: the bytes, or one clear sentence; the token goes to Slack's hosts only."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web as http
from structlog.testing import capture_logs

from bots.contracts import Attachment
from bots.desk import attachments
from bots.errors import AttachmentUnavailable
from bots.slack_app import files
from bots.slack_app.files import TOO_LARGE, UNAVAILABLE, fetch_file, file_name, upload
from bots.slack_app.web import SlackWeb
from graph.reply import File
from tests.support.slack.state import StoredFile
from tests.support.slack.surfaces import new_file
from tests.support.slack_server import BOT_USER, Seen, SlackServer

CSV = b"Date,Amount\n2026-10-01,-4.20\n"


def dropped(slack: SlackServer, name: str = "october.csv", data: bytes = CSV) -> tuple[Attachment, StoredFile]:
    file = new_file(slack, name, len(data), "U1ANA")
    file.data, file.completed = data, True
    return Attachment(name, len(data), file.mimetype, file.id), file


def posts(slack: SlackServer, user: str) -> list[Seen]:
    """What of the bot's this person can read."""
    return [seen for seen in slack.seen_by(user) if seen.user == BOT_USER]


@dataclass
class Elsewhere:
    """A server that is not Slack's, and what it was shown."""

    url: str = ""
    seen: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
async def elsewhere() -> AsyncIterator[Elsewhere]:
    place = Elsewhere()

    async def answer(request: http.Request) -> http.Response:
        place.seen.append(dict(request.headers))
        return http.Response(body=CSV)

    app = http.Application()
    app.router.add_get("/{name:.*}", answer)
    runner = http.AppRunner(app)
    await runner.setup()
    await http.TCPSite(runner, "127.0.0.1", 0).start()
    place.url = f"http://127.0.0.1:{runner.addresses[0][1]}/october.csv"
    yield place
    await runner.cleanup()


async def refusal(web: SlackWeb, attachment: Attachment) -> str:
    with pytest.raises(AttachmentUnavailable) as refused:
        await fetch_file(web, attachment)
    return refused.value.message


async def test_a_file_is_fetched(slack: SlackServer, web: SlackWeb) -> None:
    assert await fetch_file(web, dropped(slack)[0]) == CSV


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("files.info", {"error": "file_not_found"}),
        ("files.info", {"status": 500}),
        ("download", {"status": 404}),
        ("download", {"status": 500}),
        ("download", {"drop": True, "times": 9}),
    ],
)
async def test_whatever_goes_wrong_is_one_sentence(slack: SlackServer, web: SlackWeb, method: str, fault: dict) -> None:
    attachment, _ = dropped(slack)
    slack.fail(method, **fault)
    assert await refusal(web, attachment) == UNAVAILABLE


async def test_going_too_fast_only_costs_time(slack: SlackServer, web: SlackWeb) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    slack.fail("files.info", "ratelimited", retry_after=4)
    assert await fetch_file(web, dropped(slack)[0], sleep) == CSV
    assert waits == [4.0]


async def test_a_page_to_log_in_with_is_no_file(slack: SlackServer, web: SlackWeb) -> None:
    attachment, _ = dropped(slack)
    slack.fail("download", status=200)  # HTML where the bytes should be
    assert await refusal(web, attachment) == UNAVAILABLE


async def test_a_web_page_that_someone_dropped_is_a_file(slack: SlackServer, web: SlackWeb) -> None:
    page = b"<html>My bank</html>"
    assert await fetch_file(web, dropped(slack, "bank.html", page)[0]) == page


async def test_no_more_is_read_than_an_importer_takes(
    slack: SlackServer, web: SlackWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (files, attachments):
        monkeypatch.setattr(module, "MOST_BYTES", 10)
    attachment, file = dropped(slack)
    assert await refusal(web, attachment) == TOO_LARGE
    file.length = 10  # what Slack says of its size is less than there is
    assert await fetch_file(web, attachment) == CSV[:11]
    short, _ = dropped(slack, data=CSV[:10])
    assert await fetch_file(web, short) == CSV[:10]


async def test_the_token_is_not_shown_elsewhere(slack: SlackServer, web: SlackWeb, elsewhere: Elsewhere) -> None:
    attachment, file = dropped(slack)
    for url in (
        elsewhere.url,
        "http://files.slack.com/x",
        "https://files.slack.com.evil.example/x",
        "https://evilslack.com/x",
        "https://files.slack.com@evil.example/x",
        "",
    ):
        file.url = url
        with capture_logs() as logs:
            assert await refusal(web, attachment) == UNAVAILABLE
        assert [line["code"] for line in logs] == ["foreign_address"]
    assert elsewhere.seen == []


async def test_a_redirect_is_not_followed_elsewhere(slack: SlackServer, elsewhere: Elsewhere) -> None:
    attachment, file = dropped(slack)

    async def api(request: http.Request) -> http.Response:
        if request.path.endswith("files.info"):
            told = {"id": file.id, "size": len(CSV), "mimetype": "text/csv", "url_private": f"{request.url.origin()}/f"}
            return http.json_response({"ok": True, "file": told})
        raise http.HTTPFound(elsewhere.url)

    app = http.Application()
    app.router.add_route("*", "/{name:.*}", api)
    runner = http.AppRunner(app)
    await runner.setup()
    await http.TCPSite(runner, "127.0.0.1", 0).start()
    web = SlackWeb("xoxb-test", f"http://127.0.0.1:{runner.addresses[0][1]}/api/")
    try:
        assert await refusal(web, attachment) == UNAVAILABLE
    finally:
        await runner.cleanup()
    assert elsewhere.seen == []


async def test_an_upload_stands_in_the_thread(slack: SlackServer, web: SlackWeb) -> None:
    root = slack.workspace.post(slack.workspace.channels["D1ANA"], "U1ANA", {"text": "Hello"})
    await upload(web, "D1ANA", root.ts, File(file_name("0123456789abcdef", "rows.csv"), "text/csv", CSV))
    [seen] = posts(slack, "U1ANA")
    assert (seen.thread_ts, seen.files[0].name, seen.files[0].data) == (root.ts, "012345-rows.csv", CSV)
    assert posts(slack, "U2BEN") == []
