"""The signs and formats of a page are those of window and pictures."""

from base64 import b64decode
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.support.wording import write_number, write_time
from visualizer.backends.page import drawing_facts, formats
from visualizer.backends.page.bundling import WEB
from visualizer.drawing import icon_pictures, icons, measures
from visualizer.scene import Mark
from visualizer.theme import MARK_COLORS, MARK_RIM, MARK_RIMS

SIDE = 96
SCALE = 80
GROUND = "#c8d0b8"
MAX_DIFFERENCE = 4.0
"""Of 255, on average: the edges are smoothed in other ways."""
DRAWN = """([drawing, marks, side, scale, ground]) => { %s
  return marks.map((mark) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    const ctx = canvas.getContext("2d");
    ctx.fillStyle = ground;
    ctx.fillRect(0, 0, side, side);
    const one = { x: side / 2, y: side / 2, size: 1 };
    const centered = { ...drawing, sizes: { ...drawing.sizes, signCorner: 0 } };
    drawMark(ctx, centered, mark, { one, scale, ratio: 1 });
    return canvas.toDataURL().split(",")[1];
  });
}"""
WRITTEN = """([formats, scores, us]) => { %s
  return [scores.map((n) => scoreText(formats, n)), us.map((n) => cpuText(formats, n))];
}"""


@pytest.fixture(scope="module")
def tab(chromium: Any) -> Any:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def source(name: str) -> str:
    return (WEB / f"viewer/{name}.js").read_text(encoding="utf-8").replace("export ", "")


@pytest.mark.slow
def test_signs_look_as_in_window_and_pictures(tab: Any) -> None:
    marks = [mark for mark in Mark if mark not in (Mark.ATTACK_LANE, Mark.CALL)]
    asked = [drawing_facts(), marks, SIDE, SCALE, GROUND]
    for mark, content in zip(marks, tab.evaluate(DRAWN % source("marks"), asked), strict=True):
        page = Image.open(BytesIO(b64decode(content))).convert("RGB")
        ours = Image.new("RGBA", (SIDE, SIDE), GROUND)
        size = round(SCALE * measures.SIGN_SIZES.get(mark, measures.SIGN_WIDTH))
        sign = icon_pictures.sign(
            icons.SIGNS[mark], size, MARK_COLORS[mark], MARK_RIMS.get(mark, MARK_RIM)
        )
        ours.alpha_composite(sign, ((SIDE - size) // 2, (SIDE - size) // 2))
        apart = ImageStat.Stat(ImageChops.difference(page, ours.convert("RGB"))).mean
        assert max(apart) < MAX_DIFFERENCE, mark
        bare = ImageChops.difference(page, Image.new("RGB", (SIDE, SIDE), GROUND))
        assert max(ImageStat.Stat(bare).mean) > MAX_DIFFERENCE, mark


def test_numbers_are_written_as_in_window_and_pictures(tab: Any) -> None:
    scores, us = (0, 39.6, 1_234.5, 1_234_567.0), (0, 900, 45_000, 1_250_000)
    written = tab.evaluate(WRITTEN % source("formats"), [formats(1), scores, us])
    assert written == [[write_number(score, 1) for score in scores], list(map(write_time, us))]
