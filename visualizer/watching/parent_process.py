"""The viewer's end of the pipe to the process that plays the match (viewer_process.py)."""

import _thread
import os
import shutil
import sys
import threading
import time
from contextlib import AbstractContextManager
from pathlib import Path

from visualizer.watching.viewer_process import FAREWELL_S, LIVE, READY


class Parent(AbstractContextManager["Parent"]):
    """The process that plays the match we show. When it ends, we end.

    To be used in a `with`: the folder of the two is removed at the end, whoever lives longer.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.live = folder / LIVE
        threading.Thread(target=self._listen, daemon=True).start()

    def __exit__(self, *error: object) -> None:
        self._remove_folder()

    def tell_ready(self, words: str = "") -> None:
        """Tell the parent that the viewer is ready, so that the match may begin.

        `words` are for whoever started it: where there is something to see, for one.
        """
        written = self._folder / f".{READY}"
        written.write_text(words, encoding="utf-8")
        written.replace(self._folder / READY)  # once it is there, all of it is

    def _listen(self) -> None:
        # Not sys.stdin: Python aborts if it exits while another thread holds its lock.
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as pipe:
            while pipe.read(1):
                pass
        _thread.interrupt_main()
        time.sleep(FAREWELL_S)  # a library that hangs in C code never sees the interrupt
        self._remove_folder()
        os._exit(1)

    def _remove_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
