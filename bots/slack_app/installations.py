"""The workspaces that installed the app, over our tables: Bolt's store of installations, and tokens that are good for a while.

An organisation installs it for all of its workspaces at once: its row has no team, and the workspaces are noted as they are
met. https://docs.slack.dev/authentication/installing-with-oauth, https://docs.slack.dev/enterprise/organization-ready-apps
"""

from __future__ import annotations

import hashlib
import json
import time
from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import aiohttp
import sqlalchemy as sa
import structlog
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from bots.errors import outline
from bots.inbox import stamp
from bots.slack_app.installation import Installation
from bots.slack_app.sealing import Unsealable
from bots.transactions import insert_new, read, write
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from slack_sdk.oauth.installation_store import Installation as BoltInstallation
    from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

    from bots.slack_app.sealing import Seal
    from ledger.store import Store

_log = structlog.get_logger(__name__)

_SLACK = "slack"
#: A token that counts for twelve hours is exchanged when fewer than these minutes are left.
_BEFORE_MINUTES = 120
#: How long somebody may take to say yes in Slack.
STATE_LIVES = timedelta(minutes=10)

_rows, _workspaces, _states = schema.installations.c, schema.workspaces.c, schema.install_states.c
_FAILURES = (SlackClientError, aiohttp.ClientError, TimeoutError, OSError, KeyError, TypeError, ValueError)


class Installations(AsyncInstallationStore):
    """Installations of one app. Tokens of people are never asked for, and not kept."""

    def __init__(
        self, store: Store, seal: Seal, rotator: AsyncTokenRotator, seconds: Callable[[], float] = time.time
    ) -> None:
        """Keep them in this store, under this seal; ``rotator`` exchanges a token that is about to expire."""
        self._store = store
        self._seal = seal
        self._rotator = rotator
        self._seconds = seconds
        self._noted: set[tuple[str, str]] = set()

    async def find(self, team: str, enterprise: str = "") -> Installation | None:
        """Return what we are in a workspace, with a token that is good for a while; None where we are not installed.

        ``enterprise`` is the organisation of the workspace, where a body names it; afterwards it is known.
        """
        row = await read(self._store, lambda connection: connection.execute(_meant(team, enterprise)).first())
        if row is None:
            return None
        try:
            bot = await self._good(row, self._bot(row))
        except Unsealable:
            _log.error("slack_token_sealed_with_another_key", team=team)
            return None
        if bot is None:
            return None
        if enterprise and (team, enterprise) not in self._noted:
            await self._note(team, enterprise)
        return Installation(team, bot.bot_user_id, bot.bot_id, bot.bot_token, enterprise or row.enterprise)

    async def uninstalled(self, team: str, enterprise: str, at: int, bots: tuple[str, ...] | None = None) -> bool:
        """Forget tokens that Slack says count no more; False for what was installed anew since then, or is none of ours.

        ``bots`` are the users whose tokens were revoked, where not all were.
        """

        def forget(connection: sa.Connection) -> bool:
            row = connection.execute(_meant(team, enterprise)).first()
            if row is None or row.installed_at > at or (bots is not None and row.bot_user not in bots):
                return False
            connection.execute(schema.installations.delete().where(_rows.id == row.id))
            return True

        return await write(self._store, forget)

    async def teams(self) -> tuple[str, ...]:
        """Return the workspaces, and organisations, that installed the app."""
        query = sa.select(_rows.team, _rows.enterprise).order_by(_rows.installed_at)
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple(row.team or row.enterprise for row in rows)

    # -- Bolt's interface

    async def async_save(self, installation: BoltInstallation) -> None:
        """Keep what somebody installed, in place of an earlier installation there."""
        await self.async_save_bot(installation.to_bot(), installation.user_id or "")

    async def async_save_bot(self, bot: Bot, by: str | None = None) -> None:
        """Keep a token."""
        where = _place(bot.team_id, bot.enterprise_id, org=bot.is_enterprise_install)
        secrets = {"token": bot.bot_token, "refresh": bot.bot_refresh_token}
        values: dict[str, Any] = {
            "bot_user": bot.bot_user_id,
            "bot_id": bot.bot_id,
            "scopes": ",".join(bot.bot_scopes or ()),
            "sealed": self._seal.close(json.dumps(secrets)),
            "expires_at": bot.bot_token_expires_at or 0,
            "installed_at": int(bot.installed_at),
        }
        if by is not None:
            values["installed_by"] = by

        def save(connection: sa.Connection) -> None:
            connection.execute(insert_new(schema.installations, connection.dialect.name).values({**where, **values}))
            connection.execute(schema.installations.update().where(*_at(where)).values(values))

        await write(self._store, save)

    async def async_find_bot(
        self, *, enterprise_id: str | None, team_id: str | None, is_enterprise_install: bool | None = False
    ) -> Bot | None:
        """Return the token of a workspace, or of the organisation that it belongs to."""
        team = "" if is_enterprise_install else team_id or ""
        query = _meant(team, enterprise_id or "")
        row = await read(self._store, lambda connection: connection.execute(query).first())
        return None if row is None else self._bot(row)

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> BoltInstallation | None:
        """Return nothing: there are no installations but those of bots."""
        raise NotImplementedError

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        """Forget a workspace's tokens, or an organisation's where no workspace is named."""
        where = _place(team_id, enterprise_id, org=not team_id)
        await write(
            self._store,
            lambda connection: connection.execute(schema.installations.delete().where(*_at(where))).rowcount,
        )

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        """Forget nothing of people, of whom there is nothing."""

    # -- tokens

    def _bot(self, row: Any) -> Bot:
        """Return a row as Bolt knows it; raises Unsealable."""
        secrets = json.loads(self._seal.reopen(row.sealed))
        return Bot(
            team_id=row.team or None,
            enterprise_id=row.enterprise or None,
            bot_token=secrets["token"],
            bot_refresh_token=secrets["refresh"],
            bot_token_expires_at=row.expires_at or None,
            bot_id=row.bot_id,
            bot_user_id=row.bot_user,
            bot_scopes=row.scopes,
            is_enterprise_install=not row.team,
            installed_at=float(row.installed_at),
        )

    async def _good(self, row: Any, bot: Bot) -> Bot | None:
        """Return a token that is good for a while, exchanged by one process at a time: the other one counts only once."""
        if not self._is_old(bot):
            return bot
        async with self._store.alone(_number(row)):
            query = sa.select(schema.installations).where(_rows.id == row.id)
            row = await read(self._store, lambda connection: connection.execute(query).first())
            if row is None:
                return None
            bot = self._bot(row)
            if not self._is_old(bot):
                return bot
            try:
                fresh = await self._rotator.perform_bot_token_rotation(
                    bot=bot, minutes_before_expiration=_BEFORE_MINUTES
                )
            except _FAILURES as error:  # it is tried again, and the old one counts for a while
                _log.warning("slack_token_not_exchanged", error=outline(error))
                return bot
            if fresh is not None:
                await self.async_save_bot(fresh)
            return fresh or bot

    def _is_old(self, bot: Bot) -> bool:
        return bool(
            bot.bot_refresh_token
            and bot.bot_token_expires_at
            and bot.bot_token_expires_at <= self._seconds() + _BEFORE_MINUTES * 60
        )

    async def _note(self, team: str, enterprise: str) -> None:
        """Keep to which organisation a workspace belongs: whoever answers there later knows the workspace alone."""
        values = {"platform": _SLACK, "team": team, "enterprise": enterprise}

        def note(connection: sa.Connection) -> None:
            connection.execute(insert_new(schema.workspaces, connection.dialect.name).values(values))
            connection.execute(
                schema.workspaces.update()
                .where(_workspaces.platform == _SLACK, _workspaces.team == team, _workspaces.enterprise != enterprise)
                .values(enterprise=enterprise)
            )

        await write(self._store, note)
        self._noted.add((team, enterprise))


