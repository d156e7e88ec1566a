"""Has the library behind numpy start threads, which it waits for though there are none."""

import ctypes
import pathlib

import numpy

from engine.games.slime_mind.player import BasePlayer

FOLDERS = (pathlib.Path(numpy.__file__).parent.with_name("numpy.libs"), pathlib.Path("/usr/lib"))
NAMES = ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads64_", "openblas_set_num_threads")
MATRIX = numpy.ones((300, 300))


class Player(BasePlayer):
    def decide(self, slime):
        for path in (path for folder in FOLDERS for path in folder.glob("**/*openblas*.so*")):
            library = ctypes.CDLL(str(path))
            for name in NAMES:
                if hasattr(library, name):
                    getattr(library, name)(4)
        return "UP" if (MATRIX @ MATRIX).any() else "DOWN"
