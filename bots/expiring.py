"""Proposals whose time is over: they lose their buttons where they stand, and say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bots.contracts import Delivery
from bots.errors import SendFailed, SendRefused, outline
from bots.pending import EXPIRED, PendingActions
from graph.reply import Reply, Settled
from language.catalogue import translated
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bots.contracts import Adapter
    from bots.pending import Expired
    from ledger.store import Store

_log = structlog.get_logger(__name__)

_NO_LONGER_BACK = "This can no longer be taken back with one press."


class Expiry:
    """Looks for them, also for those of a former process."""

    def __init__(self, store: Store, adapters: Mapping[str, Adapter], now: Callable[[], datetime]) -> None:
        """Look in this store, and tell these platforms."""
        self._pending = PendingActions(store, now)
        self._adapters = adapters

    async def close(self) -> None:
        """Close what has expired; where a platform can't be reached now, the next look tries again."""
        for expired in await self._pending.expired():
            if await self._retired(expired):
                await self._pending.close_expired(expired.id)

    async def _retired(self, expired: Expired) -> bool:
        """Take the buttons of a reply away; whether there is nothing more to be done."""
        conversation, shown = expired.conversation, expired.arguments
        adapter, key = self._adapters.get(conversation.platform), str(shown.get("key", ""))
        if adapter is None or not key:
            return True
        line = translated(EXPIRED if expired.asks else _NO_LONGER_BACK, str(shown.get("language", DEFAULT)))
        reply = Reply("refuse", line, settles=(Settled(key, line),))
        try:
            await adapter.retire(Delivery(0, conversation, reply, key))
        except SendFailed as error:
            _log.info("expired_buttons_left", reply=key, error=outline(error))
            return False
        except SendRefused as error:
            _log.info("expired_buttons_stay", reply=key, error=outline(error))
        return True
