"""A viewer's end of the pipe to the process that plays the match (visualizer/viewer.py)."""

import _thread
import os
import shutil
import sys
import threading
import time
from contextlib import AbstractContextManager
from pathlib import Path

from visualizer.viewer import FAREWELL_S, LIVE, READY


class Parent(AbstractContextManager["Parent"]):
    """Who plays the match that we show. When it is gone, we end.

    To be used in a `with`: the folder of the two is removed at the end, whoever lives longer.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.live = folder / LIVE
        threading.Thread(target=self._listen, daemon=True).start()

    def __exit__(self, *error: object) -> None:
        self._remove_folder()

    def tell_ready(self) -> None:
        """All that is needed to show a match is there; it may begin."""
        (self._folder / READY).touch()

    def _listen(self) -> None:
        # By hand: who ends while another thread reads sys.stdin ends with a fatal error.
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as pipe:
            while pipe.read(1):
                pass
        _thread.interrupt_main()
        time.sleep(FAREWELL_S)  # but a library may hang and never hear it
        self._remove_folder()
        os._exit(1)

    def _remove_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
