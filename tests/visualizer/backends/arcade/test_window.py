"""A real window: what is seen, what keys and buttons do, and how it ends."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageChops

from engine.bot_output import Circle, Cross
from engine.replays.writing import NotesAside
from tests.visualizer import toy
from tests.visualizer.backends.arcade.timelines import Growing, a_model, a_replay, a_timeline
from visualizer.backends.arcade import NoWindow, open_window, show_in_window
from visualizer.backends.arcade.actions import ACTIONS, SWITCHES, WITHOUT_BUTTON, Action
from visualizer.backends.arcade.layout import MIN_SIZE
from visualizer.backends.arcade.window_model import Target, WindowModel
from visualizer.drawing.rect import Rect
from visualizer.drawing.shown_replays import ShownReplays
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Mark, middle_of_thing
from visualizer.scenes.slime_mind import SlimeMindScene
from visualizer.theme import ACCENT, BACKGROUND, LIGHT, rgb

if TYPE_CHECKING:
    from visualizer.backends.arcade.screen import Screen

pytestmark = pytest.mark.usefixtures("on_screen")
FRAME_S = 1 / 60
Opening = Callable[..., "Screen"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture
def opening(open_screen: Callable[[], "Screen"]) -> Opening:
    def open_one(*timelines: ReplayTimeline) -> "Screen":
        screen = open_screen()
        screen._enable_event_queue = False
        screen.show(a_model(*timelines))
        turn(screen)
        return screen

    return open_one


@pytest.fixture
def screen(opening: Opening, folder: Path) -> "Screen":
    """Return the screen of a match of 45 turns, at turn 20."""
    screen = opening(a_timeline(folder))
    screen.model.playback.seek_turn(20)
    turn(screen)
    return screen


def turn(screen: "Screen", seconds: float = FRAME_S) -> None:
    """A frame of the loop."""
    screen.switch_to()
    screen.dispatch_events()
    screen.dispatch_event("on_update", seconds)
    if not screen.closed:
        screen.dispatch_event("on_draw")
        screen.flip()


def picture(screen: "Screen") -> Image.Image:
    turn(screen)
    screen.switch_to()
    screen.dispatch_event("on_draw")
    return pixels(screen)


def pixels(screen: "Screen") -> Image.Image:
    """Return what is drawn, without drawing it anew."""
    import arcade

    return arcade.get_image(0, 0, *screen.get_framebuffer_size()).convert("RGB")


def differs(one: Image.Image, other: Image.Image, place: Rect | None = None) -> bool:
    """Return whether two pictures are not the same within a place."""
    difference = ImageChops.difference(one, other)
    if place is not None:
        difference = difference.crop(
            (int(place.x), int(place.y), int(place.right), int(place.bottom))
        )
    return difference.getbbox() is not None


def color_at(image: Image.Image, x: float, y: float) -> str:
    pixel: Any = image.getpixel((round(x), round(y)))
    return "#{:02x}{:02x}{:02x}".format(*pixel)


def press(screen: "Screen", key: str) -> None:
    """A key, named as in the table of actions."""
    import arcade

    shift, _, name = key.rpartition("+")
    modifiers = arcade.key.MOD_SHIFT if shift else 0
    screen.dispatch_event("on_key_press", getattr(arcade.key, name), modifiers)


def mouse(screen: "Screen", event: str, x: float, y: float, *more: float) -> None:
    """Move the mouse to a place counted from the upper left corner."""
    screen.dispatch_event(event, round(x), round(screen.height - y), *more)


def click(screen: "Screen", x: float, y: float) -> None:
    mouse(screen, "on_mouse_motion", x, y, 0, 0)
    mouse(screen, "on_mouse_press", x, y, 1, 0)
    mouse(screen, "on_mouse_release", x, y, 1, 0)


def window_state(model: WindowModel) -> tuple[object, ...]:
    playback = model.playback
    return (
        playback.time, playback.is_playing, playback.speed,
        model.is_help_open, model.is_full_screen, model.is_closing, model.selected,
        tuple(model.zooms), frozenset(model.hidden_groups), model.is_light,
        model.is_following, model.sounds.is_on,
    )  # fmt: skip


def test_it_draws_board_cards_and_playhead(screen: "Screen") -> None:
    image, layout, frame = picture(screen), screen.frame.layout, screen.frame
    for team, panel in enumerate(layout.team_panels[0], 1):
        assert color_at(image, panel.x + 2, panel.middle_y) == SlimeMindScene.team_color(team)
    assert color_at(image, frame.x_at(20), layout.timeline.middle_y) == ACCENT
    x, y = frame.fit(0).to_pixels(0.5, 0.5)
    assert color_at(image, x, y) != BACKGROUND


def test_every_piece_is_drawn_on_its_square(screen: "Screen") -> None:
    full = picture(screen)
    view = screen.model.views[0]
    things = dict(view.cursor.things)
    assert things
    view.cursor.things.clear()
    view.signs.clear()
    empty, fit = picture(screen), screen.frame.fit(0)
    for thing in things.values():
        x, y = fit.to_pixels(thing.x, thing.y)
        assert differs(full, empty, Rect(x - 3, y - 3, 6, 6)), thing


@pytest.mark.parametrize("mark", [Mark.STRIKE, Mark.DEATH, Mark.BIRTH, Mark.JOIN, Mark.FAULT])
def test_what_happened_in_the_last_step_is_drawn(screen: "Screen", mark: Mark) -> None:
    model = screen.model
    view = model.views[0]
    for position in range(1, view.timeline.steps):
        model.playback.seek(position)
        model.tick(FRAME_S)
        if any(timed.sign.mark is mark for timed in view.signs):
            break
    with_signs = picture(screen)
    [x, y] = screen.frame.fit(0).to_pixels(*view.signs[0].sign.at)
    view.signs.clear()
    assert differs(with_signs, picture(screen), Rect(x - 60, y - 60, 120, 120))


KEYS = [(action, key) for action in (*ACTIONS, SWITCHES[0]) for key in action.keys]


@pytest.mark.variants(5)
@pytest.mark.parametrize(("action", "key"), KEYS, ids=[key for _, key in KEYS])
def test_every_key_does_what_the_table_says(screen: "Screen", action: Action, key: str) -> None:
    model = screen.model
    model.playback.speed_up()
    model.zoom(2)
    model.select(Target(0, 1))
    model.views[0].timeline.notes.take(NotesAside(20, 1, 1, (Cross(1, 1),)))
    before = window_state(model)
    action.do(model)
    wanted = window_state(model)
    reset(model, before)

    press(screen, key)
    assert window_state(model) == wanted != before
    turn(screen)


def reset(model: WindowModel, state: tuple[object, ...]) -> None:
    time_, is_playing, speed, help_, full, closing, selected, zooms, hidden, light, *more = state
    model.playback.time, model.playback.is_playing = time_, is_playing  # type: ignore[assignment]
    while model.playback.speed > speed:  # type: ignore[operator]
        model.playback.slow_down()
    while model.playback.speed < speed:  # type: ignore[operator]
        model.playback.speed_up()
    model.is_help_open, model.is_full_screen = help_, full  # type: ignore[assignment]
    model.is_closing, model.selected = closing, selected  # type: ignore[assignment]
    model.zooms = list(zooms)  # type: ignore[call-overload]
    model.hidden_groups = set(hidden)  # type: ignore[call-overload]
    model.is_light = light  # type: ignore[assignment]
    model.is_following, model.sounds.is_on = more  # type: ignore[assignment]


BUTTONS = [action for action in ACTIONS if action not in WITHOUT_BUTTON]


@pytest.mark.variants(5)
@pytest.mark.parametrize("size", [None, MIN_SIZE], ids=["usual", "smallest"])
@pytest.mark.parametrize("action", BUTTONS, ids=lambda action: action.name)
def test_every_button_does_what_the_table_says(
    screen: "Screen", action: Action, size: tuple[int, int] | None
) -> None:
    model = screen.model
    if size is not None:
        resize(screen, *size)
    model.playback.speed_up()
    model.zoom(2)
    before = window_state(model)
    action.do(model)
    wanted = window_state(model)
    reset(model, before)

    [place] = [place for found, place in screen.frame.buttons() if found is action]
    click(screen, place.middle_x, place.middle_y)
    assert window_state(model) == wanted != before


def test_a_piece_that_is_followed_stays_in_the_middle(screen: "Screen") -> None:
    model, frame = screen.model, screen.frame
    view = model.views[0]
    place = frame.layout.boards[0]
    model.select(Target(0, 1))
    press(screen, "B")
    for position in range(view.cursor.position, view.cursor.position + 20):
        model.playback.seek(position)
        turn(screen)
    x, y = frame.fit(0).to_pixels(*view.place(1))
    saved = frame.fit(0).move_by(place.middle_x - x, place.middle_y - y).clamp_to(place)
    assert model.zooms[0].factor > 1
    assert (frame.fit(0).left, frame.fit(0).top) == pytest.approx((saved.left, saved.top), abs=1)
    press(screen, "ESCAPE")
    assert not model.is_following


def test_sounds_are_played_where_there_is_no_loudspeaker(screen: "Screen") -> None:
    press(screen, "S")
    assert screen.model.sounds.is_on
    screen.model.sounds.win()
    turn(screen)


def resize(screen: "Screen", width: int, height: int) -> None:
    screen.set_size(width, height)
    deadline = time.monotonic() + 5
    while screen.frame.layout.window[2:] != (width, height):
        assert time.monotonic() < deadline
        turn(screen)


def test_a_key_that_is_not_in_the_table_does_nothing(screen: "Screen") -> None:
    before = window_state(screen.model)
    press(screen, "X")
    assert window_state(screen.model) == before


def test_a_button_under_the_mouse_has_a_tooltip(screen: "Screen") -> None:
    before = picture(screen)
    place = screen.frame.buttons()[0][1]
    mouse(screen, "on_mouse_motion", place.middle_x, place.middle_y, 0, 0)
    assert differs(before, picture(screen), Rect(place.x, place.y - 40, 120, 30))


def test_the_timeline_is_dragged(screen: "Screen") -> None:
    timeline, model = screen.frame.layout.timeline, screen.model
    mouse(screen, "on_mouse_press", timeline.x + 5, timeline.middle_y, 1, 0)
    mouse(screen, "on_mouse_drag", screen.frame.x_at(30), 3, 5, 5, 1, 0)
    turn(screen)
    assert model.views[0].cursor.state.turn == pytest.approx(30, abs=1)


def test_a_clicked_piece_is_looked_into(screen: "Screen") -> None:
    before = picture(screen)
    thing_id, thing = next(iter(screen.model.views[0].cursor.things.items()))
    click(screen, *screen.frame.fit(0).to_pixels(thing.x, thing.y))
    assert screen.model.selected == Target(0, thing_id)
    sidebar = screen.frame.layout.sidebar
    assert sidebar is not None
    assert differs(before, picture(screen), sidebar)


def test_a_piece_without_a_history_leaves_the_room_below_it_to_the_last_step(
    screen: "Screen",
) -> None:
    things = screen.model.views[0].cursor.things
    thing_id = next(thing_id for thing_id, thing in things.items() if thing.kind == "rock")
    sidebar = screen.frame.layout.sidebar
    assert sidebar is not None
    below, _ = sidebar.cut_bottom(sidebar.height * 0.45)
    screen.model.select(Target(0, thing_id))
    turn(screen)
    before = picture(screen)
    screen.model.playback.step(1)
    turn(screen)
    assert screen.model.inspection is not None
    assert not screen.model.inspection.history
    assert differs(before, picture(screen), below)


def test_a_piece_under_the_mouse_is_named(screen: "Screen") -> None:
    before = picture(screen)
    thing = next(iter(screen.model.views[0].cursor.things.values()))
    x, y = screen.frame.fit(0).to_pixels(thing.x, thing.y)
    mouse(screen, "on_mouse_motion", x, y, 0, 0)
    assert differs(before, picture(screen), Rect(x + 16, y - 60, 60, 120))
    screen.dispatch_event("on_mouse_leave", 0, 0)
    assert not differs(before, picture(screen))


def test_the_help_covers_the_window(screen: "Screen") -> None:
    before = picture(screen)
    press(screen, "H")
    assert differs(before, picture(screen), screen.frame.layout.header)
    press(screen, "ESCAPE")
    assert not differs(before, picture(screen))


@pytest.mark.slow
@pytest.mark.parametrize("size", [MIN_SIZE, (1_000, 900), (1_920, 1_080), (3_840, 2_160)], ids=str)
def test_it_fills_a_window_of_any_size(screen: "Screen", size: tuple[int, int]) -> None:
    resize(screen, *size)
    image, layout = picture(screen), screen.frame.layout
    assert image.size == size
    places = {"board": layout.boards[0], "controls": layout.controls, "lanes": layout.lanes[0]}
    places |= {f"panel {team}": panel for team, panel in enumerate(layout.team_panels[0], 1)}
    blank = Image.new("RGB", size, BACKGROUND)
    assert [name for name, place in places.items() if not differs(image, blank, place)] == []


@pytest.mark.slow
def test_a_live_match_grows_while_it_is_watched(opening: Opening, tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    screen = opening(growing.timeline)
    model = screen.model
    model.playback.is_playing = True
    growing.write(20)
    for _ in range(5):
        turn(screen, 1.0)
    known = model.playback.time
    assert 0 < known < model.end
    growing.end()
    for _ in range(60):
        turn(screen, 1.0)
    assert model.playback.time == model.end == model.views[0].timeline.replay.last_turn
    assert not model.is_live


def test_two_films_are_side_by_side_and_tied(opening: Opening, folder: Path) -> None:
    screen = opening(a_timeline(folder), a_timeline(folder, seed=2))
    screen.model.playback.seek_turn(17)
    image = picture(screen)
    layout = screen.frame.layout
    for team_panels in layout.team_panels:
        for team, panel in enumerate(team_panels, 1):
            assert color_at(image, panel.x + 2, panel.middle_y) == SlimeMindScene.team_color(team)
    first, second = screen.model.views
    assert first.cursor.state.turn == second.cursor.state.turn == 17
    thing_id, thing = next(iter(second.cursor.things.items()))
    click(screen, *screen.frame.fit(1).to_pixels(thing.x, thing.y))
    assert screen.model.selected == Target(1, thing_id)


def test_a_game_that_the_window_does_not_know_is_watched_the_same_way(
    opening: Opening, race_timeline: Callable[..., ReplayTimeline]
) -> None:
    screen = opening(race_timeline(*toy.random_scripts(6, seed=3)))
    model = screen.model
    model.playback.seek_turn(6)
    image, frame = picture(screen), screen.frame
    for team, panel in enumerate(frame.layout.team_panels[0], 1):
        assert color_at(image, panel.x + 2, panel.middle_y) == toy.RaceScene.team_color(team)
    kinds = set()
    for thing in list(model.views[0].cursor.things.values()):
        kinds.add(thing.kind)
        if thing.kind != "taken":
            click(screen, *frame.fit(0).to_pixels(*middle_of_thing(thing)))
            assert model.selected is not None
            assert differs(image, picture(screen), frame.layout.sidebar)
    assert kinds == {"runner", "flag", "taken", "trophy"}


def test_a_cell_is_looked_into_through_what_lies_on_it(
    opening: Opening, smac_timeline: ReplayTimeline
) -> None:
    screen = opening(smac_timeline)
    model = screen.model
    model.playback.seek_turn(6)
    before, things = picture(screen), model.views[0].cursor.things
    stack = next(thing for thing in things.values() if thing.kind == "stack")
    click(screen, *screen.frame.fit(0).to_pixels(stack.x, stack.y))
    assert model.selected is not None
    cell = things[model.selected.thing_id]
    assert cell.kind == "cell"
    assert (int(stack.x), int(stack.y)) == (cell.x, cell.y)
    sidebar = screen.frame.layout.sidebar
    color = smac_timeline.scene.team_color(int(stack.facts[1]))
    assert sidebar is not None
    portrait = Rect(sidebar.x, sidebar.y, 80, 80)
    image = picture(screen)
    corners = [(portrait.x + x, portrait.y + y) for x in range(80) for y in range(80)]
    assert sum(color_at(image, x, y) == color for x, y in corners) > 50
    assert differs(before, picture(screen), portrait)


@pytest.mark.usefixtures("no_spare")
def test_more_pictures_than_the_atlas_holds_are_drawn_anew(screen: "Screen") -> None:
    before = picture(screen)
    for number in range(40):
        screen.atlas.region(("filler", number), lambda: Image.new("RGBA", (400, 400)))
    assert screen.atlas.generation > 0
    # Filtered from another place of the atlas, a pixel may be rounded another way.
    difference = ImageChops.difference(before, picture(screen)).convert("L")
    assert not any(difference.histogram()[2:])


@pytest.mark.usefixtures("no_spare")
def test_it_shows_until_it_is_closed(folder: Path) -> None:
    import arcade

    timeline = ReplayTimeline(a_timeline(folder).replay)
    seen = []

    def look(delta_time: float) -> None:
        screen: Any = arcade.get_window()
        seen.append(screen.model.playback.time)
        if len(seen) == 3:
            arcade.unschedule(look)
            screen.model.request_close()

    arcade.schedule(look, 0.1)
    shown = ShownReplays([timeline], [Sprites(timeline.replay.game.name)], turn=3)
    show_in_window(open_window(), shown)
    assert seen[0] >= 3
    assert seen == sorted(seen)


def test_without_a_screen_there_is_no_window(folder: Path) -> None:
    words = show_with({"DISPLAY": ""}, a_replay(folder))
    assert words.startswith("NoWindow there is no screen")


def test_without_open_gl_it_says_what_to_install(folder: Path) -> None:
    words = show_with({"MESA_GL_VERSION_OVERRIDE": "2.1"}, a_replay(folder))
    assert words.startswith("NoWindow there is no OpenGL 3.3")
    assert "apt install" in words


def test_where_arcade_cannot_be_imported_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "arcade", None)
    timeline = a_timeline(folder)
    shown = ShownReplays([timeline], [Sprites(timeline.replay.game.name)])
    with pytest.raises(NoWindow, match="apt install libgl1"):
        show_in_window(open_window(), shown)


PROGRAM = """
import sys
from pathlib import Path
from engine.errors import UsageError
from engine.replays.reading import Replay
from visualizer.model.timeline import ReplayTimeline
from visualizer.drawing.shown_replays import ShownReplays
from visualizer.drawing.sprites import Sprites
from visualizer.drawing.shown_replays import ShownReplays
from visualizer.backends.arcade import open_window, show_in_window
timeline = ReplayTimeline(Replay(Path(sys.argv[1])))
try:
    shown = ShownReplays([timeline], [Sprites(timeline.replay.game.name)])
    show_in_window(open_window(), shown)
