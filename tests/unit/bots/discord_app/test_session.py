"""The session that outlives a process: what is kept of it, when it is gone on with, and that no event is passed over."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bots.discord_app.session import LASTS_SECONDS, Keeper, Session, place_to_resume

SESSION = Session("abc", "wss://gateway-us-east1-b.discord.gg", 4)
DISCORD, OURS = "wss://gateway.discord.gg", "ws://127.0.0.1:1/gateway/"


class Clock:
    """A machine's clock, in seconds, and what is to be done when."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.timers: dict[int, tuple[float, Callable[[], None]]] = {}

    def later(self, seconds: float, do: Callable[[], None]) -> Callable[[], None]:
        number = max(self.timers, default=0) + 1
        self.timers[number] = self.wall + seconds, do
        return lambda: self.timers.pop(number)

    def go_on(self, seconds: float) -> None:
        """Let this time pass."""
        self.wall += seconds
        for number, (at, do) in list(self.timers.items()):
            if at <= self.wall:
                del self.timers[number]
                do()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.json"


@pytest.fixture
def new(path: Path, clock: Clock):
    """Makes the keeper of a process."""

    def make(key: str = "ours", where: Path | None = path) -> Keeper:
        return Keeper(where, key, lambda: clock.wall, clock.later)

    return make


@pytest.fixture
def keeper(new) -> Keeper:
    keeper = new()
    keeper.follow(SESSION)
    return keeper


class TestWhatIsKept:
    def test_the_next_process_finds_the_session_at_its_last_event(self, keeper, new):
        keeper.told(5)()
        assert new().resume() == Session(SESSION.id, SESSION.gateway, 5)

    def test_there_is_nothing_before_the_first(self, new):
        assert new().resume() is None

    def test_without_a_path_nothing_is_kept(self, new):
        keeper = new(where=None)
        keeper.follow(SESSION)
        keeper.told(5)()
        keeper.write()
        keeper.forget()
        assert keeper.resume() is None

    def test_it_is_its_owners_alone_and_holds_nothing_else(self, keeper, path):
        keeper.write()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert json.loads(path.read_text()).keys() == {"key", "at", "id", "gateway", "sequence"}
        assert list(path.parent.iterdir()) == [path]

    def test_a_session_that_discord_does_not_know_is_forgotten(self, keeper, path, new):
        keeper.write()
        keeper.forget()
        keeper.told(5)()
        keeper.write()
        assert new().resume() is None
        assert not path.exists()

    def test_what_can_not_be_written_is_said_once_and_costs_nothing(self, new, path):
        keeper = new(where=path / "nowhere" / "session.json")
        with capture_logs() as logs:
            keeper.follow(SESSION)
            keeper.write()
            keeper.write()
            keeper.forget()
        assert [entry["event"] for entry in logs] == ["discord_session_not_kept"]


class TestWhatIsGoneOnWith:
    @pytest.mark.parametrize(
        ("seconds", "found"), [(LASTS_SECONDS, True), (LASTS_SECONDS + 1, False), (-LASTS_SECONDS - 1, False)]
    )
    def test_a_session_that_is_young_enough(self, keeper, new, clock, seconds, found):
        keeper.write()
        clock.wall += seconds
        assert (new().resume() is not None) is found

    def test_a_quiet_session_stays_young_as_long_as_discord_is_heard(self, keeper, new, clock):
        for _ in range(3):
            clock.go_on(LASTS_SECONDS)
            keeper.heard()
        assert new().resume() == SESSION

    @pytest.mark.parametrize("end", [Keeper.write, Keeper.close])
    def test_writing_makes_it_no_younger(self, keeper, new, clock, end):
        clock.go_on(LASTS_SECONDS + 1)
        end(keeper)
        assert new().resume() is None

    def test_nor_does_another_process_that_hears_nothing(self, keeper, new, clock):
        keeper.close()
        clock.go_on(LASTS_SECONDS)
        again = new()
        assert again.resume() == SESSION
        again.close()
        clock.go_on(1)
        assert new().resume() is None

    def test_an_event_makes_the_session_young_again_that_another_process_began(self, keeper, new, clock):
        keeper.close()
        again = new()
        again.resume()
        clock.go_on(LASTS_SECONDS)
        again.told(5)()
        clock.go_on(1)
        assert new().resume() == Session(SESSION.id, SESSION.gateway, 5)

    def test_somebody_elses_is_not(self, keeper, new):
        keeper.write()
        assert new("theirs").resume() is None

    @pytest.mark.parametrize(
        "change",
        [
            {"sequence": "4"},
            {"sequence": None},
            {"sequence": True},
            {"id": 4},
            {"gateway": None},
            {"more": 1},
            {"at": ""},
        ],
    )
    def test_one_of_another_form_is_not(self, keeper, new, path, change):
        keeper.write()
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
        assert new().resume() is None

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'"x"', b"null", b"{}", b"\xff", b"[" * 100_000])
    def test_what_can_not_be_read_is_not(self, new, path, data):
        path.write_bytes(data)
        assert new().resume() is None


