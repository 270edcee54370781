"""What is in ``deploy/``: every setting in it exists, every path and port is one that the program has, and nothing runs as root."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bots.cli.configuration import ENV_FILE, configure, variables
from bots.cli.main import _build

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE, UNIT, CADDYFILE, EXAMPLE = (
    (DEPLOY / name).read_text(encoding="utf-8")
    for name in ("Containerfile", "money-minder.service", "Caddyfile", "env.example")
)
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DEFAULTS = variables()


def unit_lines(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def stage(number: int) -> str:
    return CONTAINERFILE.split("\nFROM ")[1:][number]


def set_in_image() -> dict[str, str]:
    return dict(re.findall(r"(MONEY_MINDER_\w+)=(\S+)", stage(-1)))


def without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MONEY_MINDER_")]:
        monkeypatch.delenv(name)


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(r"MONEY_MINDER_[A-Z_]+[A-Z]", path.read_text(encoding="utf-8")))
    assert named - {*DEFAULTS, ENV_FILE} == set()


def test_the_example_is_read_as_it_stands_and_with_every_line_switched_on(tmp_path, monkeypatch) -> None:
    without_settings(monkeypatch)
    tmp_path.chmod(0o700)
    for text in (EXAMPLE, re.sub(r"^#(?=MONEY_MINDER_)", "", EXAMPLE, flags=re.MULTILINE)):
        file = tmp_path / "settings"
        file.write_text(text)
        file.chmod(0o600)
        configuration = configure({}, str(file))
        assert configuration.doubts == ()
        assert len(configuration.sources) == len(re.findall(r"^MONEY_MINDER_", text, re.MULTILINE))
    assert str(configuration.settings.slack.port) == str(DEFAULTS["MONEY_MINDER_SLACK__PORT"])


class TestImage:
    def test_it_runs_as_nobody_in_particular(self) -> None:
        (user,) = re.findall(r"^USER (.+)$", stage(-1), re.MULTILINE)
        assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user), "a number: what starts it can see that it is not root"
        assert stage(-1).rindex("USER ") > stage(-1).rindex("RUN "), "nothing is done as root afterwards"
        assert f"chown {user} /data" in stage(-1)

    def test_what_it_starts_are_our_commands(self) -> None:
        commands = set(_build()._subparsers._group_actions[0].choices)  # type: ignore[union-attr]
        started = re.findall(r'CMD \["(?:money-minder", ")?([a-z]+)"\]', CONTAINERFILE)
        assert set(started) == {"run", "health"}
        assert set(started) <= commands
        assert 'ENTRYPOINT ["money-minder"]' in CONTAINERFILE

    def test_its_settings_can_be_used(self, monkeypatch) -> None:
        without_settings(monkeypatch)
        for name, value in set_in_image().items():
            monkeypatch.setenv(name, value)
        settings = configure({}).settings
        assert str(settings.data_dir) == "/data"
        assert settings.status_address is not None
        assert settings.status_address.host == "127.0.0.1", "what it tells is for its own container"

    def test_it_is_built_from_the_lock_with_hashes_on_a_base_of_choice(self) -> None:
        assert '--require-hashes -r "${LOCK}"' in CONTAINERFILE
        assert re.search(r"^ARG LOCK=requirements\.lock$", CONTAINERFILE, re.MULTILINE)
        assert re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE) == ["${BASE}", "${BASE}"]
        assert re.search(r"^ARG BASE=\S+:\S+$", CONTAINERFILE, re.MULTILINE)

    def test_it_gets_every_file_that_it_copies_and_little_else(self) -> None:
        copied = {
            name
            for names in re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINERFILE, re.MULTILINE)
            for name in names.split()
        }
        let_in = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
        assert {name.partition("/")[0] for name in copied} == let_in
        assert all((ROOT / name).exists() for name in copied)
        packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"evals", "tests"}
        assert packages <= copied

    def test_hadolint_finds_nothing(self) -> None:
        found = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
        if found is None:
            pytest.skip("hadolint is not installed")
        told = subprocess.run([found, str(DEPLOY / "Containerfile")], capture_output=True, text=True, check=False)
        assert (told.stdout, told.returncode) == ("", 0)

    def test_it_starts(self) -> None:
        """The image that MONEY_MINDER_TEST_IMAGE names, built beforehand, in a container of buildah's."""
        image = os.environ.get("MONEY_MINDER_TEST_IMAGE")
        if not image or shutil.which("buildah") is None:
            pytest.skip("buildah is not installed, or MONEY_MINDER_TEST_IMAGE names no image")

        def buildah(*arguments: str) -> str:
            command = ["buildah", *arguments]
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout.strip()

        container = buildah("from", "--pull-never", image)
        try:
            inside = ("run", "--isolation", "chroot", container, "--")
            assert buildah(*inside, "id", "-u") == "10001"
            assert json.loads(buildah(*inside, "money-minder", "doctor", "--json"))["ok"]
            assert buildah(*inside, "money-minder", "period", "October 2026") == "2026-10-01 to 2026-10-31"
        finally:
            buildah("rm", container)


