"""Make images/write_*.png, a newcomer's way on /write: `python3 -m tests.pictures_of_writing`.

It needs Chromium and the built editor (`npm --prefix web run build`). A real server plays.
"""

import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks.chromium import chromium
from tests.server.writing.newcomers_way import server_with_ladder, walk
from tests.template import room_for_tests

IMAGES = Path(__file__).resolve().parents[1] / "images"
SCREEN = {"width": 1280, "height": 800}
SHOWN = ("fail", "compare", "climb")
COLORS = 128


def make() -> None:
    with (
        room_for_tests(),
        server_with_ladder(Path(tempfile.mkdtemp())) as (server, invitation),
        chromium() as browser,
    ):
        page = browser.new_context(base_url=server.base, viewport=SCREEN).new_page()
        walk(page, invitation, lambda step: _keep(page, step))


def _keep(page: Any, step: str) -> None:
    if step in SHOWN:
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        shot.quantize(COLORS).save(IMAGES / f"write_{step}.png", optimize=True)


if __name__ == "__main__":
    make()
