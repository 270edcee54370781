"""One ledger for one person in several places: linked by a code, unlinked again, deleted as one, on both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import sqlalchemy as sa

from bots.pending import PendingActions
from ledger import links, schema
from ledger.deletion import forget_person
from ledger.errors import LinkRefused
from ledger.people import Person
from tests.drawn_ledgers import Entry, write_entries

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SLACK, CONSOLE, DISCORD = Person("slack", "T1", "U1"), Person("console", "local", "me"), Person("discord", "", "42")
OTHER = Person("slack", "T1", "U2")


async def fill(store, person, *amounts):
    await write_entries(store, person, [Entry(date(2026, 10, 3), amount) for amount in amounts])


async def code_of(store, person, now=NOW):
    membership = await store.membership(person)
    async with store.write() as connection:
        return await links.new_code(connection, person, membership.person_id, now)


async def link(store, shown_to, typed_by, now=NOW):
    offered = await links.offered(store, typed_by, await code_of(store, shown_to), now)
    async with store.write() as connection:
        await links.join(connection, offered, now)
    store.forget_membership(typed_by)
    store.forget_membership(shown_to)
    return offered


async def part(store, person):
    async with store.write() as connection:
        count = await links.part(connection, person)
    for each in (SLACK, CONSOLE, DISCORD):
        store.forget_membership(each)
    return count


async def rows(store, person):
    return (await (await store.repository(person)).vocabulary()).count


async def test_who_types_the_code_looks_at_the_ledger_where_it_was_shown(store):
    await fill(store, SLACK, -100, -200)
    await fill(store, CONSOLE, -300)
    offered = await link(store, SLACK, CONSOLE)
    assert not offered.swapped
    assert await store.membership(CONSOLE) == await store.membership(SLACK)
    assert await rows(store, CONSOLE) == 2
    assert await links.others(store, CONSOLE) == (SLACK,)
    assert await links.others(store, SLACK) == (CONSOLE,)
    assert await rows(store, OTHER) == 0


async def test_an_empty_ledger_where_the_code_was_shown_is_the_one_put_aside(store):
    await store.membership(SLACK)
    await fill(store, CONSOLE, -300)
    assert (await link(store, SLACK, CONSOLE)).swapped
    assert await rows(store, SLACK) == 1


@pytest.mark.parametrize("by", [SLACK, CONSOLE])
async def test_either_side_unlinks_and_each_has_its_own_again(store, by):
    await fill(store, SLACK, -100, -200)
    await fill(store, CONSOLE, -300)
    await link(store, SLACK, CONSOLE)
    assert await part(store, by) == 1
    assert (await rows(store, SLACK), await rows(store, CONSOLE)) == (2, 1)
    assert await links.others(store, SLACK) == ()


async def test_a_third_place_joins_the_same_ledger_from_either(store):
    await fill(store, SLACK, -100)
    await link(store, SLACK, CONSOLE)
    await link(store, CONSOLE, DISCORD)
    assert await store.membership(DISCORD) == await store.membership(SLACK)
    assert await part(store, DISCORD) == 1
    assert await store.membership(CONSOLE) == await store.membership(SLACK)


async def test_a_code_is_good_once_for_ten_minutes_and_is_replaced_by_the_next(store):
    first = await code_of(store, SLACK)
    second = await code_of(store, SLACK)
    for code, now in ((first, NOW), (second, NOW + links.GOOD_FOR)):
        with pytest.raises(LinkRefused, match="not right"):
            await links.offered(store, CONSOLE, code, now)
    offered = await links.offered(store, CONSOLE, second, NOW)
    async with store.write() as connection:
        await links.join(connection, offered, NOW)
    with pytest.raises(LinkRefused, match="not right"):
        await links.offered(store, DISCORD, second, NOW)
    with pytest.raises(LinkRefused, match="not right"):
        async with store.write() as connection:
            await links.join(connection, offered, NOW)


async def test_after_five_codes_that_are_not_right_none_is_tried_for_an_hour(store):
    code = await code_of(store, SLACK)
    for _ in range(links.MOST_TRIES):
        with pytest.raises(LinkRefused, match="not right"):
            await links.offered(store, CONSOLE, "ABCDEFGHJKLM", NOW)
    with pytest.raises(LinkRefused, match="too many"):
        await links.offered(store, CONSOLE, code, NOW)
    later = NOW + timedelta(hours=1)
    assert await links.offered(store, CONSOLE, await code_of(store, SLACK, later), later)


async def test_nobody_links_with_themselves_or_gives_up_a_ledger_that_others_look_at(store):
    with pytest.raises(LinkRefused, match="already"):
        await links.offered(store, SLACK, await code_of(store, SLACK), NOW)
    await link(store, SLACK, CONSOLE)
    for person in (SLACK, CONSOLE):
        with pytest.raises(LinkRefused, match="another place already"):
            await links.offered(store, person, await code_of(store, DISCORD), NOW)


async def test_a_ledger_that_somebody_joined_meanwhile_is_not_put_aside(store):
    """Else the third would look at what was put aside, and at nothing once that is forgotten."""
    for person in (SLACK, CONSOLE, DISCORD):
        await fill(store, person, -100)
    shown = await links.offered(store, CONSOLE, await code_of(store, SLACK), NOW)
    await link(store, CONSOLE, DISCORD)
    with pytest.raises(LinkRefused, match="used from another place"):
        async with store.write() as connection:
            await links.join(connection, shown, NOW)
    assert await links.others(store, DISCORD) == (CONSOLE,)
    assert await links.others(store, SLACK) == ()
    await forget_person(store, CONSOLE)
    store.forget_membership(DISCORD)
    assert await rows(store, DISCORD) == 0


async def test_no_code_is_kept_as_it_is_shown(store, dump):
    code = await code_of(store, SLACK)
    kept = repr(await dump(store))
    assert code not in kept
    assert links.spelled(code) not in kept


async def test_forgetting_everything_in_one_place_forgets_it_in_all_and_what_was_put_aside(store):
    await fill(store, SLACK, -100, -200)
    await fill(store, CONSOLE, -300)
    await fill(store, OTHER, -400)
    await link(store, SLACK, CONSOLE)
    assert await forget_person(store, CONSOLE) == 2
    async with store.read() as connection:
        people = (await connection.execute(sa.select(schema.people.c.user))).scalars().all()
        left = (await connection.execute(sa.select(sa.func.count()).select_from(schema.transactions))).scalar_one()
        ledgers = (await connection.execute(sa.select(sa.func.count()).select_from(schema.ledgers))).scalar_one()
    assert (people, left, ledgers) == (["U2"], 1, 1)
    assert (await rows(store, SLACK), await rows(store, CONSOLE), await rows(store, OTHER)) == (0, 0, 1)


async def test_another_process_learns_of_a_link_by_looking_again(open_store):
    here, there = await open_store(), await open_store()
    await fill(here, SLACK, -100)
    before = await there.membership(CONSOLE)
    await link(here, SLACK, CONSOLE)
    assert await there.membership(CONSOLE) == before
    await there.recheck(CONSOLE)
    assert await there.membership(CONSOLE) == await here.membership(SLACK)


async def test_what_waited_for_a_yes_waits_on(store):
    from bots.contracts import ConversationKey

    pending, where = PendingActions(store, lambda: NOW), ConversationKey("console", "", "c", "", CONSOLE)
    token = await pending.propose(CONSOLE, where, "proposed", {})
    await link(store, SLACK, CONSOLE)
    assert (await pending.shown(CONSOLE, token)).token == token


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("abcd-efgh-jklm", "ABCDEFGHJKLM"),
        ("ABCD EFGH JKLM", "ABCDEFGHJKLM"),
        ("ABCD-EFGH-JKL", None),
        ("ABCD-EFGH-JKL0", None),
        ("", None),
    ],
)
def test_a_code_is_read_in_whatever_form_it_is_typed(text, code):
    assert links.read_code(text) == code