class TestCompose:
    @pytest.mark.parametrize("name", SERVICES)
    def test_no_service_may_more_than_it_needs(self, name: str) -> None:
        service = SERVICES[name]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in service
        assert service.get("cap_add", []) in ([], ["NET_BIND_SERVICE"])
        assert not any("docker.sock" in str(each) for each in service.get("volumes", []))

    def test_the_bot_alone_needs_no_profile(self) -> None:
        profiles = {name: service.get("profiles") for name, service in SERVICES.items()}
        assert profiles == {
            "bot": None,
            "worker": ["workers"],
            "postgres": ["postgres"],
            "qdrant": ["qdrant"],
            "ollama": ["ollama"],
            "caddy": ["ingress"],
        }

    def test_the_bot_writes_to_its_volume_alone(self) -> None:
        bot = SERVICES["bot"]
        assert bot["read_only"]
        assert bot["volumes"] == [f"data:{set_in_image()['MONEY_MINDER_DATA_DIR']}"]
        assert (DEPLOY / bot["build"]["context"] / bot["build"]["dockerfile"]).resolve() == DEPLOY / "Containerfile"

    def test_only_caddy_can_be_reached_from_outside(self) -> None:
        assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
            "caddy": ["80:80", "443:443"]
        }
        assert COMPOSE["networks"]["inside"] == {"internal": True}
        assert all(SERVICES[name]["networks"] == ["inside"] for name in ("postgres", "qdrant"))

    def test_ports_and_names_match(self) -> None:
        """What the example says of a service is where compose has it, and Caddy asks where the bot listens."""
        for variable, service in (("OLLAMA_URL", "ollama"), ("DATABASE_URL", "postgres"), ("QDRANT_URL", "qdrant")):
            (url,) = re.findall(rf"^#MONEY_MINDER_{variable}=(\S+)$", EXAMPLE, re.MULTILINE)
            assert re.search(rf"[/@]{service}(:\d+)?(/|$)", url), url
            assert service in SERVICES
        port = DEFAULTS["MONEY_MINDER_SLACK__PORT"]
        assert SERVICES["caddy"]["environment"]["BOT"] == f"bot:{port}"
        assert f"{{$BOT:127.0.0.1:{port}}}" in CADDYFILE
        assert DEFAULTS["MONEY_MINDER_OLLAMA_URL"].endswith(":11434")

    def test_every_volume_and_network_is_declared(self) -> None:
        for service in SERVICES.values():
            named = [each.partition(":")[0] for each in service.get("volumes", []) if not each.startswith(".")]
            assert set(named) <= COMPOSE["volumes"].keys()
            assert set(service["networks"]) <= COMPOSE["networks"].keys()


class TestIngress:
    def test_one_path_goes_through(self) -> None:
        from bots.slack_app import transport

        paths = re.findall(r"^\s+path (\S+)$", CADDYFILE, re.MULTILINE)
        assert paths == ["/slack/events"]
        assert f'add_post("{paths[0]}"' in Path(transport.__file__).read_text(encoding="utf-8")
        assert "respond 404" in CADDYFILE

    def test_a_body_may_be_as_long_as_the_bot_takes(self) -> None:
        from bots.slack_app.requests import MOST_BODY_BYTES

        assert re.findall(r"max_size (\d+)MiB", CADDYFILE) == [str(MOST_BODY_BYTES // 2**20)]

    def test_caddy_takes_it(self) -> None:
        if shutil.which("caddy") is None:
            pytest.skip("caddy is not installed")
        told = subprocess.run(
            ["caddy", "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (told.returncode, "warn" in told.stderr) == (0, False), told.stderr


class TestUnit:
    def test_it_runs_as_a_user_of_its_own_in_a_read_only_system(self) -> None:
        assert "User=root" not in UNIT
        for line in ("DynamicUser=yes", "ProtectSystem=strict", "ProtectHome=yes", "NoNewPrivileges=yes"):
            assert line in UNIT.splitlines()
        assert unit_lines("CapabilityBoundingSet") == [""]
        assert "ReadWritePaths" not in UNIT

    def test_it_writes_where_the_bot_keeps_its_data(self) -> None:
        settings = dict(re.findall(r"^Environment=(MONEY_MINDER_\w+)=(\S+)$", UNIT, re.MULTILINE))
        assert settings["MONEY_MINDER_DATA_DIR"] == f"/var/lib/{unit_lines('StateDirectory')[0]}"
        assert settings["MONEY_MINDER_STATUS_ADDRESS"] == set_in_image()["MONEY_MINDER_STATUS_ADDRESS"]

    def test_what_no_restart_mends_is_not_restarted(self) -> None:
        from bots.serving import LOST

        assert unit_lines("RestartPreventExitStatus") == [str(LOST)]

    def test_whoever_stops_it_waits_until_it_is_done(self) -> None:
        from bots.serving import _DRAIN_SECONDS

        waits = [*unit_lines("TimeoutStopSec"), SERVICES["bot"]["stop_grace_period"]]
        assert all(float(each.removesuffix("s")) > _DRAIN_SECONDS + 2 for each in waits)

    def test_systemd_takes_it_and_finds_little_to_blame(self, tmp_path: Path) -> None:
        analyze = shutil.which("systemd-analyze")
        if analyze is None:
            pytest.skip("systemd-analyze is not installed")
        there = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", UNIT, flags=re.MULTILINE)
        unit = tmp_path / "money-minder.service"
        unit.write_text(there)
        verified = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
        assert [line for line in verified.stderr.splitlines() if unit.name in line] == []
        rated = subprocess.run(
            [analyze, "security", "--offline=true", "--no-pager", "--threshold=20", str(unit)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert rated.returncode == 0, rated.stdout[-200:] + rated.stderr
