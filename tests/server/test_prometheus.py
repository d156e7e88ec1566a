"""Prometheus with the files of deploy/, at a deployment: panels and alarms have their figures."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

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
MISHAPS = (
    "Faults of bots within 24 hours, by cause",
    "Errors of ours a second, by route",
    "Refusals for a limit an hour, by limit",
)
"""Panels that are empty as long as nothing goes wrong: no bot has a fault, no answer is a 5xx."""
PROCESSES = 3
"""Two web processes and the dispatcher, as slime-mind.target has them."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    needs.program("prometheus", package="prometheus"),
    needs.program("promtool", package="prometheus"),
]


class Deployment(NamedTuple):
    """Processes of one database, and the Prometheus that asks them."""

    webs: list[Deployed]
    dispatcher: Deployed
    prometheus: Prometheus


@contextmanager
def deployment(postgresql: PostgreSQL, folder: Path) -> Iterator[Deployment]:
    env = {"SLIME_MIND_DATABASE": postgresql.new_url()}
    serve, shell = ("serve", "--port", "0"), Shell(folder)
    with ExitStack() as stack:
        dispatcher = stack.enter_context(deployed(shell, (*serve, "--jobs", "1"), env))
        webs = [
            stack.enter_context(deployed(shell, (*serve, "--role", "web"), env))
            for _ in range(PROCESSES - 1)
        ]
        for path in ("/", "/contests", "/no_such_page"):
            httpx2.get(f"http://127.0.0.1:{webs[0].port}{path}", timeout=PATIENCE_S)
        ports = [process.port for process in (*webs, dispatcher)]
        yield Deployment(webs, dispatcher, stack.enter_context(asking(ports, folder)))


@pytest.fixture(name="running", scope="module")
def a_deployment(
    postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    """A deployment for tests that leave it as it was."""
    with deployment(postgresql, tmp_path_factory.mktemp("deployment")) as running:
        yield running


@pytest.fixture
def prometheus(running: Deployment) -> Prometheus:
    return running.prometheus


def test_the_files_and_the_figures_are_well_formed(running: Deployment) -> None:
    assert PROMTOOL is not None
    check = partial(subprocess.run, capture_output=True, text=True, check=False)
    done = check([PROMTOOL, "check", "config", DEPLOY / "prometheus.yml"])
    assert done.returncode == 0, done.stderr
    for process in (running.webs[0], running.dispatcher):
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
    assert prometheus.raised_alarms() == set()
    table = (bootstrap.HOME / "docs" / "operating.md").read_text().partition("## Alarms")[2]
    rows = [line for line in table.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    assert len(prometheus.rules()) == len(rows) - 1


def test_the_end_of_the_dispatcher_raises_its_alarm(postgresql: PostgreSQL, tmp_path: Path) -> None:
    with deployment(postgresql, tmp_path) as running:
        running.dispatcher.kill()
        prometheus = running.prometheus
        assert eventually(lambda: prometheus.raised_alarms() == {"ArenaPartEnded"}), (
            prometheus.rules()
        )
