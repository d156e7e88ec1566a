"""The files of deploy/: they are well formed, name what there is, and their commands serve."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from click import Context

import bootstrap
from cli.main import cli
from tests import needs
from tests.postgresql import PASSWORD, running
from tests.prometheus import DEPLOY
from tests.server.deployed import deployed
from tests.shell import Shell, eventually

UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICE_KEYS = {
    *("image", "build", "user", "read_only", "cap_drop", "cap_add", "security_opt", "tmpfs"),
    *("restart", "environment", "secrets", "volumes", "depends_on", "command", "networks"),
    *("healthcheck", "ports", "ulimits", "mem_limit", "pids_limit"),
}
"""What the compose specification calls what our services set; a misspelt one is not among them."""
CHECK_KEYS = {"test", "interval", "timeout", "retries", "start_period"}
DURATION = re.compile(r"(\d+(h|m|s|ms|us))+")
FILES = 4_096
"""Descriptors with which a class finds room behind one address: see server/http/connections.py."""
HARDENED = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "RestrictSUIDSGID": "yes",
    "LockPersonality": "yes",
    "CapabilityBoundingSet": "",
    "SystemCallArchitectures": "native",
    "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    "UMask": "0077",
    "StateDirectoryMode": "0700",
    "ReadWritePaths": "/var/lib/slime-mind/results",
}
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
OURS = ("web1", "web2", "dispatcher")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return read


def test_the_compose_file_has_only_what_the_specification_knows(compose: dict[str, Any]) -> None:
    top = {key for key in compose if not key.startswith("x-")}
    assert top == {"name", "services", "networks", "volumes", "secrets"}
    for name, service in compose["services"].items():
        assert set(service) <= SERVICE_KEYS, name
        assert "image" in service
        assert all(isinstance(word, str) for word in service_command(service))
        check = service.get("healthcheck", {})
        assert set(check) <= CHECK_KEYS
        assert all(DURATION.fullmatch(check[key]) for key in ("interval", "timeout") if check)
        assert all(isinstance(value, str) for value in service.get("environment", {}).values())


def test_what_services_name_is_declared(compose: dict[str, Any]) -> None:
    assert compose["services"]
    for name, service in compose["services"].items():
        assert set(service.get("networks", ())) <= set(compose["networks"]), name
        assert set(service.get("secrets", ())) <= set(compose["secrets"]), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            if source.startswith("./"):
                assert (DEPLOY / source).exists(), volume
            else:
                assert source in compose["volumes"], volume
        for other, wanted in service.get("depends_on", {}).items():
            assert wanted == {"condition": "service_healthy"}
            assert "healthcheck" in compose["services"][other], f"{name} waits for {other}"


def test_our_containers_can_write_nothing_but_results_and_have_no_rights(
    compose: dict[str, Any],
) -> None:
    for name in OURS:
        service = compose["services"][name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert service["user"].split(":")[0] not in ("0", "root")
        assert "ports" not in service
        assert PASSWORD not in json.dumps(service)
        assert service["ulimits"]["nofile"] >= FILES
        assert {"mem_limit", "pids_limit"} <= set(service)
        assert service["command"][:2] == ["--sandbox", "strict"]
    assert compose["services"]["postgres"]["networks"] == ["back"]
    assert compose["networks"]["back"]["internal"] is True


@pytest.mark.slow
def test_workers_of_a_cluster_are_added_by_a_file_of_their_own(compose: dict[str, Any]) -> None:
    added: dict[str, Any] = yaml.safe_load((DEPLOY / "cluster.yaml").read_text())["services"]
    serving = service_command(added.pop("dispatcher"))
    address = serving[serving.index("--cluster") + 1]
    assert "--jobs" not in serving
    assert address == "tcp://scheduler:8786"
    assert address in service_command(added["worker"])
    for name, service in added.items():
        assert set(service) <= SERVICE_KEYS | {"entrypoint"}, name
        assert service["image"] == compose["services"]["dispatcher"]["image"]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert (service["networks"], service["entrypoint"]) == (["back"], ["dask"])
        done = subprocess.run(
            [sys.executable, "-m", "dask", service_command(service)[0], "--help"],
            capture_output=True,
            text=True,
            check=True,
        )
        for word in service_command(service):
            assert not word.startswith("--") or word.removeprefix("--no-") in done.stdout, word


def test_prometheus_is_added_by_a_file_of_its_own_and_may_ask(compose: dict[str, Any]) -> None:
    added: dict[str, Any] = yaml.safe_load((DEPLOY / "observed.yaml").read_text())
    (prometheus,) = added["services"].values()
    assert set(prometheus) <= SERVICE_KEYS
    assert set(prometheus["networks"]) == {"back", *added["networks"]}
    assert all(port.startswith("127.0.0.1:") for port in prometheus["ports"])
    for volume in prometheus["volumes"]:
        source = volume.partition(":")[0]
        assert source in added["volumes"] or (DEPLOY / source).exists()
    there, here = (
        yaml.safe_load((DEPLOY / name).read_text())
        for name in ("prometheus-containers.yml", "prometheus.yml")
    )
    (asked,) = there["scrape_configs"]
    assert asked["static_configs"] == [{"targets": [f"{name}:8000" for name in OURS]}]
    there["scrape_configs"] = here["scrape_configs"] = []
    assert there == here
    for name in OURS:
        service = compose["services"][name]
        assert f"--public-name {name}" in " ".join(service_command(service))
        found = service["environment"]
        for network, setting in (
            ("back", "SLIME_MIND_METRICS_FROM"),
            ("front", "FORWARDED_ALLOW_IPS"),
        ):
            (of,) = compose["networks"][network]["ipam"]["config"]
            assert found[setting] == of["subnet"]


def test_the_proxy_asks_the_web_processes_of_the_compose_file(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "Caddyfile").read_text()
    assert text.count("{") == text.count("}")
    (usual,) = re.findall(r"reverse_proxy \{\$ARENA_WEBS:(.*)\} \{", text)
    webs = [name for name in compose["services"] if name.startswith("web")]
    assert usual.split() == [f"{name}:8000" for name in webs]


def test_the_proxy_and_prometheus_ask_the_processes_of_the_systemd_target() -> None:
    systemd = DEPLOY / "systemd"
    webs = re.findall(r"slime-mind-web@(\d+)", (systemd / "slime-mind.target").read_text())
    dispatcher = (systemd / "slime-mind-dispatcher.service").read_text()
    ports = [*webs, *re.findall(r"--port (\d+)", dispatcher)]
    settings = (DEPLOY / "arena.env.example").read_text().splitlines()
    addresses = " ".join(f"127.0.0.1:{port}" for port in webs)
    assert f'ARENA_WEBS="{addresses}"' in settings
    (scraped,) = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())["scrape_configs"]
    assert scraped["static_configs"] == [{"targets": [f"127.0.0.1:{port}" for port in ports]}]


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_process_of_systemd_may_read_its_home(unit: Path) -> None:
    """libpq looks there for certificates, and gives up where it may not."""
    text = unit.read_text()
    assert "ProtectHome=yes" in text
    (state,) = re.findall(r"^StateDirectory=(\S+)", text, re.MULTILINE)
    assert re.search(rf"^Environment=.*\bHOME=/var/lib/{state}$", text, re.MULTILINE)


def read_settings(unit: Path) -> dict[str, str]:
    return dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_process_of_systemd_may_do_and_take_no_more_than_it_needs(unit: Path) -> None:
    settings = read_settings(unit)
    assert {name: settings.get(name) for name in HARDENED} == HARDENED
    assert {"MemoryMax", "TasksMax"} <= set(settings)
    assert int(settings["LimitNOFILE"]) >= FILES


def test_web_processes_and_dispatcher_are_users_of_their_own_in_one_group() -> None:
    web, dispatcher = (
        read_settings(DEPLOY / "systemd" / f"slime-mind-{name}.service")
        for name in ("web@", "dispatcher")
    )
    assert (web["User"], dispatcher["User"]) == ("slime-mind-web", "slime-mind-dispatcher")
    assert web["Group"] == dispatcher["Group"] == "slime-mind"
    assert web["StateDirectory"] != dispatcher["StateDirectory"]
    output = (bootstrap.HOME / "docs" / "operating.md").read_text()
    for user in (web["User"], dispatcher["User"]):
        assert f"useradd --system --gid {web['Group']} {user}\n" in output
    assert f"install -d -m 2770 -g {web['Group']} {web['ReadWritePaths']}\n" in output


def test_the_image_is_built_from_the_repository_and_runs_as_nobody_special() -> None:
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    assert "USER 10001" in lines
    scripts = re.findall(r"^(\S+) = ", section("[project.scripts]"), re.MULTILINE)
    assert f'ENTRYPOINT ["{scripts[0]}"]' in lines


def test_secrets_get_into_no_image_and_no_commit(compose: dict[str, Any]) -> None:
    folders = {Path(secret["file"]).parent for secret in compose["secrets"].values()}
    assert folders == {Path("secrets")}
    for name, line in ((".dockerignore", "deploy/secrets"), (".gitignore", "/deploy/secrets/")):
        assert line in (bootstrap.HOME / name).read_text().splitlines(), name


def section(heading: str) -> str:
    text = (bootstrap.HOME / "pyproject.toml").read_text()
    return text.partition(heading)[2].partition("\n[")[0]


def test_the_last_backup_of_each_day_of_the_week_stays(tmp_path: Path) -> None:
    unit = (DEPLOY / "systemd" / "slime-mind-backup.service").read_text()
    (written,) = re.findall(r"^ExecStart=.* admin backup (\S+)", unit, re.MULTILINE)
    (move,) = re.findall(r"^ExecStartPost=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    move = move.replace("$$", "$").replace("%%", "%")  # as systemd reads it
    assert "$(date -u +%u)" in move
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 10):
        (folder / Path(written).name).write_text(str(day))
        command = move.replace(str(Path(written).parent), str(folder))
        command = command.replace("$(date -u +%u)", str(1 + (day - 1) % 7))
        subprocess.run(["/bin/sh", "-c", command], check=True)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        **{f"{day}.zip": str(day) for day in range(3, 8)},
        "1.zip": "8",
        "2.zip": "9",
    }


@needs.program("systemd-analyze")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text().replace("/opt/slime-mind/bin/slime-mind-arena", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    output = [line for line in done.stderr.splitlines() if "slime-mind" in line]
    assert (done.returncode, output) == (0, []), done.stderr


def service_command(service: Mapping[str, Any]) -> list[str]:
    return list(service.get("command", ()))


def unit_commands() -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the command line of each service of systemd."""
    for unit in UNITS:
        for words in re.findall(r"^ExecStart=\S+ (.*)$", unit.read_text(), re.MULTILINE):
            yield unit.name, words.split()


