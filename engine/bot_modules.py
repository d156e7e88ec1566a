"""Load the modules of a bot's own files, in the process that runs the bot."""

import importlib
import importlib.util
import os
import sys
from importlib.abc import InspectLoader
from pathlib import Path
from types import ModuleType


def is_folder(entry: Path) -> bool:
    """Return whether a bot is a folder of files, by the path to load."""
    return entry.name == "__init__.py"


def is_own_module(module: ModuleType, entry: Path) -> bool:
    """Return whether a module was loaded from a bot's own files."""
    return is_own_file(getattr(module, "__file__", None) or "", entry)


def is_own_file(filename: str, entry: Path) -> bool:
    """Return whether a file belongs to a bot."""
    if is_folder(entry):
        return filename.startswith(f"{entry.parent}{os.sep}")
    return filename == str(entry)


class FreshCopies:
    """Makes a bot's module anew, with every other module of its own that it imports.

    For pieces that share a process and are to share nothing else. Standard modules stay shared.
    """

    def __init__(self, name: str) -> None:
        """`name` is the name of a bot's module, as it was loaded."""
        self._name = name
        self._top = name.partition(".")[0]
        spec = sys.modules[self._top].__spec__
        assert spec is not None
        assert spec.origin is not None
        assert isinstance(spec.loader, InspectLoader)
        self._spec = spec
        self._entry = Path(spec.origin)
        code = spec.loader.get_code(spec.name)
        assert code is not None
        self._code = code

    def make(self) -> None:
        """Put new ones into `sys.modules`. Whatever the module raises comes out."""
        for name in [name for name, module in sys.modules.items() if self._is_own(module)]:
            del sys.modules[name]
        module = importlib.util.module_from_spec(self._spec)
        sys.modules[self._top] = module
        exec(self._code, vars(module))
        importlib.import_module(self._name)

    def _is_own(self, module: ModuleType) -> bool:
        return is_own_module(module, self._entry)
