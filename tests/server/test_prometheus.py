"""Prometheus with the files of deploy/, at a deployment: panels and alarms have their figures."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx2
import pytest

import bootstrap
from tests import needs
from tests.postgresql import PostgreSQL
from tests.prometheus import DEPLOY, Prometheus, asking
from tests.server.deployed import Deployed, deployed
from tests.shell import PATIENCE_S, Shell, eventually
from tests.soak.dashboard import Span, dashboard_page, panels

PROMTOOL = shutil.which("promtool")
MISHAPS = ("Faults of bots within 24 hours, by cause", "Errors of ours a second, by route")
"""Panels that are empty as long as nothing goes wrong: no bot has a fault, no answer is a 5xx."""
PROCESSES = 3
"""Two web processes and the dispatcher, as slime-mind.target has them."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    needs.program("prometheus", package="prometheus"),
    needs.program("promtool", package="prometheus"),
]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def env(postgresql: PostgreSQL) -> dict[str, str]:
    return {"SLIME_MIND_DATABASE": postgresql.new_url()}


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
    for path in ("/", "/ladders", "/no_such_page"):
        httpx2.get(f"http://127.0.0.1:{webs[0].port}{path}", timeout=PATIENCE_S)
    with asking([process.port for process in (*webs, dispatcher)], tmp_path) as prometheus:
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
    empty = {
        panel["title"]
        for panel in panels()
        for target in panel["targets"]
        if not prometheus.query(target["expr"])
    }
    assert empty == set(MISHAPS)


def test_the_picture_of_the_dashboard_has_every_panel(prometheus: Prometheus) -> None:
    page = dashboard_page(prometheus, Span(time.time() - 5, time.time()))
    sections = page.split("<section")[1:]
    for panel, section in zip(panels(), sections, strict=True):
        assert f"<h2>{panel['title']}</h2>" in section
        assert ("No data" in section) == (panel["title"] in MISHAPS)


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
