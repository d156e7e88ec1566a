"""How a match is to be shown, and whether there is a screen for it."""

import os
import sys
from collections.abc import Mapping
from enum import StrEnum

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


class Render(StrEnum):
    """The values of `--render`."""

    AUTO = "auto"
    """A window if there is a screen."""
    WINDOW = "window"
    TERMINAL = "terminal"
    WEB = "web"
    """A page in the browser, of a match that is being played."""
    NONE = "none"


def why_no_screen(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Return why no window can open here; '' if one may."""
    if platform in ("win32", "darwin") or any(map(environment.get, DISPLAYS)):
        return ""
    return f"there is no screen here ({' and '.join(DISPLAYS)} are not set)"
