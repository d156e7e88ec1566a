"""Make images/people.gif, a person at the board: `python3 -m tests.picture_of_people`.

It needs Chromium. A bot plays in its sandbox as always; the person's moves are fixed, so that the
picture shows a capture on each board.
"""

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from benchmarks.chromium import chromium

HOME = Path(__file__).resolve().parents[1]
PICTURE = HOME / "images" / "people.gif"
SCREEN = {"width": 1080, "height": 720}
WIDTH = 720
LOOK_MS, MOVE_MS, END_MS = 700, 450, 2_500
COLORS = 96
MOVES = 7
"""Moves of the person."""
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (13, 12))
PLAY = ("play", "--no-browser", "--new", "--against", "player_two", "--seed", "5")


def frames(page: Any, address: str) -> Iterator[tuple[Image.Image, int]]:
    """Play, and yield pictures with the time that each is shown, milliseconds."""
    yield picture(page, None), LOOK_MS
    for _ in range(MOVES):
        half, source, target = best_move(page, address)
        for square, wait in ((source, LOOK_MS), (target, MOVE_MS)):
            cell = page.locator(f"[data-board='{half}'] [data-square='{square}']")
            box = cell.bounding_box()
            middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.click(*middle)
            page.wait_for_timeout(150)
            yield picture(page, middle), wait
        page.wait_for_timeout(1_500)  # the bot answers, and captured pieces have gone
        yield picture(page, middle), MOVE_MS
    yield picture(page, None), END_MS


def best_move(page: Any, address: str) -> tuple[int, str, str]:
    """Return the legal move that captures most; among others the first of the board before."""
    position = page.request.get(address).json()
    moves = [
        (len(captured), -half["ply"], half["number"], source, target)
        for half in position["board"]["halves"]
        for source, targets in half["moves"].items()
        for target, captured in targets.items()
    ]
    _, _, half, source, target = max(moves)
    return half, source, target


def picture(page: Any, pointer: tuple[float, float] | None) -> Image.Image:
    """Return what the page shows, with a pointer."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if pointer is not None:
        outline = [(pointer[0] + x, pointer[1] + y) for x, y in POINTER]
        ImageDraw.Draw(shot).polygon(outline, fill="white", outline="black", width=1)
    size = (WIDTH, WIDTH * SCREEN["height"] // SCREEN["width"])
    return shot.resize(size, Image.Resampling.LANCZOS)


def make_palette(shot: Image.Image) -> Image.Image:
    """Return a palette of what covers much, and of what is small and bright: the pieces."""
    ways = (Image.Quantize.MEDIANCUT, Image.Quantize.MAXCOVERAGE)
    palettes = [shot.quantize(COLORS, way).getpalette() or [] for way in ways]
    colors = Image.new("P", (1, 1))
    colors.putpalette([value for palette in palettes for value in palette[: 3 * COLORS]])
    return colors


def make() -> None:
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, str(HOME / "main.py"), "--out", out, *PLAY]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = re.search(r"(http://\S+)(/games/\w+)\?key=", line)
            assert found, line
            try:
                with chromium() as browser:
                    page = browser.new_page(viewport=SCREEN)
                    page.goto(line.split()[-1])
                    page.locator("#tour").get_by_role("button", name="Skip").click()
                    page.wait_for_timeout(1_500)
                    shown = list(frames(page, f"{found[1]}/api/v1{found[2]}"))
            finally:
                server.terminate()
    colors = make_palette(shown[-1][0])
    pictures = [shot.quantize(palette=colors, dither=Image.Dither.NONE) for shot, _ in shown]
    pictures[0].save(
        PICTURE,
        save_all=True,
        append_images=pictures[1:],
        duration=[wait for _, wait in shown],
        loop=0,
        optimize=True,
    )


if __name__ == "__main__":
    make()
