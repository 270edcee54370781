"""Where settings come from: never from the working folder, and from no file that others could write."""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from bots.cli.configuration import PREFIX, configure, shown, variables
from bots.errors import CommandError
from bots.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

SECRET = "xoxb-1234567890-abcdefghij"


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory, and a working folder beside it."""
    (tmp_path / "data").mkdir(mode=0o700)
    return tmp_path / "data"


def written(file: Path, text: str, mode: int = 0o600) -> Path:
    file.write_text(text)
    file.chmod(mode)
    return file


def read(data: Path, env_file: str | None = None, options: Mapping[str, Any] = MappingProxyType({}), **variables: str):
    """What a command would go by, with these variables in its environment."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"DATA_DIR": str(data), **variables}.items():
            patch.setenv(f"{PREFIX}{name}", value)
        return configure(options, env_file)


class TestTheFile:
    def test_that_of_the_data_directory_is_read_and_the_environment_wins(self, data: Path) -> None:
        written(data / ".env", "MONEY_MINDER_MODEL=builtin\nMONEY_MINDER_ROUTING=model\nOTHER=1\n")
        found = read(data, ROUTING="auto")
        assert (found.settings.model, found.settings.routing) == ("builtin", "auto")
        assert found.sources["MONEY_MINDER_MODEL"] == str(data / ".env")
        assert found.sources["MONEY_MINDER_ROUTING"] == "the environment"
        assert found.doubts == ()

    def test_that_of_the_working_folder_is_not_and_said_to_be_there(self, data: Path, monkeypatch) -> None:
        here = data.parent
        monkeypatch.chdir(here)
        written(here / ".env", "MONEY_MINDER_MODEL=builtin\nMONEY_MINDER_NONSENSE=1\n")
        found = read(data)
        assert found.settings.model == "auto"
        assert (found.is_read, found.unread, found.doubts) == (False, here / ".env", ())

    def test_another_one_is_read_where_it_is_named(self, data: Path, monkeypatch) -> None:
        named = written(data.parent / "mine.env", "MONEY_MINDER_MODEL=builtin\n")
        written(data / ".env", "MONEY_MINDER_MODEL=ollama:other\n")
        assert read(data, str(named)).settings.model == "builtin"
        assert read(data, ENV_FILE=str(named)).settings.model == "builtin"
        monkeypatch.chdir(data.parent)
        assert read(data, "mine.env").settings.model == "builtin", "who types a name means that file"
        with pytest.raises(CommandError, match="full path"):
            read(data, ENV_FILE="mine.env")
        with pytest.raises(CommandError, match="There is no file"):
            read(data, str(data / "nowhere"))

    @pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
    def test_one_that_others_may_write_is_refused(self, data: Path, mode: int) -> None:
        written(data / ".env", "MONEY_MINDER_MODEL=builtin\n", mode)
        with pytest.raises(CommandError, match=r"others may write to .*\.env\. Run: chmod go-w"):
            read(data)

    @pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
    def test_one_in_a_folder_that_others_may_write_is_refused(self, data: Path, mode: int) -> None:
        written(data / ".env", "MONEY_MINDER_MODEL=builtin\n")
        data.chmod(mode)
        with pytest.raises(CommandError, match="others may write to"):
            read(data)

    def test_a_link_is_as_good_as_what_it_leads_to(self, data: Path) -> None:
        loose = data.parent / "loose"
        loose.mkdir()
        loose.chmod(0o777)
        (data / ".env").symlink_to(written(loose / "real", "MONEY_MINDER_MODEL=builtin\n"))
        with pytest.raises(CommandError, match="others may write to"):
            read(data)

    def test_that_of_somebody_else_is_refused(self, data: Path, monkeypatch) -> None:
        written(data / ".env", "MONEY_MINDER_MODEL=builtin\n")
        os.chown(data / ".env", 4242, -1) if os.getuid() == 0 else monkeypatch.setattr(os, "getuid", lambda: 4242)
        with pytest.raises(CommandError, match="belongs to somebody else"):
            read(data)

    def test_one_that_is_no_text_is_refused_in_a_sentence(self, data: Path) -> None:
        (data / ".env").write_bytes(b"\xff\xfe\x00MONEY")
        with pytest.raises(CommandError, match="can't be read as a file of settings"):
            read(data)


