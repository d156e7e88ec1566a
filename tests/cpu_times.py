"""How much CPU time each test took, with the processes that it started and waited for."""

import os
from collections import defaultdict
from collections.abc import Generator

import pytest

MIN_LISTED_S = 2
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

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        listed = [(s, test) for test, s in self.by_test.items() if s >= MIN_LISTED_S]
        if listed:
            terminalreporter.section(f"tests that took {MIN_LISTED_S} s of CPU time or more")
            for seconds, test in sorted(listed, reverse=True):
                terminalreporter.write_line(f"{seconds:6.1f} s {test}")


def read_cpu_s() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])
