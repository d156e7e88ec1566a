"""Firefox, where it is installed, by its own remote control: Marionette, JSON over a socket.

Playwright drives a Firefox of its own alone. What is sent are the commands of WebDriver.
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.shell import PATIENCE_S, eventually

PROGRAM = PACKAGE = "firefox-esr"
PORT = "MarionetteActivePort"
"""The file of a profile in which Firefox writes where it listens."""
PREFERENCES = {"marionette.port": 0, "ui.prefersReducedMotion": 1, "app.update.enabled": False}
SCREEN = {"width": 1280, "height": 900}
MIDDLE = """
const element = document.querySelector(arguments[0]);
element.scrollIntoView({ block: "nearest" });
const box = element.getBoundingClientRect();
return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
"""
ERRORS = """
const found = Services.console.getMessageArray().map((one) => {
  try {
    const error = one.QueryInterface(Ci.nsIScriptError);
    const isOurs = error.sourceName?.startsWith("http") && !(error.flags & error.warningFlag);
    return isOurs ? `${error.sourceName}:${error.lineNumber}: ${error.errorMessage}` : "";
  } catch {
    return ""; // of another kind: what is logged
  }
});
return found.filter(Boolean);
"""


class Firefox:
    """A window with one page."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._file = self._socket.makefile("rb")
        self._number = 0
        self._read()  # who is there
        self._do("WebDriver:NewSession", capabilities={})
        self._do("WebDriver:SetWindowRect", **SCREEN)

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def open(self, address: str) -> None:
        self._do("WebDriver:Navigate", url=address)

    def wait_for(self, selector: str) -> None:
        script = "return Boolean(document.querySelector(arguments[0]))"
        assert eventually(lambda: bool(self.script(script, selector))), selector

    def script(self, script: str, *arguments: object) -> Any:
        """Return what a script in the page returns."""
        return self._do("WebDriver:ExecuteScript", script=script, args=arguments)["value"]

    def click(self, selector: str) -> None:
        self._point([*self._at(selector), down(), up()])

    def drag(self, source: str, target: str) -> None:
        # What it is dragged to is looked for first: that may scroll the page.
        end, begin = self._at(target), self._at(source)
        self._point([*begin, down(), *end, up()])

    def type(self, text: str) -> None:
        """Type letters where the keyboard is."""
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        board = {"type": "key", "id": "keyboard", "actions": keys}
        self._do("WebDriver:PerformActions", actions=[board])

    def errors(self) -> list[str]:
        """Return what Firefox says of scripts and styles of pages that were open."""
        self._do("Marionette:SetContext", value="chrome")
        found: list[str] = self.script(ERRORS)
        self._do("Marionette:SetContext", value="content")
        return found

    def _at(self, selector: str) -> list[dict[str, Any]]:
        self.wait_for(selector)
        x, y = self.script(MIDDLE, selector)
        return [{"type": "pointerMove", "x": x, "y": y, "duration": 50}]

    def _point(self, steps: list[dict[str, Any]]) -> None:
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self._do("WebDriver:PerformActions", actions=[mouse])

    def _do(self, command: str, **parameters: object) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, number, error, result = self._read()
        assert (number, error) == (self._number, None), (command, error)
        return result

    def _read(self) -> Any:
        """Read a message: its length, a colon, and JSON."""
        length = b""
        while (letter := self._file.read(1)) not in (b":", b""):
            length += letter
        assert length, "Firefox has ended"
        return json.loads(self._file.read(int(length)))


def port_in(profile: Path) -> int:
    """Return where the Firefox of a profile listens; 0 before it does."""
    file = profile / PORT
    return int(file.read_text() or 0) if file.exists() else 0


def down() -> dict[str, Any]:
    return {"type": "pointerDown", "button": 0}


def up() -> dict[str, Any]:
    return {"type": "pointerUp", "button": 0}


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Run a Firefox without a window on the screen, with a profile of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        profile = Path(name)
        lines = [f'user_pref("{key}", {json.dumps(value)});' for key, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        parts = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
        process = subprocess.Popen(
            [shutil.which(PROGRAM) or PROGRAM, *parts, "--profile", name],
            env={**os.environ, "HOME": name},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert eventually(lambda: port_in(profile))
            browser = Firefox(port_in(profile))
            yield browser
            browser.close()
        finally:
            process.kill()
            process.wait()