class TestPaths:
    def test_those_of_the_file_begin_beside_it_wherever_one_stands(self, data: Path, monkeypatch) -> None:
        text = "MONEY_MINDER_EXTRA_TOOLS=mine.py, sub/more.py,package.tools\nMONEY_MINDER_DATABASE_URL=other.sqlite3\n"
        written(data / ".env", text)
        for folder in (data.parent, data, Path("/")):
            monkeypatch.chdir(folder)
            settings = read(data).settings
            assert settings.extra_tools == f"{data}/mine.py,{data}/sub/more.py,package.tools"
            assert settings.database_url == f"{data}/other.sqlite3"

    @pytest.mark.parametrize(
        "name", ["EXTRA_TOOLS=mine.py", "EXTRA_TOOLS=/a/b.py,./c.py", "DATABASE_URL=x.sqlite3", "DATA_DIR=x"]
    )
    def test_those_of_the_environment_are_whole_or_refused(self, data: Path, name: str) -> None:
        name, _, value = name.partition("=")
        with pytest.raises(CommandError, match=f"MONEY_MINDER_{name} must be a full path"):
            read(data, **{name: value})

    @pytest.mark.parametrize(("file", "folder"), [(0o666, 0o700), (0o602, 0o700), (0o600, 0o777)])
    def test_code_that_anybody_may_write_is_not_run(self, data: Path, file: int, folder: int) -> None:
        code = data / "code"
        code.mkdir()
        mine = written(code / "mine.py", "", file)
        code.chmod(folder)
        with pytest.raises(CommandError, match="I run no tools from"):
            read(data, EXTRA_TOOLS=str(mine))
        mine.chmod(0o644)
        code.chmod(0o1777 if folder == 0o777 else 0o755)
        assert read(data, EXTRA_TOOLS=str(mine)).settings.extra_tools == str(mine)

    def test_the_home_is_a_full_path(self, data: Path, monkeypatch) -> None:
        monkeypatch.setenv("HOME", str(data))
        assert read(data, EXTRA_TOOLS="~/mine.py").settings.extra_tools == f"{data}/mine.py"


class TestWhatCanNotBeUsed:
    @pytest.mark.parametrize(
        ("variable", "value", "says"),
        [
            ("MODEL", "gpt", "“gpt” is not builtin, auto, ollama:NAME or openai:NAME"),
            ("ROUTING", "fast", "“fast” is not auto, model or builtin"),
            ("NOW", "soon", "“soon” is not an ISO date or time"),
            ("NOW", "0001-01-01", "its year is not between 1970 and 2200"),
            ("NOW", "9999-12-31", "its year is not between"),
            ("MAX_ROUNDS", "99", "“99” is not at most 50"),
            ("MAX_ROUNDS", "1.5", "“1.5” is not a whole number"),
            ("TOOL_TIMEOUT", "0", "“0” is not more than 0"),
            ("TOOL_TIMEOUT", "soon", "“soon” is not a number"),
            ("WRITES", "maybe", "“maybe” is not true or false"),
            ("SLACK__PORT", "70000", "“70000” is not at most 65535"),
            ("SLACK__API_URL", "file:///etc/passwd", "begins with http:// or https://"),
            ("DISCORD__GATEWAY_URL", "http://x", "begins with ws:// or wss://"),
            ("DATABASE_URL", f"postgresql://me:{SECRET}@host:abc/money", "its port is not a number"),
            ("DATABASE_URL", f"mysql://me:{SECRET}@host/money", "begins with postgresql://"),
            ("QDRANT_URL", "localhost:6333", "begins with http:// or https://"),
            ("TOOL_SELECTION__CUSTOM", "x y", "package.module:Name"),
        ],
    )
    def test_a_sentence_names_the_variable_the_reason_and_what_is_allowed(self, data, variable, value, says) -> None:
        with pytest.raises(CommandError) as refused:
            read(data, **{variable: value})
        said = refused.value.message
        assert said.startswith(f"MONEY_MINDER_{variable} can't be used: ")
        assert says in said
        assert "\n" not in said
        assert SECRET not in said

    def test_a_group_that_is_set_as_a_whole_is_named(self, data: Path) -> None:
        with pytest.raises(CommandError, match=r"MONEY_MINDER_SLACK can't be used: .* MONEY_MINDER_SLACK__"):
            read(data, SLACK="yes")

    def test_an_option_is_named_as_it_was_typed(self, data: Path) -> None:
        with pytest.raises(CommandError, match=r"^--model can't be used"):
            read(data, options={"model": "gpt"})

    @pytest.mark.parametrize("variable", sorted(variables()))
    def test_a_slip_of_the_pen_in_any_name_is_told_with_the_right_one(self, data: Path, variable: str) -> None:
        name = variable.removeprefix(PREFIX)
        for slip in (name[:-1], f"{name}S", name[0] + name[2:] if len(name) > 4 else f"{name}X"):
            (doubt,) = read(data, **{slip: "1"}).doubts
            assert f"MONEY_MINDER_{slip} is not a setting; did you mean MONEY_MINDER_" in doubt

    def test_what_is_far_from_all_names_is_told_without_one(self, data: Path) -> None:
        (doubt,) = read(data, PONY="1").doubts
        assert doubt == "MONEY_MINDER_PONY is not a setting (set in the environment)."

    def test_every_setting_is_known_and_has_its_default(self, data: Path) -> None:
        assert read(data).doubts == ()
        assert variables()["MONEY_MINDER_SLACK__PORT"] == Settings().slack.port


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("postgresql://me:secret@host:5432/money?sslmode=x", "postgresql://host:5432/money"),
        ("http://127.0.0.1:6333", "http://127.0.0.1:6333"),
        ("/home/me/tools.py", "/home/me/tools.py"),
    ],
)
def test_a_server_is_shown_without_what_is_secret_in_its_address(value, seen) -> None:
    assert shown(value) == seen
