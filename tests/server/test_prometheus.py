"""Prometheus with the files of deploy/, at a deployment: panels and alarms have their figures."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

import bootstrap
from tests.server.deployed import Deployed, deployed
from tests.shell import PATIENCE_S, Shell, eventually, free_port

DEPLOY = bootstrap.HOME / "deploy"
PROMETHEUS, PROMTOOL = shutil.which("prometheus"), shutil.which("promtool")
MISHAPS = ("Faults of bots within 24 hours, by cause", "Errors of ours a second, by route")
"""Panels that are empty as long as nothing goes wrong: no bot has a fault, no answer is a 5xx."""
PROCESSES = 3
"""Two web processes and the dispatcher, as slime-mind.target has them."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    pytest.mark.skipif(
        not (PROMETHEUS and PROMTOOL), reason="needs Prometheus (Debian's package prometheus)"
    ),
]


class Prometheus:
    """What asks a server for its figures, and is asked for them."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}/api/v1"

    def get(self, path: str, **fields: str) -> Any:
        answer = httpx2.get(f"{self._base}/{path}", params=fields, timeout=PATIENCE_S).json()
        assert answer["status"] == "success", (fields, answer)
        return answer["data"]

    def query(self, expression: str) -> list[Any]:
        found: list[Any] = self.get("query", query=expression)["result"]
        return found

    def has_asked(self) -> bool:
        """Return whether it has asked each often enough for what happens in a second."""
        try:
            return len(self.query('count_over_time(up{job="slime-mind"}[1m]) > 2')) == PROCESSES
        except httpx2.HTTPError:
            return False

    def rules(self) -> list[Any]:
        return [rule for group in self.get("rules")["groups"] for rule in group["rules"]]

    def raised(self) -> set[str]:
        """Return the alarms that hold, also those that wait for their time."""
        return {rule["name"] for rule in self.rules() if rule["state"] != "inactive"}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"SLIME_MIND_DATABASE": f"sqlite:///{tmp_path / 'arena.sqlite'}"}


@pytest.fixture
def dispatcher(shell: Shell, env: dict[str, str]) -> Iterator[Deployed]:
    with deployed(shell, ("serve", "--port", "0", "--workers", "1"), env) as dispatcher:
        yield dispatcher


@pytest.fixture
def webs(shell: Shell, env: dict[str, str], dispatcher: Deployed) -> Iterator[list[Deployed]]:
    words = ("serve", "--port", "0", "--role", "web")
    with ExitStack() as stack:
        yield [stack.enter_context(deployed(shell, words, env)) for _ in range(PROCESSES - 1)]


@pytest.fixture
def prometheus(webs: list[Deployed], dispatcher: Deployed, tmp_path: Path) -> Iterator[Prometheus]:
    config = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
    config["global"]["scrape_interval"] = config["global"]["evaluation_interval"] = "1s"
    config["rule_files"] = [str(DEPLOY / name) for name in config["rule_files"]]
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [
        f"127.0.0.1:{process.port}" for process in (*webs, dispatcher)
    ]
    written, port = tmp_path / "prometheus.yml", free_port()
    written.write_text(yaml.safe_dump(config))
    assert PROMETHEUS is not None
    process = subprocess.Popen(
        [
            *(PROMETHEUS, f"--config.file={written}", f"--web.listen-address=127.0.0.1:{port}"),
            f"--storage.tsdb.path={tmp_path / 'figures'}",
        ],
        stderr=(tmp_path / "prometheus.log").open("wb"),
    )
    with ExitStack() as stack:
        stack.callback(process.wait)
        stack.callback(process.terminate)
        prometheus = Prometheus(port)
        for path in ("/", "/ladders", "/no_such_page"):
            httpx2.get(f"http://127.0.0.1:{webs[0].port}{path}", timeout=PATIENCE_S)
        assert eventually(prometheus.has_asked), (tmp_path / "prometheus.log").read_text()
        yield prometheus


def test_the_files_and_the_figures_are_well_formed(
    webs: list[Deployed], dispatcher: Deployed
) -> None:
    assert PROMTOOL is not None
    check = partial(subprocess.run, capture_output=True, text=True, check=False)
    done = check([PROMTOOL, "check", "config", DEPLOY / "prometheus.yml"])
    assert done.returncode == 0, done.stderr
    for process in (webs[0], dispatcher):
        url = f"http://127.0.0.1:{process.port}/metrics"
        done = check([PROMTOOL, "check", "metrics"], input=httpx2.get(url, timeout=PATIENCE_S).text)
        assert (done.returncode, done.stderr) == (0, "")


def test_every_panel_has_something_to_show(prometheus: Prometheus) -> None:
    panels = json.loads((DEPLOY / "grafana-dashboard.json").read_text())["panels"]
    empty = {
        panel["title"]
        for panel in panels
        for target in panel["targets"]
        if not prometheus.query(target["expr"])
    }
    assert empty == set(MISHAPS)


def test_only_the_dispatcher_has_parts_and_workers(prometheus: Prometheus) -> None:
    assert len(prometheus.query('up{job="slime-mind"} == 1')) == PROCESSES
    assert len(prometheus.query("count by (instance) (slime_mind_running)")) == 1
    assert len(prometheus.query("sum(slime_mind_workers) == 1")) == 1


def test_every_alarm_is_understood_and_none_is_raised(prometheus: Prometheus) -> None:
    def health() -> set[str]:
        return {rule["health"] for rule in prometheus.rules()}

    assert eventually(lambda: health() == {"ok"}), prometheus.rules()
    assert prometheus.raised() == set()
    table = (bootstrap.HOME / "docs" / "operating.md").read_text().partition("## Alarms")[2]
    rows = [line for line in table.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    assert len(prometheus.rules()) == len(rows) - 1


def test_the_end_of_the_dispatcher_raises_its_alarm(
    prometheus: Prometheus, dispatcher: Deployed
) -> None:
    dispatcher.kill()
    assert eventually(lambda: prometheus.raised() == {"ArenaPartEnded"}), prometheus.rules()
