"""A Prometheus of our own, on loopback, with the files of deploy/."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import yaml

import bootstrap
from tests import needs
from tests.shell import PATIENCE_S, eventually, free_port

DEPLOY = bootstrap.HOME / "deploy"
PROGRAM = shutil.which("prometheus")


class Prometheus:
    """What asks processes for their figures, and is asked for them."""

    def __init__(self, port: int, processes: int) -> None:
        self._base = f"http://127.0.0.1:{port}/api/v1"
        self._processes = processes

    def get(self, path: str, **fields: str) -> Any:
        answer = httpx2.get(f"{self._base}/{path}", params=fields, timeout=PATIENCE_S)
        return answer.raise_for_status().json()["data"]

    def query(self, expression: str) -> list[Any]:
        found: list[Any] = self.get("query", query=expression)["result"]
        return found

    def query_range(self, expression: str, since: float, until: float, step_s: float) -> list[Any]:
        """Return each series of an expression, with its values at times in seconds since 1970."""
        span = {"start": str(since), "end": str(until), "step": str(step_s)}
        found: list[Any] = self.get("query_range", query=expression, **span)["result"]
        return found

    def has_asked(self) -> bool:
        """Return whether it has asked each process often enough for what happens in a second."""
        try:
            asked = self.query('count_over_time(up{job="slime-mind"}[1m]) > 2')
        except httpx2.HTTPError:
            return False
        return len(asked) == self._processes

    def rules(self) -> list[Any]:
        return [rule for group in self.get("rules")["groups"] for rule in group["rules"]]

    def raised_alarms(self) -> set[str]:
        """Return the alarms that hold, also those that wait for their time."""
        return {rule["name"] for rule in self.rules() if rule["state"] != "inactive"}


@contextmanager
def asking(ports: Sequence[int], folder: Path, every_s: int = 1) -> Iterator[Prometheus]:
    """Run a Prometheus that asks the processes at these ports; its files are in the folder."""
    if PROGRAM is None:
        needs.skip("prometheus (Debian's package prometheus)")
    config = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
    config["global"] |= {"scrape_interval": f"{every_s}s", "evaluation_interval": f"{every_s}s"}
    config["rule_files"] = [str(DEPLOY / name) for name in config["rule_files"]]
    targets = [f"127.0.0.1:{port}" for port in ports]
    config["scrape_configs"][0]["static_configs"][0]["targets"] = targets
    written, port, log = folder / "prometheus.yml", free_port(), folder / "prometheus.log"
    written.write_text(yaml.safe_dump(config))
    process = subprocess.Popen(
        [
            *(PROGRAM, f"--config.file={written}", f"--web.listen-address=127.0.0.1:{port}"),
            f"--storage.tsdb.path={folder / 'figures'}",
        ],
        stderr=log.open("wb"),
    )
    with ExitStack() as stack:
        stack.callback(process.wait)
        stack.callback(process.terminate)
        prometheus = Prometheus(port, len(ports))
        assert eventually(prometheus.has_asked), log.read_text()
        yield prometheus
