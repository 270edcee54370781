"""What holds for everybody of a workspace: who may use the bot, whether answers may be shared, how long what is said is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from bots.errors import NotAdmitted
from bots.transactions import insert_new, read, write
from ledger import schema
from ledger.people import Person

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.store import Store

_workspaces, _people = schema.workspaces.c, schema.people.c
_installations = schema.installations.c


#: What is said to those whom a workspace leaves out.
LEFT_OUT = (
    "In this workspace I am for certain people, and you are not among them. An administrator of it can add you: "
    "/money workspace people."
)


#: Conversations are kept for so many days at most, where a number is said.
LONGEST_KEPT = 36_500
#: What is said in the place of members' ids where nobody is left out.
EVERYONE = "everyone"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a workspace says; it lets in fewer people than the settings do, and keeps less, never more."""

    sharing: bool = True
    """Whether answers may be shown to a whole channel."""
    keep_days: int = 0
    """For how many days conversations are kept at most; 0 for no limit."""
    admitted: frozenset[str] = frozenset()
    """The ids of those who may use the bot; all, where nobody is named."""

    def admit(self, user: str) -> None:
        """Return if somebody may use the bot; raises NotAdmitted."""
        if self.admitted and user not in self.admitted:
            raise NotAdmitted(LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace that is known here: by its people, its rules, or because it installed the app by itself."""

    platform: str
    team: str
    people: int
    installed: bool
    rules: Rules


class Workspaces:
    """The workspaces of a store."""

    def __init__(self, store: Store) -> None:
        """Use this store."""
        self._store = store

    async def rules(self, platform: str, team: str) -> Rules:
        """Return what holds in a workspace."""
        query = sa.select(schema.workspaces).where(_at(platform, team))
        row = await read(self._store, lambda connection: connection.execute(query).first())
        return Rules() if row is None else _rules(row)

    async def lay_down(self, platform: str, team: str, **said: Any) -> None:
        """Let what is said of some of the :class:`Rules`, by their names, hold from now on."""
        await write(self._store, lambda connection: lay_down(connection, platform, team, said))

    async def limits(self) -> tuple[tuple[str, str, int], ...]:
        """Return for how many days conversations are kept, of each workspace that limits it."""
        query = sa.select(_workspaces.platform, _workspaces.team, _workspaces.keep_days).where(
            _workspaces.keep_days > 0
        )
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple((row.platform, row.team, row.keep_days) for row in rows)

    async def known(self) -> tuple[Workspace, ...]:
        """Return all of them, by name."""

        def look(connection: sa.Connection) -> tuple[Workspace, ...]:
            counted = sa.select(_people.platform, _people.team, sa.func.count().label("people"))
            people = {
                (row.platform, row.team): int(row.people)
                for row in connection.execute(counted.group_by(_people.platform, _people.team))
            }
            rules = {(row.platform, row.team): _rules(row) for row in connection.execute(sa.select(schema.workspaces))}
            installed = {
                (row.platform, row.team or row.enterprise)
                for row in connection.execute(sa.select(schema.installations))
            }
            return tuple(
                Workspace(*place, people.get(place, 0), place in installed, rules.get(place, Rules()))
                for place in sorted({*people, *rules, *installed})
            )

        return await read(self._store, look)

    async def people(self, platform: str, team: str) -> tuple[Person, ...]:
        """Return who has a ledger in a workspace."""
        query = sa.select(_people.user).where(_people.platform == platform, _people.team == team).order_by(_people.user)
        users = await read(self._store, lambda connection: connection.execute(query).scalars().all())
        return tuple(Person(platform, team, user) for user in users)

    async def drop(self, platform: str, team: str) -> None:
        """Forget its rules, and the tokens that it gave us."""

        def drop(connection: sa.Connection) -> None:
            connection.execute(schema.workspaces.delete().where(_at(platform, team)))
            connection.execute(
                schema.installations.delete().where(_installations.platform == platform, _installations.team == team)
            )

        await write(self._store, drop)


def is_member_id(text: str) -> bool:
    """Whether a text is the id of a member of a workspace, as Slack writes them."""
    return re.fullmatch("[UW][A-Z0-9]{2,40}", text) is not None


def member_ids(text: str) -> frozenset[str] | None:
    """Return the ids of members that a text lists, with commas or spaces between; None where it lists none, or anything else."""
    named = frozenset(text.replace(",", " ").split())
    return named if named and all(map(is_member_id, named)) else None


def lay_down(connection: sa.Connection, platform: str, team: str, said: Mapping[str, Any]) -> None:
    """Let what is said of some rules, by their names, hold in a workspace once this transaction ends; the others stay."""
    values = {name: " ".join(sorted(rule)) if name == "admitted" else int(rule) for name, rule in said.items()}
    row = {"platform": platform, "team": team, **values}
    connection.execute(insert_new(schema.workspaces, connection.dialect.name).values(row))
    connection.execute(schema.workspaces.update().where(_at(platform, team)).values(values))


def members(platform: str, team: str) -> sa.Select[Any]:
    """Return the query of the ids of a workspace's people."""
    return sa.select(_people.id).where(_people.platform == platform, _people.team == team)


def _rules(row: Any) -> Rules:
    return Rules(bool(row.sharing), row.keep_days, frozenset(row.admitted.split()))


def _at(platform: str, team: str) -> sa.ColumnElement[bool]:
    return (_workspaces.platform == platform) & (_workspaces.team == team)
