"""What administrators say in chat for everybody in their workspace: they alone, shown first where something goes for good."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest

from bots.audience import Place
from bots.contracts import Duty, Question
from bots.desk.commands import read_command
from bots.desk.desk import Desk
from bots.errors import SendFailed
from bots.workspaces import Rules, Workspaces
from graph.reply import File
from ledger import deletion, links
from ledger.deletion import forget_person
from ledger.preferences import set_preference
from tests.drawn_ledgers import Entry, write_entries
from tests.support.changes_house import desk_house
from tests.support.untold import untold_in

NOT_YOURS = "Only administrators of this workspace can see and change what holds for everybody in it."


@pytest.fixture
async def house(tmp_path, clock):
    """Alice administers a workspace with Bob in it; both have rows, and so has somebody of another workspace."""
    async with desk_house(tmp_path, clock, administrators="all") as house:
        house.platform.administrators.add(house.alice)
        house.away = house.platform.person("away", "elsewhere")
        for cents, person in enumerate((house.alice, house.bob, house.away), 1):
            await write_entries(house.store, person, [Entry(date(2026, 10, 3), -cents * 100)])
        yield house


async def command(house, line, person=None):
    """What the command's answer says, and the post itself."""
    post = await house.say("", person, call=read_command(f"workspace {line}"))
    return post.reply.headline, post


async def rules(house):
    return await Workspaces(house.store).rules(house.platform.name, "home")


@pytest.mark.parametrize("line", ["", "sharing off", "keep 30", "people U1", "export", "delete"])
async def test_nobody_else_sees_or_changes_anything(house, line):
    headline, post = await command(house, line, house.bob)
    assert (headline, post.reply.kind) == (NOT_YOURS, "refuse")
    assert await rules(house) == Rules()


@pytest.mark.parametrize("line", ["", "sharing off", "delete"])
async def test_a_platform_that_does_not_say_so_lets_nobody_in(house, line):
    async def unknown(person):
        raise SendFailed("The platform is busy.")

    house.platform.administers = unknown
    headline, post = await command(house, line)
    assert post.reply.kind == "refuse"
    assert headline.startswith("I can't find out right now whether you administer this workspace")
    assert await rules(house) == Rules()


async def test_all_of_it_is_told_in_german(house):
    await set_preference(await house.desk.repository(house.alice), "locale", "de_DE")
    others = " ".join(f"U{number:03}" for number in range(30))
    with untold_in("de") as untold:
        asked = [await command(house, f"keep {days}") for days in (90, 1)]
        assert asked[0][0] == "Gespräche höchstens 90 Tage lang aufheben?"
        assert asked[1][0] == "Gespräche höchstens 1 Tag lang aufheben?"
        done = await house.press(asked[1][1], "Weniger aufheben")
        assert "Gespräche werden höchstens 1 Tag lang aufgehoben." in done.text
        assert [each.label for row in done.reply.rows() for each in row if each.label[0].isdigit()] == [
            "90 Tage aufheben",
            "365 Tage aufheben",
        ]
        lines = ("", "sharing off", "sharing on", f"people {others}", "people everyone", "keep 90", "keep", "export")
        for line in lines:
            await command(house, line)
        house.platform.administrators.clear()
        await command(house, "")
        house.platform.administrators.add(house.alice)
        _, offered = await command(house, "delete")
        await house.press(offered, "Alles löschen")
    assert not untold


async def test_in_front_of_others_nothing_is_said(house):
    house.platform.open_channel("all", house.alice, house.bob, place=Place.UNKNOWN)
    post = await house.say("workspace", channel="all")
    assert "workspace" not in post.reply.headline.casefold()


async def test_rules_hold_at_once_and_are_shown(house):
    assert (await command(house, "sharing off"))[0] == "This holds for everybody in this workspace now"
    _, post = await command(house, "people U012AB3CD, W034EF5GH")
    assert "these may use me: U012AB3CD, W034EF5GH, alice." in post.text
    assert await rules(house) == Rules(False, 0, frozenset({"U012AB3CD", "W034EF5GH", "alice"}))
    await command(house, "people everyone")
    post = await house.press((await command(house, ""))[1], "Switch sharing on")
    assert "Answers may be shared in channels." in post.text
    assert await rules(house) == Rules()