class TestTheLastEvent:
    """The number that is kept is that of the last event before which all are seen to."""

    def sequence(self, keeper: Keeper, new) -> int:
        keeper.write()
        return new().resume().sequence

    def test_an_event_under_way_is_not_passed_over(self, keeper, new):
        first, second, third = [keeper.told(number) for number in (5, 6, 7)]
        assert self.sequence(keeper, new) == 4
        third()
        assert self.sequence(keeper, new) == 4
        first()
        assert self.sequence(keeper, new) == 5
        second()
        assert self.sequence(keeper, new) == 7

    def test_an_event_of_a_former_session_says_nothing_of_this_one(self, keeper, new):
        before = keeper.told(900)
        keeper.follow(Session("def", SESSION.gateway, 1))
        keeper.told(2)()
        assert self.sequence(keeper, new) == 2
        keeper.told(3)
        before()
        assert self.sequence(keeper, new) == 2

    def kept(self, path: Path) -> int:
        return json.loads(path.read_text())["sequence"]

    def test_it_is_written_with_the_first_event_and_then_once_a_second(self, keeper, path, clock):
        keeper.told(5)()
        keeper.told(6)()
        clock.go_on(0.9)
        keeper.told(7)()
        assert self.kept(path) == 5
        clock.go_on(0.1)
        assert self.kept(path) == 7
        keeper.told(8)()
        assert self.kept(path) == 7
        clock.go_on(1)
        assert self.kept(path) == 8

    def test_while_nothing_happens_nothing_is_written(self, keeper, path, clock):
        keeper.told(5)()
        clock.go_on(1)
        assert clock.timers == {}
        path.unlink()
        clock.go_on(10)
        assert not path.exists()
        keeper.told(6)()
        assert self.kept(path) == 6

    def test_a_session_that_begins_is_written_with_its_first_event(self, keeper, path):
        keeper.told(5)()
        keeper.follow(Session("def", SESSION.gateway, 0))
        keeper.told(1)()
        assert self.kept(path) == 1

    def test_after_the_end_nothing_is_written_any_more(self, keeper, path, clock):
        keeper.told(5)()
        late = keeper.told(6)
        keeper.told(7)()
        keeper.close()
        assert clock.timers == {}
        late()
        keeper.told(8)()
        clock.go_on(1)
        assert self.kept(path) == 5


class TestWhere:
    @pytest.mark.parametrize(
        ("gateway", "wanted", "place"),
        [
            (DISCORD, SESSION.gateway, SESSION.gateway),
            (f"{DISCORD}/", SESSION.gateway, SESSION.gateway),
            (OURS, SESSION.gateway, OURS),
            (DISCORD, "ws://gateway.discord.gg", DISCORD),
            (DISCORD, "wss://gateway.discord.gg.example.com", DISCORD),
            (DISCORD, "wss://notdiscord.gg", DISCORD),
            (DISCORD, "wss://[", DISCORD),
            (DISCORD, "", DISCORD),
        ],
    )
    def test_discords_wish_is_followed_to_discord_alone(self, gateway, wanted, place):
        assert place_to_resume(Session("abc", wanted, 4), gateway) == place
