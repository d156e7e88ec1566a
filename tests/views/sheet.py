"""The contact sheet: all pictures on one HTML page, and the golden ones that are kept."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from benchmarks import chromium as browser
from benchmarks.display import WHAT_IS_MISSING, can_have_one, display
from engine.support.files import write_whole
from tests.views.matches import MATCHES
from tests.views.shots import (
    BOARDS,
    PAGES,
    PICTURES,
    PLAYED_BY_PEOPLE,
    TERMINALS,
    WINDOWS,
    View,
    as_html,
    letters,
    paint,
    shoot_board,
    shoot_page,
    shoot_window,
)

GOLDEN = Path(__file__).parent / "golden"
SMALL = 320
"""The longer side of a golden picture, pixels: fonts of another machine matter less."""
COLORS = 128
STYLE = """
body { margin: 2rem; background: #20242a; color: #e8edf3; font: 15px system-ui, sans-serif; }
h2 { margin: 3rem 0 1rem; } figure { display: inline-block; margin: 0 1rem 1rem 0; }
figure img { display: block; max-height: 560px; max-width: 100%; border: 1px solid #4a5460; }
figcaption { margin-bottom: .4rem; color: #b4bfcc; } nav a { color: #8fc1ff; margin-right: 1rem; }
pre { margin: 0; font: 14px/1.2 "DejaVu Sans Mono", monospace; border: 1px solid #4a5460; }
"""


def small(picture: Image.Image) -> Image.Image:
    """Return a picture as small as a golden one."""
    scale = SMALL / max(picture.size)
    size = round(picture.width * scale), round(picture.height * scale)
    return picture.convert("RGB").resize(size, Image.Resampling.BOX)


def golden_path(game: str, view: View) -> Path:
    """Return where a golden picture is kept; of a terminal, its letters."""
    return GOLDEN / f"{game}-{view}{'.txt' if view in TERMINALS else '.png'}"


def save_golden(game: str, view: View, picture: Image.Image) -> None:
    """Keep a picture as the golden one."""
    GOLDEN.mkdir(exist_ok=True)
    few = small(picture).quantize(COLORS, dither=Image.Dither.NONE)
    few.save(golden_path(game, view), optimize=True)


def difference(game: str, view: View, picture: Image.Image) -> float:
    """Return how far a picture is from the golden one, on average, of 255."""
    with Image.open(golden_path(game, view)) as saved:
        apart = ImageChops.difference(small(picture), saved.convert("RGB"))
    means: list[float] = ImageStat.Stat(apart).mean
    return max(means)


def filter_views(game: str, views: Sequence[View]) -> Sequence[View]:
    """Return those of a game: not all have a board for people."""
    return views if views != BOARDS or game in PLAYED_BY_PEOPLE else ()


def shots(
    folder: Path, say: Callable[[str], object], moments: Sequence[str]
) -> Iterator[tuple[str, View, Image.Image]]:
    """Yield all pictures that can be taken here; `say` is told what cannot, and why."""
    with ExitStack() as stack:
        takers: list[tuple[tuple[View, ...], Callable[[str, View], Image.Image]]] = []
        if browser.path() is None:
            say(f"needs {browser.WHAT_IS_MISSING}")
        else:
            chromium: Any = stack.enter_context(browser.chromium())
            takers.append((PAGES, partial(_page, chromium, folder)))
            takers.append((BOARDS, partial(_board, chromium, folder)))
        if can_have_one():
            stack.enter_context(_screen())
            takers.append((WINDOWS, shoot_window))
        else:
            say(f"needs {WHAT_IS_MISSING}")
        takers.append((PICTURES, paint))
        for game in MATCHES:
            for views, take in takers:
                for view in filter_views(game, views):
                    for moment in moments if views != BOARDS else ("",):
                        shown = view._replace(moment=moment)
                        yield game, shown, take(game, shown)


@contextmanager
def _screen() -> Iterator[None]:
    """Let DISPLAY name a screen, a virtual one where there is none."""
    with display() as name:
        before = os.environ.get("DISPLAY")
        os.environ["DISPLAY"] = name
        try:
            yield
        finally:
            if before is None:
                del os.environ["DISPLAY"]


def _page(chromium: Any, folder: Path, game: str, view: View) -> Image.Image:
    return shoot_page(chromium, game, view, folder)


def _board(chromium: Any, folder: Path, game: str, view: View) -> Image.Image:
    return shoot_board(chromium, game, view, folder)


def make_sheet(
    folder: Path, say: Callable[[str], object], *, renews: bool, moments: Sequence[str] = ("",)
) -> Path:
    """Write all pictures and the page that shows them; return the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    figures: dict[str, list[str]] = {game: [] for game in MATCHES}
    for game, view, picture in shots(folder, say, moments):
        path = folder / f"{game}-{view}.png"
        picture.save(path)
        figures[game].append(_figure(str(view), f'<img src="{path.name}" alt="{game} {view}">'))
        if renews and not view.moment:
            save_golden(game, view, picture)
    for game in MATCHES:
        for view in [view._replace(moment=moment) for view in TERMINALS for moment in moments]:
            canvas = letters(game, view)
            figures[game].append(_figure(str(view), as_html(canvas)))
            if renews and not view.moment:
                write_whole(golden_path(game, view), f"{canvas.text()}\n".encode())
    page = folder / "index.html"
    write_whole(page, _document(figures).encode())
    return page


def _figure(title: str, content: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{content}</figure>"


def _document(figures: dict[str, list[str]]) -> str:
    links = "".join(f'<a href="#{game}">{game}</a>' for game in figures)
    parts = "".join(
        f'<h2 id="{game}">{game}, turn {MATCHES[game].turn}</h2>{"".join(of_game)}'
        for game, of_game in figures.items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All views</title>'
        f"<style>{STYLE}</style></head><body><h1>All views</h1><nav>{links}</nav>{parts}"
        "</body></html>\n"
    )
