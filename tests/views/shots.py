"""Takes the pictures: a page in Chromium, a window on a screen, a PNG, and a terminal's letters."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PIL import Image

from server.games.game_storage import GameStorage
from server.site.application import Application
from tests.server.playing import first_move, game_service_on, nearest_food, no_orders, start_game
from tests.server.serving import serving_app
from tests.views.matches import MATCHES, load_timeline
from visualizer.backends.page import render_replay_page
from visualizer.backends.pillow.painter import Painter
from visualizer.backends.terminal.canvas import Canvas, CellStyle, Style
from visualizer.backends.terminal.colors import Abilities
from visualizer.backends.terminal.frame import Frames
from visualizer.backends.terminal.terminal_model import ReplayView, TerminalModel
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites

DESKTOP, PHONE = (1280, 720), (390, 844)
TERMINAL_SIZES = (80, 24), (120, 40), (200, 50)
THEMES = ("dark", "light")
FRAME_S = 1 / 60
SETTLING_MS = 150
CHOSEN = 18
"""Which of the squares that can be chosen is."""
PLAYED_BY_PEOPLE = ("smack", "smac", "slime_mind")
BOTS = {"smack": first_move, "smac": no_orders, "slime_mind": nearest_food}


class View(NamedTuple):
    """A way of watching: what shows a match, how large, and in which theme."""

    backend: str
    size: tuple[int, int]
    theme: str
    moment: str = ""
    """`begin` or `end`, if it is not the turn that golden pictures show."""

    def __str__(self) -> str:
        moment = self.moment and f"-{self.moment}"
        return "{}-{}x{}-{}{}".format(self.backend, *self.size, self.theme, moment)

    def turn(self, game: str) -> int:
        """Return the turn of a match that is shown."""
        turns = {"": MATCHES[game].turn, "begin": 1}
        return turns[self.moment] if self.moment != "end" else load_timeline(game).last_turn


PAGES = tuple(View("page", size, theme) for size in (DESKTOP, PHONE) for theme in THEMES)
WINDOWS = tuple(View("window", DESKTOP, theme) for theme in THEMES)
PICTURES = tuple(View("picture", size, "dark") for size in (DESKTOP, PHONE))
BOARDS = tuple(View("board", size, theme) for size in (DESKTOP, PHONE) for theme in THEMES)
"""Of people who play: their own games, begun just now."""
TERMINALS = tuple(View("terminal", size, "dark") for size in TERMINAL_SIZES)


@contextmanager
def open_page(chromium: Any, game: str, view: View, folder: Path) -> Iterator[Any]:
    """Open the page of a match at its turn, made in `folder`."""
    path = folder / f"{game}.html"
    if not path.exists():
        timeline = load_timeline(game)
        path.write_bytes(render_replay_page(timeline, Sprites(timeline.replay.game.name)))
    with browser_page(chromium, view) as page:
        page.goto(f"{path.as_uri()}#t={view.turn(game)}")
        page.wait_for_selector("body:not(.loading)")
        yield page


@contextmanager
def browser_page(chromium: Any, view: View) -> Iterator[Any]:
    """Yield an empty page of a size and theme, in which nothing moves."""
    width, height = view.size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme=view.theme,
        has_touch=view.size == PHONE,
        reduced_motion="reduce",
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def shoot_page(chromium: Any, game: str, view: View, folder: Path) -> Image.Image:
    """Return what a browser shows."""
    with open_page(chromium, game, view, folder) as page:
        return Image.open(BytesIO(settled_screenshot(page))).convert("RGB")


@contextmanager
def open_board(chromium: Any, game: str, view: View, folder: Path) -> Iterator[Any]:
    """Open the board on which somebody plays a bot, who has chosen a square."""
    with ExitStack() as stack:
        out = Path(stack.enter_context(TemporaryDirectory(dir=folder)))
        storage = stack.enter_context(closing(GameStorage(out / "games.sqlite")))
        service = game_service_on(storage, BOTS[game])
        game_id = start_game(service, game, "pb")
        make = partial(Application, service, out=out)
        url = stack.enter_context(serving_app(lambda address: make([address])))
        page = stack.enter_context(browser_page(chromium, view))
        page.goto(f"{url}/games/{game_id}?key={service.keys.new_key(game_id, (1,))}")
        page.locator("#tour").get_by_role("button", name="Skip").click()
        offered = page.locator(".movable, [role=gridcell].can")
        offered.first.wait_for(state="attached")
        offered.nth(CHOSEN % offered.count()).click()
        yield page


def shoot_board(chromium: Any, game: str, view: View, folder: Path) -> Image.Image:
    """Return what somebody sees who plays."""
    with open_board(chromium, game, view, folder) as page:
        page.mouse.move(0, 0)
        return Image.open(BytesIO(settled_screenshot(page))).convert("RGB")


def settled_screenshot(page: Any) -> bytes:
    """Return a screenshot of a page once nothing moves: pictures are decoded by and by."""
    before, now = b"", page.screenshot()
    while before != now:
        page.wait_for_timeout(SETTLING_MS)
        before, now = now, page.screenshot()
    return bytes(now)


def shoot_window(game: str, view: View) -> Image.Image:
    """Return what a window shows, on the display that DISPLAY names."""
    import arcade

    from visualizer.backends.arcade import open_window
    from visualizer.backends.arcade.replay_view import ReplayView as WindowView
    from visualizer.backends.arcade.window_model import WindowModel

    timeline = load_timeline(game)
    sprites = Sprites(timeline.replay.game.name)
    model = WindowModel([WindowView(timeline, sprites, timeline.replay.path.parent)])
    model.playback.pause()
    model.is_light = view.theme == "light"
    screen = open_window()
    try:
        screen._enable_event_queue = False
        screen.set_size(*view.size)
        screen.show(model)
        model.playback.seek_turn(view.turn(game))
        for _ in range(3):  # the size of a window comes back from the screen
            screen.switch_to()
            screen.dispatch_events()
            screen.dispatch_event("on_update", FRAME_S)
            screen.dispatch_event("on_draw")
            screen.flip()
        screen.dispatch_event("on_draw")
        return arcade.get_image(0, 0, *screen.get_framebuffer_size()).convert("RGB")
    finally:
        screen.close()


def paint(game: str, view: View) -> Image.Image:
    """Return a frame as replay.py exports it."""
    timeline = load_timeline(game)
    frame = FrameCursor(timeline)
    frame.go_to(timeline.turn_end(view.turn(game)))
    return Painter(timeline, Sprites(timeline.replay.game.name), view.size).paint(frame)


def letters(game: str, view: View) -> Canvas:
    """Return what a terminal shows."""
    timeline = load_timeline(game)
    model = TerminalModel([ReplayView(timeline, Sprites(timeline.replay.game.name))])
    model.playback.pause()
    model.playback.seek_turn(view.turn(game))
    model.tick(0, 1)
    return Frames(model, Abilities()).draw(*view.size)


def as_html(canvas: Canvas) -> str:
    """Return a terminal's picture as preformatted text."""
    lines = ("".join(_spans(row)) for row in canvas.rows)
    return f"<pre>{os.linesep.join(lines)}</pre>"


def _spans(row: list[tuple[str, CellStyle]]) -> Iterator[str]:
    for letter, (color, ground, style) in row:
        front, back = (ground, color) if style & Style.REVERSED else (color, ground)
        bold = ";font-weight:bold" if style & Style.BOLD else ""
        look = f"color:{front or 'inherit'};background:{back or 'inherit'}{bold}"
        yield f'<span style="{look}">{escape(letter)}</span>'
