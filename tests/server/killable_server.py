"""A server that is started as it is typed, is killed, and begins again in the same folder."""

import os
import re
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import httpx2

from tests.shell import Shell, free_port


class KillableServer:
    """The command `serve` with a folder of results, at an address that it keeps."""

    def __init__(self, shell: Shell, out: Path, *words: str, user: Sequence[str] = ()) -> None:
        """`words`: further options; `user`: see `Shell.start`. It is started by `start`."""
        self.out = out
        self.base = f"http://127.0.0.1:{free_port()}"
        self.first_link = ""
        """With which the organizer joins."""
        self.kills = 0
        self._shell = shell
        self._words = words
        self._user = user
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it serves."""
        port = self.base.rpartition(":")[2]
        process = self._shell.start(
            *("serve", "--out", str(self.out), "--port", port, "--no-exhibitions"),
            *self._words,
            user=self._user,
        )
        assert process.stdout is not None
        for line in process.stdout:
            link = re.search(r"(/welcome/\S+)", line)
            self.first_link = link[1] if link else self.first_link
            if line.startswith("Ctrl-C"):
                break
        self._process = process
        assert process.poll() is None, process.stderr and process.stderr.read()

    def kill(self) -> None:
        """End it without a farewell."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.kills += 1

    def restart(self) -> None:
        """Kill it, and start it again."""
        self.kill()
        self.start()

    def close(self) -> None:
        """End it where it was started and was not killed since."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def browser(self) -> httpx2.Client:
        """Return somebody who has not signed in."""
        return httpx2.Client(
            base_url=self.base,
            follow_redirects=True,
            timeout=60,
            headers={"origin": self.base},
        )
