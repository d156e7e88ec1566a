"""Replay pages: the time to make one and to load it in a browser, and its size."""

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click

from benchmarks import chromium
from benchmarks.boards import GAME
from benchmarks.table import Effort, Figure, Target, figure
from benchmarks.walkers import record
from engine.replays.reading import Replay
from visualizer.model.timeline import ReplayTimeline
from visualizer.backends.page import render_replay_page
from visualizer.drawing.sprites import Sprites

# As busy as the busiest of our bots' matches of 1000 turns: 76 slimes in each.
NUMBERS = {"slime_pairs": 38, "plant_pairs": 40, "plant_seed_chance_pct": 0}
ORDERS_A_TURN = 76
TURNS = 1_000
BASE_BYTES = 100_000
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
PHONE_SLOWER = 4
"""How many times slower than here a phone computes."""
PAINTED = """() => new Promise((tell) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) tell(paint.startTime);
}).observe({ type: "paint", buffered: true }))"""
SHOWN = "() => performance.getEntriesByName('shown')[0].startTime"


def measure(effort: Effort) -> list[Figure]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        replay = record(folder, NUMBERS, turns=min(TURNS, effort.orders))
        seconds = [make(replay, folder / "page.html") for _ in range(effort.repeats)]
        size = (folder / "page.html").stat().st_size
        loads = _loads_ms(folder / "page.html", effort.repeats)
    orders = min(TURNS, effort.orders) * ORDERS_A_TURN
    return [
        figure("page", "s", median(seconds), Target.at_most(2)).says(
            "from a replay of 1000 turns and 76 000 orders to an HTML file"
        ),
        figure("page size", "bytes", max(0, size - BASE_BYTES) / orders, Target.at_most(8)).says(
            "size of that file per order, beyond 100 KB"
        ),
        *loads,
    ]


def make(replay: Path, page: Path) -> float:
    """Return the time to make a page, with reading the replay, s."""
    began = time.perf_counter()
    timeline = ReplayTimeline(Replay(replay))
    timeline.read_new_entries()
    page.write_bytes(render_replay_page(timeline, Sprites(GAME.name)))
    return time.perf_counter() - began


def _loads_ms(page: Path, repeats: int) -> list[Figure]:
    """Measure loading times; nothing where there is no browser."""
    if chromium.path() is None:
        click.echo(f"needs {chromium.WHAT_IS_MISSING}", err=True)
        return []
    with chromium.chromium() as browser:
        times = [load_ms(browser, page) for _ in range(repeats)]
        paints = [_first_paint_ms(browser, page) for _ in range(repeats)]
    return [
        figure("page load", "ms", median(times), Target.at_most(1000)).says(
            "from opening that file in Chromium to its first picture"
        ),
        figure("page phone", "ms", median(paints), Target.at_most(1000)).says(
            f"the same on a phone {PHONE_SLOWER} times slower, to its first paint"
        ),
    ]


def load_ms(browser: Any, page: Path) -> float:
    """Return the time from opening a page to its first picture, ms."""
    with browser.new_context() as context:
        tab = context.new_page()
        tab.goto(page.as_uri())
        tab.wait_for_selector("body:not(.loading)")
        return float(tab.evaluate(SHOWN))


def _first_paint_ms(browser: Any, page: Path) -> float:
    """Return when a phone shows something first: the board as it was in the beginning."""
    with browser.new_context(**PHONE) as context:
        tab = context.new_page()
        session = context.new_cdp_session(tab)
        session.send("Emulation.setCPUThrottlingRate", {"rate": PHONE_SLOWER})
        tab.goto(page.as_uri(), wait_until="commit")
        return float(tab.evaluate(PAINTED))
