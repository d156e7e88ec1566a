"""What a page shows before its program runs: the board of the beginning, and who plays."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import chain

from visualizer.backends.page.images import packed
from visualizer.drawing.measures import TILE_BORDER
from visualizer.drawing.outline import cells_of
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import AnyScene, Block, Label, Sprite, Thing, Tile

PIXELS = (32, 24, 16, 0)
"""The widths of its pictures, the first with which it fits; 0: none are drawn."""
MOST_BYTES = 18_000
"""A larger one is left out: it would delay what it is to bridge."""


def poster(timeline: ReplayTimeline, sprites: Sprites) -> str:
    """Return the first board as SVG; '' if it would be too large."""
    scene, (_, state) = timeline.scene, timeline.state_before(0)
    there = (scene.thing(state, thing_id) for thing_id in sorted(scene.ids(state)))
    things = [*scene.backdrop(), *(thing for thing in there if thing is not None)]
    left, top, right, bottom = scene.extent
    view = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    for pixels in PIXELS:
        parts = _areas(things), _pictures(things, sprites, pixels), _labels(things)
        drawn = "".join(chain.from_iterable(parts))
        if len(drawn) <= MOST_BYTES:
            return f'<svg id="poster" viewBox="{view}" aria-hidden="true">{drawn}</svg>'
    return ""


def team_frames(scene: type[AnyScene], names: Iterable[str]) -> str:
    """Return the panels of the teams as they are before a score is known."""
    return "".join(
        f'<article class="team"><div class="team-head"><svg class="emblem" viewBox="0 0 2 2">'
        f'<circle cx="1" cy="1" r="1" fill="{scene.team_color(team)}"/></svg>'
        f'<h2 class="who">{escape(name)}</h2></div></article>'
        for team, name in enumerate(names, 1)
    )


def _areas(things: Sequence[Thing]) -> Iterator[str]:
    """Yield a path for all tiles and blocks of the same colors, tiles first."""
    paths: dict[tuple[str, str], list[str]] = {}
    for thing in things:
        if isinstance(thing, Tile):
            path = _rectangle(thing.x, thing.y, thing.width, thing.height)
            paths.setdefault((thing.fill, thing.border), []).append(path)
    for thing in things:
        if isinstance(thing, Block):
            squares = (_rectangle(thing.x + x, thing.y + y, 1, 1) for x, y in cells_of(thing.cells))
            paths.setdefault((thing.fill, ""), []).extend(squares)
    for (fill, border), parts in paths.items():
        rim = f' stroke="{border}" stroke-width="{TILE_BORDER}"' if border else ""
        yield f'<path fill="{fill or "none"}"{rim} d="{"".join(parts)}"/>'


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z"


def _pictures(things: Sequence[Thing], sprites: Sprites, pixels: int) -> Iterator[str]:
    """Yield each picture once in each of its sizes, and then where it is."""
    shown = [thing for thing in things if isinstance(thing, Sprite) and pixels]
    looks = dict.fromkeys((each.image, each.size) for each in shown)
    numbers = {look: number for number, look in enumerate(looks)}
    for (name, size), number in numbers.items():
        content = b64encode(packed(sprites.image(sprites.file_of(name), pixels))).decode()
        image = f'<image width="1" height="1" href="data:image/png;base64,{content}"/>'
        side = f'width="{size:g}" height="{size:g}"'
        yield f'<symbol id="i{number}" {side} viewBox="0 0 1 1">{image}</symbol>'
    for each in shown:
        x, y = each.x - each.size / 2, each.y - each.size / 2
        yield f'<use href="#i{numbers[each.image, each.size]}" x="{x:g}" y="{y:g}"/>'


def _labels(things: Sequence[Thing]) -> Iterator[str]:
    """Yield the labels, together those of one size and color."""
    groups: dict[tuple[float, str], list[str]] = {}
    for thing in things:
        if isinstance(thing, Label):
            text = f'<text x="{thing.x:g}" y="{thing.y:g}">{escape(thing.text)}</text>'
            groups.setdefault((thing.size, thing.color), []).append(text)
    for (size, color), texts in groups.items():
        yield f'<g font-size="{size:g}" fill="{color}">{"".join(texts)}</g>'