class States(AsyncOAuthStateStore):
    """What tells that who comes back from Slack is who was sent there: each counts once, and for ten minutes."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Keep their digests in this store."""
        self._store = store
        self._now = now

    async def async_issue(self, *_args: Any, **_kwargs: Any) -> str:
        """Return a new one."""
        state = token_urlsafe(32)
        now = self._now()
        row = {"digest": _digest(state), "expires_at": stamp(now + STATE_LIVES)}

        def issue(connection: sa.Connection) -> None:
            connection.execute(schema.install_states.delete().where(_states.expires_at < stamp(now)))
            connection.execute(schema.install_states.insert(), row)

        await write(self._store, issue)
        return state

    async def async_consume(self, state: str) -> bool:
        """Return whether it counts, and let it count no more."""
        used = schema.install_states.delete().where(
            _states.digest == _digest(state), _states.expires_at >= stamp(self._now())
        )
        return await write(self._store, lambda connection: connection.execute(used).rowcount == 1)


def _digest(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()


def _place(team: str | None, enterprise: str | None, *, org: bool) -> dict[str, str]:
    return {"platform": _SLACK, "team": "" if org else team or "", "enterprise": enterprise or ""}


def _at(where: dict[str, str]) -> list[sa.ColumnElement[bool]]:
    return [_rows[name] == value for name, value in where.items()]


def _meant(team: str, enterprise: str) -> sa.Select[Any]:
    """Return the query of what is installed in a workspace: by itself, or else by its organisation."""
    known = sa.select(_workspaces.enterprise).where(_workspaces.platform == _SLACK, _workspaces.team == team)
    org = (_rows.team == "") & (_rows.enterprise != "")
    its = (_rows.enterprise == enterprise) if enterprise else _rows.enterprise.in_(known)
    own = (_rows.team == team) & (_rows.team != "")
    return (
        sa.select(schema.installations)
        .where(_rows.platform == _SLACK, own | (org & its))
        .order_by(_rows.team.desc(), _rows.installed_at.desc())
        .limit(1)
    )


def _number(row: Any) -> int:
    """Return a number for whoever is alone with an installation; no ledger has so small a one but by chance."""
    return int.from_bytes(hashlib.sha256(f"{row.team}/{row.enterprise}".encode()).digest()[:5], "big")
