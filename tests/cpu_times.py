"""How much CPU time each test took, with the processes that it started and waited for.

`python3 -m tests --all --list-long` writes which took long into `long_tests.txt`: those are not in
the usual run, unless they catch a seeded fault. A file stands there as a whole where its tests
share what takes long: whichever came first would be the long one.
"""

import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

MIN_LISTED_S = 2
MIN_LONG_S = 0.1
"""CPU time of a long test, all cases of it together."""
LONG_TESTS = Path(__file__).with_name("long_tests.txt")
CPU_S = "cpu_s"


class CpuTimes:
    """A plugin of pytest: measures where tests run, and lists the most expensive at the end."""

    def __init__(self) -> None:
        self._before_s = read_cpu_s()
        self.by_test: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add what a phase of a test took, its fixtures included, to the report of that phase."""
        report = yield
        now_s = read_cpu_s()
        report.user_properties.append((CPU_S, now_s - self._before_s))
        self._before_s = now_s
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.by_test[report.nodeid] += sum(
            float(str(value)) for name, value in report.user_properties if name == CPU_S
        )

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        listed = [(s, test) for test, s in self.by_test.items() if s >= MIN_LISTED_S]
        if listed:
            terminalreporter.section(f"tests that took {MIN_LISTED_S} s of CPU time or more")
            for seconds, test in sorted(listed, reverse=True):
                terminalreporter.write_line(f"{seconds:6.1f} s {test}")
        if config.getoption("list_long"):
            self._write_long_tests()

    def _write_long_tests(self) -> None:
        total_s = defaultdict[str, float](float)
        for test, seconds in self.by_test.items():
            total_s[name_without_case(test)] += seconds
        long = {test for test, seconds in total_s.items() if seconds >= MIN_LONG_S}
        names = long | (read_long_tests() - total_s.keys())
        LONG_TESTS.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")


def read_long_tests() -> set[str]:
    return set(LONG_TESTS.read_text(encoding="utf-8").splitlines())


def name_without_case(node_id: str) -> str:
    return node_id.partition("[")[0]


def read_cpu_s() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])
