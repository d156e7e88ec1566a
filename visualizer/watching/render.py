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
    return (
        "no window: arcade is not installed here "
        "(its wheels are for Python 3.11 to 3.13 on x86-64 and Macs)"
    )
