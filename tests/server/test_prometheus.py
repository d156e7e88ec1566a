"""Prometheus with the files of deploy/, at a server: panels and alarms have their figures."""

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
"""Panels that are empty as long as nothing goes wrong."""
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
        """Return whether it has asked often enough for what happens in a second."""
        try:
            return bool(self.query('count_over_time(up{job="slime-mind"}[1m]) > 2'))
        except httpx2.HTTPError:
            return False


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Deployed]:
    with deployed(Shell(tmp_path), ("serve", "--port", "0", "--workers", "1"), {}) as server:
        yield server


@pytest.fixture
def prometheus(server: Deployed, tmp_path: Path) -> Iterator[Prometheus]:
    config = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
    config["global"]["scrape_interval"] = config["global"]["evaluation_interval"] = "1s"
    config["rule_files"] = [str(DEPLOY / name) for name in config["rule_files"]]
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{server.port}"]
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
            httpx2.get(f"http://127.0.0.1:{server.port}{path}", timeout=PATIENCE_S)
        assert eventually(prometheus.has_asked), (tmp_path / "prometheus.log").read_text()
        yield prometheus


def test_the_files_and_the_figures_are_well_formed(server: Deployed) -> None:
    assert PROMTOOL is not None
    check = partial(subprocess.run, capture_output=True, text=True, check=False)
    done = check([PROMTOOL, "check", "config", DEPLOY / "prometheus.yml"])
    assert done.returncode == 0, done.stderr
    figures = httpx2.get(f"http://127.0.0.1:{server.port}/metrics", timeout=PATIENCE_S).text
    done = check([PROMTOOL, "check", "metrics"], input=figures)
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


def test_every_alarm_is_understood_and_none_is_raised(prometheus: Prometheus) -> None:
    def rules() -> list[Any]:
        return [one for group in prometheus.get("rules")["groups"] for one in group["rules"]]

    assert eventually(lambda: {one["health"] for one in rules()} == {"ok"}), rules()
    assert {one["name"]: one["state"] for one in rules()} == {
        one["name"]: "inactive" for one in rules()
    }
    table = (bootstrap.HOME / "docs" / "operating.md").read_text().partition("## Alarms")[2]
    rows = [line for line in table.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    assert len(rules()) == len(rows) - 1
