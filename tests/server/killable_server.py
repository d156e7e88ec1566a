"""A server that is started as it is typed, is killed, and begins again in the same folder."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import httpx2

from tests.server.deployed import Deployed
from tests.shell import Shell, free_port


class KillableServer:
    """The command `serve` with a folder of results, at an address that it keeps."""

    def __init__(self, shell: Shell, out: Path, *parts: str, user: Sequence[str] = ()) -> None:
        """`parts`: further options; `user`: see `Shell.start`. It is started by `start`."""
        self.out = out
        self.base = f"http://127.0.0.1:{free_port()}"
        self.first_link = ""
        """With which the organizer joins."""
        self.kills = 0
        self._shell = shell
        self._words = parts
        self._user = user
        self._deployed: Deployed | None = None

    def start(self) -> None:
        """Start it, and wait until it serves."""
        port = self.base.rpartition(":")[2]
        process = self._shell.start(
            *("serve", "--out", str(self.out), "--port", port, "--no-exhibitions"),
            *self._words,
            user=self._user,
        )
        self._deployed = Deployed(process)
        links = re.findall(r"(/welcome/\S+)", "".join(self._deployed.lines))
        self.first_link = links[-1] if links else self.first_link

    def kill(self) -> None:
        """End it without a farewell."""
        assert self._deployed is not None
        self._deployed.kill()
        self.kills += 1

    def restart(self) -> None:
        """Kill it, and start it again."""
        self.kill()
        self.start()

    def close(self) -> None:
        """End it where it was started and was not killed since."""
        if self._deployed is not None:
            with suppress(ProcessLookupError):
                self._deployed.kill()

    def browser(self) -> httpx2.Client:
        """Return somebody who has not signed in."""
        return httpx2.Client(
            base_url=self.base, follow_redirects=True, timeout=60, headers={"origin": self.base}
        )