except UsageError as error:
    print(type(error).__name__, error)
"""


def show_with(environment: dict[str, str], replay: Path) -> str:
    """Return what a process says that would show a replay."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(replay)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_board_close_up_stays_in_its_place(screen: "Screen") -> None:
    before = picture(screen)
    screen.model.zoom(3)
    turn(screen)
    closer = picture(screen)
    board = screen.frame.layout.boards[0]
    box = ImageChops.difference(before, closer).getbbox()
    assert box is not None
    assert board.x <= box[0]
    assert board.y <= box[1]
    assert box[2] <= board.right
    # The button that shows all of the board again is lit now, below it.
    [button] = [at for action, at in screen.frame.buttons() if action.name == "zoom_fit"]
    assert box[3] <= button.bottom
    screen.model.show_all()
    turn(screen)
    assert ImageChops.difference(before, picture(screen)).getbbox() is None


def test_a_key_changes_between_dark_and_light_and_the_board_stays(screen: "Screen") -> None:
    dark = picture(screen)
    press(screen, "T")
    light = picture(screen)
    board = screen.frame.layout.boards[0]
    assert color_at(dark, 3, dark.height - 3) == BACKGROUND
    assert color_at(light, 3, light.height - 3) == LIGHT[BACKGROUND]
    assert not differs(dark, light, board.inset(board.width / 4))
    press(screen, "T")
    assert not differs(dark, picture(screen))


def test_what_bots_drew_is_on_the_board_until_it_is_switched_off(screen: "Screen") -> None:
    without = picture(screen)
    view = screen.model.views[0]
    view.timeline.notes.take(NotesAside(20, 1, 1, (Circle(3, 2, 1, "#ff0000", "plan"),)))
    x, y = screen.frame.fit(0).to_pixels(4.5, 2.5)
    assert color_at(picture(screen), x, y) == "#ff0000"
    press(screen, "KEY_1")
    assert not differs(without, picture(screen), Rect(x - 9, y - 9, 18, 18))


def test_a_window_says_that_it_loads_before_it_shows_a_match(
    open_screen: Callable[[], "Screen"],
) -> None:
    screen = open_screen()
    screen.switch_to()
    screen._show_loading()  # one that another test has used is as it was opened
    colors = {color: count for count, color in pixels(screen).getcolors(1 << 20) or ()}
    assert max(colors, key=colors.__getitem__) == rgb(BACKGROUND)
    assert sum(color != rgb(BACKGROUND) for color in colors) > 20
