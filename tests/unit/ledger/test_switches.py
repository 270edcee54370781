"""What a person switches off is off for them alone, until they switch it on again."""

from __future__ import annotations

from ledger.switches import switch, switched_off


async def test_switches_are_one_persons(store, alice, bob):
    mine, other = await store.repository(alice), await store.repository(bob)
    assert await switched_off(mine) == frozenset()
    await switch(mine, "income", on=False)
    await switch(mine, "spending-compare", on=False)
    await switch(mine, "income", on=False)
    assert await switched_off(mine) == {"income", "spending-compare"}
    assert await switched_off(other) == frozenset()
    await switch(other, "income", on=True)
    await switch(mine, "income", on=True)
    assert await switched_off(mine) == {"spending-compare"}


async def test_switches_outlive_the_process(open_store, alice):
    await switch(await (await open_store()).repository(alice), "income", on=False)
    assert await switched_off(await (await open_store()).repository(alice)) == {"income"}