@pytest.mark.parametrize(
    "line",
    [
        "sharing maybe",
        "keep -1",
        "keep 99999",
        "people",
        "people @ana",
        "delete bob",
        "export bob",
        "keep ٩٠",
        f"keep {'9' * 5000}",
    ],
)
async def test_what_is_no_rule_changes_nothing(house, line):
    headline, post = await command(house, line)
    assert (headline, post.reply.kind) == ("I did not understand which rule that is.", "refuse")
    assert await rules(house) == Rules()


async def test_to_keep_less_is_asked_about_first(house):
    headline, post = await command(house, "keep 90")
    assert headline == "Keep conversations for 90 days at most?"
    assert await rules(house) == Rules()
    assert "Conversations are kept for 90 days at most." in (await house.press(post, "Keep less")).text
    assert await rules(house) == Rules(keep_days=90)
    await command(house, "keep 0")
    assert await rules(house) == Rules()


async def test_to_keep_more_is_written_down_at_once(house):
    """Nothing is deleted by it."""
    await Workspaces(house.store).lay_down(house.platform.name, "home", keep_days=90)
    for days in (90, 365, 0):
        assert (await command(house, f"keep {days}"))[0] == "This holds for everybody in this workspace now"
        assert await rules(house) == Rules(keep_days=days)
    for before, days in ((0, 365), (365, 90)):
        await Workspaces(house.store).lay_down(house.platform.name, "home", keep_days=before)
        assert (await command(house, f"keep {days}"))[0] == f"Keep conversations for {days} days at most?"
        assert await rules(house) == Rules(keep_days=before)


@pytest.mark.parametrize("line", ["sharing off", "keep 90"])
async def test_a_change_of_one_rule_leaves_what_somebody_else_says_of_another_meanwhile(house, monkeypatch, line):
    """Else everyone would be let in again by a change of sharing."""
    look = Desk.rules

    async def rules_and_another(desk, platform, team):
        before = await look(desk, platform, team)
        await Workspaces(house.store).lay_down(platform, team, admitted=frozenset({"U012AB3CD"}))
        return before

    monkeypatch.setattr(Desk, "rules", rules_and_another)
    await command(house, "sharing off")
    _, post = await command(house, line)
    if line == "keep 90":
        await Workspaces(house.store).lay_down(house.platform.name, "home", admitted=frozenset())
        await house.press(post, "Keep less")
    assert (await rules(house)).admitted == {"U012AB3CD"}


async def test_everything_is_handed_over_but_nothing_of_another_workspace(house):
    _, post = await command(house, "export")
    (file,) = [block for block in post.reply.blocks if isinstance(block, File)]
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        names = archive.namelist()
        assert sorted({name.partition("/")[0] for name in names}) == ["alice", "bob"]
        assert "-2.00" in archive.read("bob/transactions.csv").decode()
        assert not any("-3.00" in archive.read(name).decode() for name in names)


async def test_everything_is_deleted_after_a_yes_and_nothing_of_another_workspace(house):
    await command(house, "sharing off")
    headline, post = await command(house, "delete")
    assert headline == "Delete everything of 2 people in this workspace?"
    assert [await house.count(each) for each in (house.alice, house.bob)] == [1, 1]
    said = await house.press(post, "Delete everything")
    assert said.reply.headline == "Deleted: everything of 2 people (2 transactions)."
    assert [await house.count(each) for each in (house.alice, house.bob, house.away)] == [0, 0, 1]
    assert await rules(house) == Rules()


async def test_a_deletion_that_breaks_off_has_deleted_nobody_and_counts_again(house, monkeypatch):
    _, post = await command(house, "delete")
    clean = deletion.forget_phrases
    told = []

    async def breaks(connection, which):
        told.append(which)
        if len(told) == 2:
            raise RuntimeError("the connection is gone")
        await clean(connection, which)

    monkeypatch.setattr(deletion, "forget_phrases", breaks)
    await house.press(post, "Delete everything")
    assert [await house.count(each) for each in (house.alice, house.bob)] == [1, 1]
    said = await house.press(post, "Delete everything")
    assert said.reply.headline == "Deleted: everything of 2 people (2 transactions)."
    assert [await house.count(each) for each in (house.alice, house.bob, house.away)] == [0, 0, 1]


