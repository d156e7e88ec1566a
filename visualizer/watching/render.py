"""How a match is to be shown, and whether there is a screen for it."""

import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


class Render(StrEnum):
    """The values of `--render`."""

    AUTO = "auto"
    """If there is a screen: a window, or a page in the browser where windows cannot be drawn."""
    WINDOW = "window"
    TERMINAL = "terminal"
    WEB = "web"
    """A page in the browser."""
    NONE = "none"


def why_no_screen(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> str:
    """Return why no window can open here; '' if one may."""
    if system in ("win32", "darwin") or any(map(environment.get, DISPLAYS)):
        return ""
    return f"there is no screen here ({' and '.join(DISPLAYS)} are not set)"


def why_no_library() -> str:
    """Return why windows cannot be drawn with this Python; '' if they can."""
    if find_spec("arcade") is not None:
        return ""
    import platform  # not above, where every command would wait for it

    from engine.support.extras import how_to_install

    if not has_wheels(sys.version_info[:2], sys.platform, platform.machine()):
        return "no window: arcade has wheels for Python 3.11 to 3.13 on x86-64 and Macs alone"
    return f"no window: arcade is not installed here ({how_to_install('window')})"


def has_wheels(python: tuple[int, ...], system: str, machine: str) -> bool:
    """Return whether arcade can be installed there, as pyproject.toml says."""
    return python < (3, 14) and (system == "darwin" or machine in ("x86_64", "AMD64"))


def can_serve() -> bool:
    """Return whether a match can be shown in a browser while it is played."""
    return find_spec("starlette") is not None
