"""A page in a real browser: what one sees of a match, and what one can do."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bot_output import Circle, Cross, Line, Note, Rectangle, Words
from engine.catalog import find_game
from engine.replays.reading import Replay
from engine.replays.writing import NotesAside
from tests.engine.recorded import read_lines, write
from tests.views.matches import MATCHES, load_timeline
from tests.visualizer import toy
from tests.visualizer.backends.page.browser import OpenPage
from tests.visualizer.backends.page.conftest import Open
from tests.visualizer.conftest import MakeTimeline, random_timeline
from tests.visualizer.timelines import read_timeline
from visualizer.backends.page import render_replay_page
from visualizer.backends.page.document import page_html
from visualizer.drawing.measures import MIN_WHOLE_BOARD_SCALE
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.narration import Narrator
from visualizer.model.sounds import BITE, SPLIT, WIN
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline, Trails
from visualizer.theme import rgb

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
BOXES = """(selector) => [...document.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
EVERY_PAINT = """
window.painted = [];
function look() {
    const [width, height] = [innerWidth, innerHeight];
    requestAnimationFrame(look);
    // What this frame paints is as it is when the next task begins.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
        const board = document.getElementById('board');
        if (board === null || document.body.classList.contains('loading')) return;
        if (innerWidth !== width || innerHeight !== height) return;  // it is not painted yet
        const [wide, high] = [board.clientWidth, board.clientHeight];
        window.painted.push([board.width / wide, board.height / high]);
    };
    channel.port2.postMessage(null);
}
requestAnimationFrame(look);
"""
"""How many pixels of the picture fell on one of the screen, across and down."""
HOSTILE = "<script>alert(1)</script>"
BREAKOUT = "</script><img src=x onerror=alert(2)>"


BLANK = """() => viewer.legend.entries.filter(({ board: { ctx, canvas } }) => {
    const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size < 2;
}).length"""
"""Counts the samples of the legend that have one color alone."""
TO_READ = "#match details:not(#result)"
"""What may be read after the match."""


@pytest.fixture
def page(timeline: ReplayTimeline, open_page: Open) -> OpenPage:
    """Open the page at desktop size, at the beginning."""
    return open_page(timeline)


def test_it_says_who_played_and_what_came_out(page: OpenPage, timeline: ReplayTimeline) -> None:
    outcome = timeline.replay.outcome
    assert outcome is not None
    assert page.page.title() == "player_one : player_two · Slime Mind"
    assert outcome.reason not in page.text("#match")  # folded until it is seen
    page.page.click("#result summary")
    match = page.text("#match")
    assert outcome.reason in match
    assert f"python3 main.py --match {timeline.replay.spec.key}" in match
    assert re.search(r"seed\s+1\b", match)
    assert page.text(".team:nth-child(2) h2") == "player_two"


@pytest.mark.slow
@pytest.mark.parametrize("link", ["", "#t=20"])
def test_no_paint_squeezes_the_squares(
    timeline: ReplayTimeline, open_page: Open, link: str
) -> None:
    page = open_page(timeline, link, watching=EVERY_PAINT)
    page.page.set_viewport_size({"width": 900, "height": 700})
    page.settle()
    painted = page.run("() => window.painted")
    assert len(painted) > 2
    assert [sizes for sizes in painted if sizes != [1, 1]] == []


@pytest.mark.slow
def test_it_waits_at_the_beginning(page: OpenPage) -> None:
    assert (page.position, page.is_playing) == (0, False)
    assert page.text("#turn") == "turn 0"


@pytest.mark.slow
def test_it_plays_and_pauses(page: OpenPage) -> None:
    page.page.click("#start")
    page.page.wait_for_selector("#start", state="hidden")
    assert page.is_playing
    page.run("() => new Promise((done) => setTimeout(done, 600))")
    page.press(" ")
    here = page.position
    page.settle()
    assert 0 < here == page.position
    assert page.page.locator("#controls [aria-label=Play]").count() == 1


@pytest.mark.slow
def test_it_stops_at_the_end_and_begins_anew(page: OpenPage, timeline: ReplayTimeline) -> None:
    page.press("m", " ")
    page.page.wait_for_selector("#controls [aria-label=Play]")
    assert page.position == timeline.steps
    page.press("m", " ")
    assert page.time < timeline.last_turn


@pytest.mark.slow
def test_it_steps_by_round_and_by_turn(page: OpenPage, timeline: ReplayTimeline) -> None:
    page.click("step")
    page.click("step")
    assert page.position == 2
    page.click("stepBack")
    assert page.position == 1
    page.click("turn")
    assert page.time == 1
    page.press("Shift+ArrowRight", "PageDown", "ArrowRight")
    assert page.position == timeline.turn_end(3) + 1
    page.press("PageUp")
    assert page.time == 3
    page.click("turnBack")
    assert page.time == 2
    page.press("ArrowLeft")
    assert page.position == timeline.turn_end(2) - 1


@pytest.mark.slow
def test_it_goes_from_key_moment_to_key_moment(page: OpenPage, timeline: ReplayTimeline) -> None:
    places = [timeline.turn_end(turn) for turn in find_key_moments(timeline.scores)]
    page.click("mark")
    page.press("n", "ArrowDown")
    assert page.position == places[2]
    page.press("p")
    page.click("markBack")
    assert page.position == places[0]


@pytest.mark.slow
def test_marks_of_a_kind_can_be_left_out(page: OpenPage, timeline: ReplayTimeline) -> None:
    for lane in page.page.query_selector_all(".lane"):
        if "faults" not in lane.inner_text():
            lane.click()
    page.press("n")
    assert page.position == min(mark.position for mark in timeline.marks if mark.what == "faults")


@pytest.mark.slow
def test_speeds_go_from_a_quarter_to_as_fast_as_possible(page: OpenPage) -> None:
    shown = [page.text("#speed")]
    page.press("-", "-", "-")
    shown.append(page.text("#speed"))
    for _ in range(10):
        page.click("faster")
    shown.append(page.text("#speed"))
    page.click("slower")
    shown.append(page.text("#speed"))
    assert shown == ["1x", "0.25x", "max", "64x"]


@pytest.mark.slow
def test_of_many_only_the_best_share_a_draw(race_timeline: MakeTimeline, open_page: Open) -> None:
    page = open_page(race_timeline(["run"], ["run"], ["plant"] * 12))
    page.press("End")
    assert page.text("#teams").count("draw") == 2


@pytest.mark.slow
def test_home_and_end(page: OpenPage, timeline: ReplayTimeline) -> None:
    page.press("End")
    assert page.position == timeline.steps
    assert "winner" in page.text("#teams") or "draw" in page.text("#teams")
    page.press("Home")
    assert page.is_playing
    assert page.time < 2


@pytest.mark.slow
def test_the_timeline_is_dragged(page: OpenPage, timeline: ReplayTimeline) -> None:
    box = page.page.locator("#track").bounding_box()
    assert box is not None
    y = box["y"] + 20
    page.page.mouse.move(box["x"] + box["width"] * 0.2, y)
    page.page.mouse.down()
    page.settle()
    first = page.time
    page.page.mouse.move(box["x"] + box["width"] * 0.7, y, steps=4)
    page.page.mouse.up()
    page.settle()
    assert 0 < first < page.time < timeline.last_turn
    assert page.time == pytest.approx(0.7 * timeline.last_turn, abs=2)
    assert page.text("#turn") == f"turn {page.time:.0f}"


@pytest.mark.slow
def test_a_click_on_a_slime_tells_all_about_it(page: OpenPage, timeline: ReplayTimeline) -> None:
    page.press("PageDown", "PageDown")
    page.page.mouse.click(*page.thing_position(1))
    page.settle()
    inspector = page.text("#inspector")
    assert "slime 1" in inspector
    for fact in ("at", "hp", "team", "level", "xp", "attack", "ready to merge"):
        assert fact in inspector
    assert page.page.locator(".history li").count() > 0
    page.press("Escape")
    assert not page.page.is_visible("#inspector")


@pytest.mark.slow
def test_a_pointer_over_a_slime_shows_its_name_and_hp(page: OpenPage) -> None:
    page.page.mouse.move(*page.thing_position(1))
    page.settle()
    assert re.fullmatch(r"slime 1 · \d+ of \d+ hp", page.text("#tip"))


def test_a_lost_round_is_told_with_its_reason_and_what_was_printed(
    race_timeline: MakeTimeline, open_page: Open
) -> None:
    timeline = race_timeline()
    logs = {(2, 2, 2): ["thinking ...", HOSTILE]}
    page = open_page(timeline, "#t=2", making={"logs": logs})
    page.run("() => viewer.select(2)")
    history = page.text(".history li.bad")
    assert "no order" in history
    assert "timeout" in history
    assert "words of timeout" in history
    assert page.text(".history pre") == f"thinking ...\n{HOSTILE}"


@pytest.mark.slow
def test_words_for_which_there_is_no_room_are_counted(
    race_timeline: MakeTimeline, open_page: Open
) -> None:
    logs = {(turn, 1, 1): [f"{turn**40}" * 50] for turn in range(1, 3000)}
    page = open_page(race_timeline(), "#t=2", making={"logs": logs})
    page.run("() => viewer.select(1)")
    assert re.search(r"of \d+ later decisions .* is left out", page.text("#inspector"))


def test_a_link_leads_to_a_turn(timeline: ReplayTimeline, open_page: Open) -> None:
    page = open_page(timeline, "#t=12")
    assert page.position == timeline.turn_end(12)
    page.run("() => { location.hash = '#t=5' }")
    page.settle()
    assert page.time == 5


def test_an_address_asks_for_the_board_alone_again_and_again(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(timeline, "#autoplay&loop&bare")
    assert page.run("() => viewer.playback.isPlaying")
    for part in ("header", "aside", "#deck", "#start"):
        assert not page.page.locator(part).is_visible()
    sizes = page.run("() => [document.querySelector('#board').clientHeight, innerHeight]")
    assert sizes[0] == sizes[1]
    page.run("() => { viewer.playback.time = viewer.playback.end }")
    assert page.run("() => { viewer.playback.advance(1); return viewer.playback.isAtEnd }")
    assert not page.run("() => { viewer.playback.advance(9); return viewer.playback.isAtEnd }")
    assert page.run("() => location.hash") == "#autoplay&loop&bare"


@pytest.mark.slow
def test_the_address_follows_where_one_pauses(page: OpenPage) -> None:
    page.press("PageDown", "PageDown", "PageDown")
    page.page.wait_for_url("**/page.html#t=3")
    assert page.time == 3


@pytest.mark.slow
def test_a_hidden_result_appears_with_the_playhead(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    outcome = timeline.replay.outcome
    assert outcome is not None
    page = open_page(timeline, "#t=5&hide")
    assert page.time == 5
    early = sum(mark.position <= timeline.turn_end(5) for mark in timeline.marks)
    assert sum(map(int, page.page.locator(".lane b").all_inner_texts())) == early
    for spoiler in (outcome.reason, "won", "scores"):
        assert spoiler not in page.text("#match")
    assert page.run("() => viewer.known") == 5
    page.press("End")
    assert outcome.reason in page.text("#match")
    assert sum(map(int, page.page.locator(".lane b").all_inner_texts())) == len(timeline.marks)


def test_the_result_is_folded_until_its_turn_is_reached(
    timeline: ReplayTimeline, page: OpenPage
) -> None:
    assert timeline.replay.outcome is not None
    assert not page.page.is_visible("#result dl")
    page.press("End")
    assert timeline.replay.outcome.reason in page.text("#result dl")


def test_what_is_on_the_board_and_every_sign_is_explained(
    timeline: ReplayTimeline, page: OpenPage
) -> None:
    scene = timeline.scene
    wanted = [*(entry.words for entry in scene.key()), *(words for _, words in timeline.legend)]
    assert page.page.locator("#key span").all_inner_texts() == wanted
    blank = page.run(BLANK)
    assert blank == 0


def test_what_happens_in_a_turn_is_said_up_to_the_playhead(
    timeline: ReplayTimeline, page: OpenPage
) -> None:
    assert "nothing remarkable so far" in page.text("#now")
    mark = timeline.marks[0]
    page.run(f"() => viewer.scrub({timeline.turn_at(mark.position)})")
    page.settle()
    assert "nothing remarkable so far" not in page.text("#now")


@pytest.mark.slow
def test_a_phone_shows_the_part_of_a_large_board_where_things_happen(open_page: Open) -> None:
    page = open_page(load_timeline("game_of_death"), "#t=30", **PHONE)
    whole = page.run("() => viewer.view.fitting")
    assert whole < MIN_WHOLE_BOARD_SCALE
    assert page.run("() => viewer.view.scale") > 1.3 * whole
    page.run("() => viewer.fit()")
    page.settle()
    assert page.run("() => viewer.view.scale") == whole


@pytest.mark.slow
def test_a_key_hides_the_result_and_shows_it_again(page: OpenPage) -> None:
    page.press("r")
    assert "hidden" in page.text("#match h2")
    assert page.page.get_attribute("[data-action=result]", "aria-pressed") == "true"
    page.press("PageDown")
    page.page.wait_for_url("**/page.html#t=1&hide")
    page.press("r")
    assert "hidden" not in page.text("#match h2")
    page.page.wait_for_url("**/page.html#t=1")


@pytest.mark.slow
def test_a_selected_piece_is_followed_until_the_whole_board_is_shown(page: OpenPage) -> None:
    page.press("b")
    assert page.run("() => viewer.view.isFitted")
    page.run("() => viewer.select(1)")
    page.press("b", "Home", "PageDown")
    assert not page.run("() => viewer.view.isFitted")
    shown = [page.thing_position(1)]
    page.press("PageDown", "PageDown")
    assert page.run("() => viewer.isFollowing")
    page.press("0")
    assert page.run("() => viewer.view.isFitted && !viewer.isFollowing")
    assert page.thing_position(1) != shown[0]


COUNTS_TONES = """
    window.tones = 0;
    const Tone = OscillatorNode;
    window.OscillatorNode = class extends Tone {
        constructor(...words) { super(...words); window.tones += 1; }
    };
"""


@pytest.mark.slow
def test_a_match_is_heard_once_a_key_says_so(timeline: ReplayTimeline, open_page: Open) -> None:
    page = open_page(timeline, watching=COUNTS_TONES)
    page.run("() => { viewer.playback.speed = 4; viewer.scrub(1); viewer.play(); }")
    page.page.wait_for_function("() => viewer.playback.time > 12")
    assert page.run("() => window.tones") == 0
    page.press("s")
    switched_on = page.run("() => window.tones")
    page.run("() => { viewer.scrub(1); viewer.play(); }")
    page.page.wait_for_function("(before) => window.tones > before", arg=switched_on)
    assert switched_on > 0


@pytest.mark.slow
def test_the_board_is_zoomed_and_moved_and_fits_again(page: OpenPage) -> None:
    x, y = page.thing_position(1)
    page.page.mouse.move(round(x), round(y))  # events of a wheel have whole pixels
    page.page.mouse.wheel(0, -600)
    page.settle()
    assert page.thing_position(1) == pytest.approx((x, y), abs=1)
    assert not page.run("() => viewer.view.isFitted")
    page.page.mouse.down()
    page.page.mouse.move(x + 30, y + 20, steps=3)
    page.page.mouse.up()
    assert page.thing_position(1) != pytest.approx((x, y), abs=5)
    assert not page.page.is_visible("#inspector")
    page.press("0")
    assert page.thing_position(1) == pytest.approx((x, y), abs=1)


@pytest.mark.slow
def test_a_phone_has_a_button_for_all_of_the_board_while_not_all_is_seen(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(timeline, viewport={"width": 390, "height": 844}, has_touch=True)
    fit = ".zoom [data-action=fit]"
    assert not page.page.is_visible(fit)
    page.run("() => viewer.zoom(3)")
    page.settle()
    assert page.page.is_visible(fit)
    assert not page.page.is_visible(".zoom [data-action=zoomIn]")
    page.page.tap(fit)
    page.settle()
    assert page.run("() => viewer.view.isFitted")
    assert not page.page.is_visible(fit)


def test_what_may_be_read_after_the_match_is_opened_and_shown_as_it_was_written(
    race_timeline: MakeTimeline, open_page: Open
) -> None:
    page = open_page(race_timeline())
    assert page.text(f"{TO_READ} summary") == "how it was run"
    assert not page.page.is_visible("#match details pre")
    page.page.click(f"{TO_READ} summary")
    assert page.text("#match details pre") == "run;\n<b>run</b>"


@pytest.mark.slow
def test_a_match_with_nothing_to_read_says_nothing_of_it(page: OpenPage) -> None:
    assert page.page.locator(TO_READ).count() == 0


@pytest.mark.slow
def test_the_help_lists_the_keys(page: OpenPage) -> None:
    page.press("h")
    assert "Play or pause" in page.text("#help")
    page.press("Escape")
    assert not page.page.is_visible("#help")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_it_is_dark_or_light_as_the_reader_likes(
    timeline: ReplayTimeline, open_page: Open, theme: str
) -> None:
    page = open_page(timeline, color_scheme=theme)
    other = {"dark": "light", "light": "dark"}[theme]
    assert ground(page) == theme
    page.press("t")
    assert ground(page) == other
    page.page.reload()
    page.page.wait_for_selector("body:not(.loading)")
    assert ground(page) == other


def ground(page: OpenPage) -> str:
    """Return whether the page and its board are dark."""
    script = "() => getComputedStyle(document.documentElement).backgroundColor"
    brightness = sum(map(int, re.findall(r"\d+", page.run(script))[:3]))
    corner = page.run("() => [...viewer.board.ctx.getImageData(1, 1, 1, 1).data]")
    assert (sum(corner[:3]) > 384) == (brightness > 384)
    return "light" if brightness > 384 else "dark"


@pytest.mark.slow
def test_a_phone_shows_it_in_one_column_with_targets_for_a_thumb(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(timeline, "#t=3", **PHONE)
    assert page.run("() => document.documentElement.scrollWidth") == 390
    boxes = [
        box.bounding_box()
        for box in page.page.query_selector_all("#controls button, header button")
    ]
    visible = [box for box in boxes if box]
    assert len(visible) > 10
    assert all(box["width"] >= 40 and box["height"] >= 44 for box in visible)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in visible)


@pytest.mark.slow
@pytest.mark.parametrize("game", MATCHES)
def test_on_the_narrowest_phone_nothing_scrolls_sideways(game: str, open_page: Open) -> None:
    timeline = load_timeline(game)
    narrow = {**PHONE, "viewport": {"width": 360, "height": 740}}
    page = open_page(timeline, "#t=9", **narrow)
    assert page.run("() => document.documentElement.scrollWidth") == 360
    for left, _, right, bottom in page.run(BOXES, "#controls button"):
        assert (left >= 0, right <= 360, bottom <= 740) == (True, True, True)
    bottoms = [bottom for _, _, _, bottom in page.run(BOXES, ".team > .team-head")]
    assert len(bottoms) == len(timeline.replay.bots)
    assert max(bottoms) < 200  # who plays comes before the board


@pytest.mark.slow
def test_a_board_as_high_as_wide_has_the_height_of_the_window(open_page: Open) -> None:
    page = open_page(load_timeline("smac"), "#t=9", viewport={"width": 1280, "height": 800})
    dish = 24 * page.run("() => viewer.view.scale")
    assert dish > 600
    boxes = [
        page.page.locator(name).bounding_box() for name in ("#deck", ".team >> nth=0", "#controls")
    ]
    stage = page.page.locator("#stage").bounding_box()
    assert stage is not None
    assert all(box is not None and box["x"] >= stage["x"] + stage["width"] for box in boxes)


@pytest.mark.slow
def test_a_tap_near_a_slime_tells_about_it(timeline: ReplayTimeline, open_page: Open) -> None:
    page = open_page(timeline, **PHONE)
    page.page.tap("#controls [data-action=turn]")
    x, y = page.thing_position(1)
    page.page.touchscreen.tap(x, y)
    page.settle()
    assert "slime 1" in page.text("#inspector")
    assert page.run("() => viewer.board.canvas.width") == 780


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [(640, 360), (844, 390), (800, 500), (1280, 800), (2560, 1440), (3840, 2160)]
)
def test_controls_are_in_sight_at_any_size(
    timeline: ReplayTimeline, open_page: Open, size: tuple[int, int]
) -> None:
    page = open_page(timeline, viewport={"width": size[0], "height": size[1]})
    for button in page.page.query_selector_all("#controls button:visible"):
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    assert page.page.locator("#controls [data-action=play]").is_visible()
    board = page.page.locator("#board").bounding_box()
    assert board is not None
    assert board["height"] > size[1] * 0.4


@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 3])
def test_a_match_that_has_hardly_begun_is_shown(
    timeline: ReplayTimeline, open_page: Open, tmp_path: Path, lines: int
) -> None:
    begun = ReplayTimeline(
        Replay(write(tmp_path / "begun.jsonl.gz", read_lines(timeline.replay.path)[:lines]))
    )
    begun.read_new_entries()
    page = open_page(begun)
    page.press("PageDown", "ArrowRight", "n", "End", "ArrowLeft")
    assert page.position <= begun.steps


@pytest.mark.slow
def test_six_teams_have_room_on_a_phone(race_timeline: MakeTimeline, open_page: Open) -> None:
    page = open_page(race_timeline(*toy.random_scripts(6, 1)), **PHONE)
    assert page.page.locator(".team").count() == 6
    assert page.run("() => document.documentElement.scrollWidth") == 390
    board = page.page.locator("#board").bounding_box()
    assert board is not None
    assert board["y"] < 400


POINT_AT = """(id) => {
  const look = viewer.cursor.things.get(id).appearance;
  const [x, y] = viewer.view.toScreen(look.x, look.y);
  const box = document.getElementById("board").getBoundingClientRect();
  return [box.left + x, box.top + y];
}"""


@pytest.mark.slow
def test_what_is_seen_through_is_no_target(smac_timeline: ReplayTimeline, open_page: Open) -> None:
    page = open_page(smac_timeline)
    page.press("End")
    stack = page.run(
        "() => [...viewer.cursor.things].find(([, t]) => t.appearance.kind === 'stack')[0]"
    )
    page.page.mouse.click(*page.run(POINT_AT, stack))
    page.settle()
    assert page.text("#inspector h2").startswith("cell ")


@pytest.mark.slow
def test_a_legend_has_as_many_whole_lines_as_there_is_room_for(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(timeline, viewport={"width": 1280, "height": 680})
    ends = """() => ["#key", "#side"].map((name) =>
      document.querySelector(name).getBoundingClientRect().bottom)"""
    key, side = page.run(ends)
    assert key <= side
    page.page.locator("#key .more").click()
    assert not page.page.locator("#key .more").is_visible()
    assert page.page.locator("#key span").last.is_visible()


@pytest.mark.slow
def test_what_it_takes_to_win_is_told_on_the_timeline(
    race_timeline: MakeTimeline, open_page: Open
) -> None:
    page = open_page(race_timeline(["run"] * 3, ["run"]))
    assert "lead" in page.text("#lanes")
    page.press("End")
    found = page.page.get_attribute("#track", "aria-valuetext")
    assert found is not None
    assert found.endswith("· 25 to win")


@pytest.mark.slow
def test_one_who_wants_less_motion_gets_less(timeline: ReplayTimeline, open_page: Open) -> None:
    page = open_page(timeline, reduced_motion="reduce")
    page.press(" ")
    page.run("() => new Promise((done) => setTimeout(done, 300))")
    marks, last = page.run("() => [viewer.marks, viewer.cursor.step.annotations.length]")
    assert len(marks) <= last


WATCH_FADES = """() => {
    window.faded = 0;
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => {
        window.faded += [...addedNodes].filter((node) => node.className === "before").length;
    })).observe(document.getElementById("stage"), { childList: true });
}"""


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_steps_fade_for_those_who_want_less_motion_alone(
    motion: str, timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(timeline, reduced_motion=motion)
    page.run(WATCH_FADES)
    page.press("ArrowRight")
    page.run("() => new Promise((done) => setTimeout(done, 600))")
    assert page.run("() => window.faded") == (1 if motion == "reduce" else 0)
    assert page.page.locator(".before").count() == 0


@pytest.mark.slow
def test_a_hostile_name_stays_text(race_timeline: MakeTimeline, open_page: Open) -> None:
    timeline = race_timeline(["run"], ["push"], names=[HOSTILE, BREAKOUT])
    bots = timeline.replay.bots
    timeline.replay.bots = tuple(
        msgspec.structs.replace(bot, title=HOSTILE, author=BREAKOUT, version="<b>") for bot in bots
    )
    page = open_page(timeline, making={"again": HOSTILE})
    page.run("() => viewer.select(1)")
    assert HOSTILE in page.page.title()
    assert page.text(".team:nth-child(1) h2") == HOSTILE
    assert page.text(".team:nth-child(2) h2") == BREAKOUT
    assert page.text(".team:nth-child(1) .about") == f"{HOSTILE} <b> by {BREAKOUT}"
    assert page.text("#match code") == HOSTILE
    assert page.page.locator("img").count() == 0


@pytest.mark.slow
def test_a_match_that_was_cut_off_is_shown_as_far_as_it_goes(
    timeline: ReplayTimeline, open_page: Open, tmp_path: Path
) -> None:
    content = timeline.replay.path.read_bytes()
    (tmp_path / "cut.jsonl.gz").write_bytes(content[: len(content) * 2 // 3])
    cut = read_timeline(tmp_path / "cut.jsonl.gz")
    page = open_page(cut)
    page.press("End")
    assert 0 < cut.last_turn < timeline.last_turn
    assert page.position == cut.steps
    assert f"the record stops in turn {cut.last_turn}" in page.text("#match")


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_before_its_program_runs_a_page_shows_the_board_and_who_plays(
    timeline: ReplayTimeline, chromium: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(render_replay_page(timeline, Sprites("slime_mind")))
    context = chromium.new_context(java_script_enabled=False, **options)
    page = context.new_page()
    page.goto(path.as_uri())
    board = page.locator("#poster").bounding_box()
    assert board is not None
    assert min(board["width"], board["height"]) > 240
    assert page.inner_text("#teams").split() == ["player_one", "player_two"]
    assert page.locator("#poster use").count() > 4
    context.close()


def test_once_the_program_runs_nothing_is_left_of_what_stood_in_for_it(page: OpenPage) -> None:
    assert not page.page.is_visible("#poster")
    assert page.page.locator(".team").count() == 2


@pytest.mark.slow
def test_a_pointer_in_the_hollow_of_a_shape_finds_it_only_from_beside(page: OpenPage) -> None:
    found = page.run("""() => {
      const kind = Object.keys(viewer.replay.kinds)[0];
      const place = { x: 2, y: 2, width: 2, height: 2 };
      const outline = [[[0, 0, 2, 1], [0, 1, 1, 2]], [], []];
      const corner = { cls: "block", kind, ...place, outline };
      const things = new Map([[7, { appearance: corner }]]);
      const within = (x, y, reach) =>
        viewer.board.thingAt(things, ...viewer.view.toScreen(x, y), reach);
      return [within(2.5, 2.5, 0), within(3.5, 3.5, 0), within(3.5, 3.5, 9), within(6, 6, 0)];
    }""")
    assert found == [7, None, 7, None]


@pytest.mark.slow
def test_only_the_attacks_of_this_turn_have_lanes_while_a_match_plays(
    tmp_path: Path, open_page: Open
) -> None:
    settings = find_game("game_of_death").settings(
        width=16,
        height=12,
        zone_width=7,
        home_u=0,
        home_v=4,
        home_width=2,
        home_height=2,
        max_turns=20,
    )
    page = open_page(random_timeline("game_of_death", settings, 2, tmp_path))
    lanes = page.run("""async () => {
      const lanes = [];
      viewer.play();
      while (viewer.playback.isMoving && viewer.playback.time < 6) {
        await new Promise(requestAnimationFrame);
        const turn = viewer.replay.turnAt(viewer.cursor.position);
        const now = viewer.marks.filter(({ mark }) => mark === "attack_lane");
        lanes.push(...now.map((lane) => turn - lane.turn));
      }
      return lanes;
    }""")
    assert lanes
    assert not any(lanes)


def test_a_page_that_cannot_be_read_says_so(
    timeline: ReplayTimeline, chromium: Any, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_html("a", "b", {"replay": b"no story", "texts": b""}))
    context = chromium.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("#failure:not([hidden])")
    assert "cannot be shown" in page.inner_text("#failure")
    context.close()


@pytest.mark.slow
def test_drawings_of_bots_are_listed_and_switched_off_by_key(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    drawn: list[Note] = [
        Cross(1, 2, "#ff0000", HOSTILE[:24]),
        Circle(3, 2, 1),
        Line(0, 0, 4, 4),
        Words(1, 1, HOSTILE),
    ]
    timeline.notes.take(NotesAside(2, 1, 1, (*drawn, Rectangle(1, 1, 2, 2))))
    page = open_page(timeline, "#t=2", making={"has_drawings": True})
    timeline.notes.clear()
    shown = "viewer.drawings.at(viewer.replay.turnAt(viewer.cursor.position)).map((d) => d.form)"
    assert page.run(shown) == ["path", "circle", "path", "text", "path"]
    assert page.text("#drawings").count("player_one: ") == 2
    page.page.locator("#drawings input").first.click()
    assert page.run(shown) == ["circle", "path", "text", "path"]
    page.press("d")
    assert page.run(shown) == ["path", "circle", "path", "text", "path"]
    page.press("d")
    assert page.run(shown) == []


@pytest.mark.slow
def test_what_is_carried_leaves_a_trail_as_far_as_turns_have_ended(
    timeline: ReplayTimeline, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    trails = Trails(timeline.scene)
    monkeypatch.setattr(timeline.scene, "trails", lambda place: {2: place})
    for turns, place in enumerate(((1, 1), (2, 1), (2, 3)), 1):
        trails.add(turns, place)
    monkeypatch.setattr(timeline, "trails", trails)
    page = open_page(timeline, "#t=2")
    shown = "viewer.trails.at(viewer.replay.turnAt(viewer.cursor.position))"
    color = timeline.scene.team_color(2)
    assert page.run(shown) == [{"form": "path", "numbers": [2, 3, 2, 1, 1, 1], "color": color}]
    x, y = page.run("viewer.view.toScreen(2, 2)")
    at = f"[Math.round({x} * devicePixelRatio), Math.round({y} * devicePixelRatio)]"
    pixel = page.run(f"[...viewer.board.ctx.getImageData(...{at}, 1, 1).data.slice(0, 3)]")
    assert pixel == list(rgb(color))
    page.press("ArrowLeft")
    assert page.run("viewer.trails.at(1)")[0]["numbers"] == [2, 1, 1, 1]


@pytest.mark.slow
def test_a_match_is_heard_with_the_tones_of_every_view(page: OpenPage) -> None:
    page.run("""() => {
      const Real = OscillatorNode;
      window.heard = [];
      window.OscillatorNode = function (context, options) {
        heard.push(options.type);
        return new Real(context, options);
      };
    }""")
    page.press("s")
    assert page.run("heard") == [tone.wave for tone in SPLIT]
    page.run(
        "viewer.sounds.playMarks([{ mark: 'strike' }, { mark: 'hit' }, { mark: 'call' }], 1000)"
    )
    assert page.run("heard") == [tone.wave for tone in (*SPLIT, *BITE)]
    page.run("viewer.sounds.play('win')")
    assert page.run("heard") == [tone.wave for tone in (*SPLIT, *BITE, *WIN)]
    page.press("s")
    page.run("viewer.sounds.play('win')")
    assert len(page.run("heard")) == len((*SPLIT, *BITE, *WIN))


@pytest.mark.slow
def test_a_page_without_drawings_lists_none(page: OpenPage) -> None:
    assert not page.page.is_visible("#drawings")


@pytest.mark.slow
def test_a_pointer_tells_as_much_as_in_the_window(
    smac_timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(smac_timeline)
    found = page.run("""() => [...viewer.cursor.things].map(
      ([id, { appearance }]) => [id, viewer.narrator.hoverFacts(appearance)])""")
    cursor, narrator = Cursor(smac_timeline), Narrator(smac_timeline)
    assert dict(found) == {i: narrator.hover_texts(thing) for i, thing in cursor.things.items()}
    assert any(words for _, words in found)
