"""What of a page is too faint to be seen (WCAG 2.2, 1.4.3 and 1.4.11)."""

from pathlib import Path
from typing import Any

CONTRAST = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
THEMES = ("light", "dark")


def faint_parts(page: Any) -> list[str]:
    """Return texts below 4.5:1 (large ones 3:1), and rims and icons of controls below 3:1."""
    return list(page.evaluate(CONTRAST))


def faint_in_either_theme(page: Any, name: str, folder: Path) -> list[str]:
    """Return the same for both themes, with a picture of each in `folder`."""
    found: list[str] = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.screenshot(path=folder / f"{name}-{theme}.png")
        found += [f"{name}, {theme}: {words}" for words in faint_parts(page)]
    return found