async def test_a_yes_counts_no_more_once_somebody_else_came_or_one_administers_no_longer(house):
    _, post = await command(house, "delete")
    await write_entries(house.store, house.platform.person("carol"), [Entry(date(2026, 10, 3), -100)])
    assert "not what was shown" in (await house.press(post, "Delete everything")).text
    _, post = await command(house, "delete")
    await forget_person(house.store, house.bob)
    await write_entries(house.store, house.platform.person("dave"), [Entry(date(2026, 10, 3), -100)])
    assert "not what was shown" in (await house.press(post, "Delete everything")).text
    assert await house.count(house.platform.person("dave")) == 1
    await write_entries(house.store, house.bob, [Entry(date(2026, 10, 3), -100)])
    _, post = await command(house, "delete")
    house.platform.administrators.clear()
    assert NOT_YOURS in (await house.press(post, "Delete everything")).text
    assert [await house.count(each) for each in (house.alice, house.bob)] == [1, 1]


async def test_whose_ledger_is_used_elsewhere_as_well_is_left_out(house):
    """It may be what somebody has by themselves: an administrator gets at nothing beyond the workspace."""
    async with house.store.write() as connection:
        membership = await house.store.membership(house.bob)
        code = await links.new_code(connection, house.bob, membership.person_id, house.clock.now())
    link = await links.offered(house.store, house.away, code, house.clock.now())
    async with house.store.write() as connection:
        await links.join(connection, link, house.clock.now())
    house.store.forget_membership(house.away)
    _, post = await command(house, "export")
    assert "Left out: 1 person whose ledger is used elsewhere as well." in post.text
    (file,) = [block for block in post.reply.blocks if isinstance(block, File)]
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"alice"}
    _, post = await command(house, "delete")
    await house.press(post, "Delete everything")
    assert [await house.count(each) for each in (house.alice, house.bob)] == [0, 1]


async def test_a_link_that_another_process_made_counts_at_once(house):
    """This one remembers whose ledger everybody looks at."""
    async with house.store.write() as connection:
        membership = await house.store.membership(house.away)
        code = await links.new_code(connection, house.away, membership.person_id, house.clock.now())
    link = await links.offered(house.store, house.bob, code, house.clock.now())
    async with house.store.write() as connection:
        await links.join(connection, link, house.clock.now())
    _, post = await command(house, "export")
    assert "Left out: 1 person whose ledger is used elsewhere as well." in post.text


@pytest.mark.parametrize(("given", "refused"), [("none", ("", "keep 3", "export")), ("rules", ("export", "delete"))])
async def test_more_than_the_installation_leaves_to_them_is_refused(tmp_path, clock, given, refused):
    async with desk_house(tmp_path, clock, administrators=given) as house:
        house.platform.administrators.add(house.alice)
        for line in refused:
            headline, _ = await command(house, line)
            assert headline == "Whoever runs me has not left that to the administrators of a workspace."
        if given == "rules":
            assert not {"Export everything", "Delete everything"} & {
                each.label for row in (await command(house, ""))[1].reply.rows() for each in row
            }


async def test_where_nothing_may_be_changed_administrators_change_nothing(tmp_path, clock):
    async with desk_house(tmp_path, clock, administrators="all", writes=False) as house:
        house.platform.administrators.add(house.alice)
        assert (await command(house, "sharing off"))[1].reply.kind == "refuse"
        assert await rules(house) == Rules()


def test_the_command_is_a_duty():
    for line in ("", "sharing off", "keep 90", "People everyone", "export", "delete"):
        assert read_command(f"workspace {line}") == Duty("workspace", {"value": line})


def test_a_question_about_workspaces_is_none():
    for line in ("workspace fees this year", "workspace colour red"):
        assert read_command(line) == Question(line)