def test_every_command_line_is_one_of_ours(compose: dict[str, Any]) -> None:
    lines = [(name, service_command(compose["services"][name])) for name in OURS]
    clustered = yaml.safe_load((DEPLOY / "cluster.yaml").read_text())["services"]["dispatcher"]
    lines.append(("dispatcher of a cluster", service_command(clustered)))
    for name, typed in [*lines, *unit_commands()]:
        begin = 2 * (typed[0] == "--sandbox")
        words = typed[begin:]
        assert typed[:begin] == (["--sandbox", "strict"] if words[0] == "serve" else []), name
        command = cli.get_command(Context(cli), words[0])
        assert command is not None, name
        if words[0] == "admin":
            command = command.get_command(Context(command), words[1])  # type: ignore[attr-defined]
            assert command is not None, name
        known = {option for group in (cli, command) for one in group.params for option in one.opts}
        assert {word for word in words if word.startswith("--")} <= known, name


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_processes_of_the_compose_file_serve_one_database_with_its_password_in_a_file(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    shell = Shell(tmp_path)
    passfile = tmp_path / "pgpass"
    with running() as server:
        passfile.write_text(f"127.0.0.1:{server.port}:*:slime:{PASSWORD}\n")
        passfile.chmod(0o600)
        name = server.new_url().rpartition("/")[2]
        url = f"postgresql+psycopg://slime@127.0.0.1:{server.port}/{name}?passfile={passfile}"
        env = {"SLIME_MIND_DATABASE": url}
        commands = {
            name: [
                word.replace("${ARENA_NAME:?such as arena.example.org}", "arena.test")
                for word in service_command(compose["services"][name])
            ]
            for name in OURS
        }
        workers = commands["dispatcher"].index("--jobs") + 1
        commands["dispatcher"][workers] = "1"
        with (
            deployed(shell, commands["web1"], env) as one,
            deployed(shell, commands["web2"], env) as two,
            deployed(shell, commands["dispatcher"], env) as three,
        ):
            for process in (one, two, three):
                answer = httpx2.get(f"http://127.0.0.1:{process.port}/healthz/ready", timeout=20)
                assert answer.json() == {"ok": True}
            for process, name in zip((one, two, three), OURS, strict=True):
                asked = {"host": f"{name}:{process.port}"}
                figures = f"http://127.0.0.1:{process.port}/metrics"
                assert httpx2.get(figures, headers=asked, timeout=20).status_code == 200
            proxied = {"host": "arena.test"}
            assert httpx2.get(f"http://127.0.0.1:{two.port}/", headers=proxied).status_code == 200
            assert eventually(
                lambda: (
                    'slime_mind_running{part="dispatcher"} 1.0'
                    in httpx2.get(f"http://127.0.0.1:{three.port}/metrics", timeout=20).text
                )
            )


def test_servers_install_what_is_locked_and_no_window() -> None:
    listed = (bootstrap.HOME / "requirements" / "server.txt").read_text(encoding="utf-8")
    names = set(re.findall(r"^([a-z0-9-]+)==", listed, re.MULTILINE))
    assert {"psycopg", "distributed", "hatchling", "starlette"} <= names
    assert not {"arcade", "pyglet", "pymunk"} & names
    for place in ("deploy/Containerfile", "docs/operating.md"):
        text = (bootstrap.HOME / place).read_text(encoding="utf-8")
        installed = re.findall(r"bin/pip install (.+?)(?: \\)?$", text, re.MULTILINE)
        assert [words.removeprefix("--no-cache-dir ") for words in installed] == [
            "--no-deps --require-hashes -r requirements/server.txt",
            "--no-deps --no-build-isolation .",
        ]
