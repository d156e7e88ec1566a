"""The processes that play matches for a server, and end with it."""

from pathlib import Path

from runners.execution.local_executor import Processes

NICENESS = 10
"""Matches leave the processor to the web and to people's games."""


class Ending(Exception):
    """The server ends, or somebody wants that nothing more is played."""


class EndingExecutor(Processes):
    """Processes that are not started again once they were ended."""

    def __init__(self, out: Path, workers: int) -> None:
        super().__init__(out, workers, niceness=NICENESS)
        self._is_ending = False

    def end_for_good(self) -> None:
        """End all processes at once; none is started any more."""
        self._is_ending = True
        self.terminate()

    def restart(self) -> None:
        """Raises: Ending."""
        if self._is_ending:
            raise Ending
        super().restart()
