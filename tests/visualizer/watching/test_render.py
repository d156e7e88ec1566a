"""Whether there is a screen."""

import pytest

from visualizer.watching.render import why_no_screen


@pytest.mark.parametrize(
    ("environment", "platform", "has_one"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "linux", False),
        ({}, "freebsd14", False),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_screen_is_what_the_system_speaks_of(
    environment: dict[str, str], platform: str, has_one: bool
) -> None:
    assert (why_no_screen(environment, platform) == "") is has_one


def test_what_is_missing_is_named() -> None:
    assert "DISPLAY and WAYLAND_DISPLAY" in why_no_screen({}, "linux")
