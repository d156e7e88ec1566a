"""A match as one HTML file that needs nothing else: no network, no server, no program."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import chain
from numbers import Real
from types import ModuleType

from engine.streams import seed_text
from engine.support import wording
from engine.support.typed_commands import detect_commands
from visualizer import theme
from visualizer.backends.page.document import page_html
from visualizer.backends.page.images import Images, encode_png, make_images
from visualizer.backends.page.match_encoder import MatchEncoder, thing_to_dict
from visualizer.backends.page.texts import deflate, encode, select_texts
from visualizer.drawing import icons, measures
from visualizer.drawing.arrangement import arrangements
from visualizer.drawing.measures import TILE_BORDER
from visualizer.drawing.outline import parse_cells
from visualizer.drawing.sprites import HAS_PILLOW, Sprites
from visualizer.model import formatting, motion, sounds
from visualizer.model.drawings import DecisionKey, read_logs
from visualizer.model.narration import HISTORY_TURNS
from visualizer.model.playback import MAX_TURNS_PER_CALL, QUIET_SPEED, SPEEDS, find_quiet
from visualizer.model.timeline import MIN_MOVE_S, ReplayTimeline
from visualizer.scene import NO_FACT, AnyScene, Block, Label, Mark, Sprite, Thing, Tile

BASE_BYTES, BYTES_PER_ORDER = 138_200 if HAS_PILLOW else 326_500, 8
"""The most bytes of a page: what every page needs, and what each order adds."""
MIN_TEXT_BYTES = 4_000
IN_BASE64 = 0.74
"""Base64 makes four letters of three bytes; a little is left for the tag around them."""
LENGTH_BYTES = 4
POSTER_PIXELS = (32, 24, 16, 0)
"""The widths of the pictures of a poster, the first with which it fits; 0: none are drawn."""
MAX_POSTER_BYTES = 18_000
"""A larger poster is left out: it would delay what it is to bridge."""


def render_replay_page(
    timeline: ReplayTimeline,
    sprites: Sprites,
    *,
    logs: Mapping[DecisionKey, list[str]] | None = None,
    again: str | None = None,
    has_drawings: bool = False,
    begin_turn: int = 0,
) -> bytes:
    """Return an HTML file that shows a match.

    `logs` are what the bots printed, by default the logs beside the replay; as many of the
    first entries are kept as there is room for. `again` is the command that repeats the match.
    `has_drawings`: whether what the bots drew and logged can be seen.
    `begin_turn` is shown first where the address names none.
    """
    replay = timeline.replay
    logs = read_logs(replay.path.parent) if logs is None else logs
    again = f"{detect_commands().main} --match {replay.spec.key}" if again is None else again
    encoder = MatchEncoder(timeline)
    content = deflate(replay_content(encoder, sprites, again, begin_turn))
    title, game = " : ".join(timeline.scene.names), replay.game.title
    # What the match itself takes is fixed; texts get the rest of the page's budget.
    frame = {
        "poster": first_board_svg(timeline, sprites),
        "teams": team_frames(type(timeline.scene), timeline.scene.names),
    }
    bare = len(page_html(title, game, {"replay": content}, **frame))
    room = int((BASE_BYTES + BYTES_PER_ORDER * encoder.orders - bare) * IN_BASE64)
    notes = timeline.notes
    logs = notes.with_log_lines(logs) if has_drawings else logs
    drawings = notes.turns if has_drawings else {}
    texts = select_texts(timeline.fault_words, logs, max(room, MIN_TEXT_BYTES), drawings)
    return page_html(title, game, {"replay": content, "texts": deflate(encode(texts))}, **frame)


def replay_content(
    encoder: MatchEncoder, sprites: Sprites, again: str, begin_turn: int = 0
) -> bytes:
    """Return what a page shows but texts: the length of the facts, facts, columns, pictures."""
    timeline, replay = encoder.timeline, encoder.timeline.replay
    images = make_images(sprites, encoder.images)
    sizes, columns = encoder.columns.pack()
    facts = encode(
        {
            "game": replay.game.title,
            "key": replay.spec.key,
            "seed": seed_text(replay.spec.seed),
            "again": again,
            "teams": teams_facts(timeline, images),
            "ending": encoder.present_ending(),
            **({"beginTurn": begin_turn} if begin_turn else {}),
            **scene_facts(timeline),
            "thresholds": timeline.thresholds,
            "trails": timeline.trails.points,
            "camera": timeline.camera.parts,
            "quiet": [(*stretch, stretch.words) for stretch in find_quiet([timeline])],
            "quietSpeed": QUIET_SPEED,
            "shapes": {
                "thing": encoder.things,
                "team": encoder.teams,
                "backdrop": encoder.backdrop_shapes,
            },
            "steps": timeline.steps,
            "disclosures": encoder.disclosures,
            "columns": sizes,
            "words": list(encoder.words),
            "images": {"sizes": list(map(len, images.files)), "names": images.names},
        }
    )
    length = len(facts).to_bytes(LENGTH_BYTES, "little")
    return b"".join([length, facts, columns, *images.files])


def teams_facts(timeline: ReplayTimeline, images: Images | None = None) -> list[dict[str, object]]:
    """Return who plays, in what color and with which picture, if there are any."""
    return [
        {
            "name": timeline.scene.names[team - 1],
            "about": formatting.bot_title(bot) + formatting.author_suffix(bot),
            "color": timeline.scene.team_color(team),
            "ink": theme.ink_on(timeline.scene.team_color(team)),
            "line": theme.legible(timeline.scene.team_color(team), theme.PANEL, theme.LINES),
            "dashes": theme.DASHES.get(timeline.scene.team_color(team), ()),
            "emblem": None if images is None else images.emblem(team),
        }
        for team, bot in enumerate(timeline.replay.bots, 1)
    ]


def scene_facts(timeline: ReplayTimeline) -> dict[str, object]:
    """Return what a page needs to know of the scene of a game."""
    scene = timeline.scene
    return {
        "kinds": scene.kinds,
        "eventStyles": scene.event_styles,
        "rowsUp": scene.rows_up,
        "arrangements": arrangements(scene),
        "timeline": list(timeline.mark_kinds.items()),
        "legend": [
            {"things": [thing_to_dict(thing) for thing in entry.things], "words": entry.words}
            for entry in scene.key()
        ],
        "markNames": timeline.legend,
        "moves": scene.moves,
        "parts": [part.left for part in scene.parts],
        "scoreName": scene.score_name,
        "turnsPerS": scene.turns_per_s,
        "speeds": SPEEDS[:-1],
        "maxTurnsPerCall": MAX_TURNS_PER_CALL,
        "motion": {**_sizes(motion), "minMoveS": MIN_MOVE_S},
        "historyTurns": HISTORY_TURNS,
        "forfeitedName": scene.forfeited_name,
        "drawing": drawing_facts(),
        "formats": formats(timeline.replay.game.score_decimals),
    }


def drawing_facts() -> dict[str, object]:
    """Return the sizes, colors and signs of what is drawn on a board, and its sounds."""
    return {
        "sizes": {**_sizes(measures), "gridSide": icons.GRID_SIDE, "signRim": icons.RIM},
        "ticks": measures.TICKS,
        "colors": {
            "front": theme.FRONT,
            "barBack": theme.BAR_BACK,
            "badge": theme.ACCENT,
            "badgeRim": theme.BACKGROUND,
            "dark": theme.DARK_RIM,
            "light": theme.LIGHT_RIM,
        },
        "barLevels": theme.BAR_LEVELS,
        "tints": {theme.COORDINATES: "quiet", theme.DISH: "dish"},
        "signs": {mark: _sign(mark) for mark in Mark},
        "sounds": {
            "marks": sounds.SOUNDS,
            "on": sounds.SPLIT,
            "win": sounds.WIN,
            "move": sounds.MOVE,
            "capture": sounds.CAPTURE,
            "turn": sounds.TURN,
            "gapMs": round(sounds.GAP_S * 1000),
            "loudness": sounds.LOUDNESS,
            "silence": sounds.SILENCE,
            "attack": sounds.ATTACK_S,
        },
    }


def _sizes(module: ModuleType) -> dict[str, Real]:
    """Return the numbers of a module: `barWidth` for `BAR_WIDTH`."""
    return {
        name[0].lower() + name.title().replace("_", "")[1:]: size
        for name, size in vars(module).items()
        if isinstance(size, Real)
    }


def formats(score_decimals: int) -> dict[str, object]:
    """Return how numbers are written."""
    return {
        "decimals": score_decimals,
        "thousands": wording.THOUSANDS,
        "cpu": formatting.CPU,
        "cpuUnits": wording.TIME_UNITS,
        "winner": formatting.WINNER,
        "draw": formatting.DRAW,
        "noFact": NO_FACT,
    }


def _sign(mark: Mark) -> dict[str, object]:
    shape = icons.SIGNS[mark]
    return {
        "color": theme.MARK_COLORS[mark],
        "rimColor": theme.MARK_RIMS.get(mark, theme.MARK_RIM),
        "rim": shape.rim,
        "size": measures.SIGN_SIZES.get(mark, measures.SIGN_WIDTH),
        "isCornered": mark in measures.CORNER_SIGNS,
        "isLink": mark in measures.LINKING_SIGNS,
        "parts": [_part(part) for part in shape.parts],
        "over": [_part(part) for part in shape.over],
    }


def _part(part: icons.Part) -> dict[str, object]:
    """Return a part of a sign as an SVG path, and how wide its line is; 0: it is filled."""
    if isinstance(part, icons.Dot):
        radius = part.radius - part.width / 2
        arc = f"a{radius:g} {radius:g} 0 1 0 "
        path = f"M{part.x - radius:g} {part.y:g}{arc}{2 * radius:g} 0{arc}{-2 * radius:g} 0z"
        return {"path": path, "width": part.width}
    path = "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in part.points)
    if isinstance(part, icons.Stroke):
        return {"path": path, "width": part.width}
    return {"path": f"{path}z", "width": 0}


def first_board_svg(timeline: ReplayTimeline, sprites: Sprites) -> str:
    """Return the first board as SVG; '' if it would be too large."""
    return draw_poster(timeline.scene, timeline.state_before(0)[1], sprites)


def draw_poster(scene: AnyScene, state: object, sprites: Sprites) -> str:
    """Return a board as SVG; '' if it would be too large."""
    there = (scene.thing(state, thing_id) for thing_id in sorted(scene.ids(state)))
    things = [*scene.backdrop(), *(thing for thing in there if thing is not None)]
    left, top, right, bottom = scene.extent
    view = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    for pixels in POSTER_PIXELS if HAS_PILLOW else POSTER_PIXELS[-1:]:
        parts = _areas(things), _pictures(things, sprites, pixels), _labels(things)
        drawn = "".join(chain.from_iterable(parts))
        if len(drawn) <= MAX_POSTER_BYTES:
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
            squares = (
                _rectangle(thing.x + x, thing.y + y, 1, 1) for x, y in parse_cells(thing.cells)
            )
            paths.setdefault((thing.fill, ""), []).extend(squares)
    for (fill, border), parts in paths.items():
        rim = f' stroke="{border}" stroke-width="{TILE_BORDER}"' if border else ""
        # Only a line needs the last side: hundreds of squares are a tenth shorter without it.
        outline = "z".join([*parts, ""]) if border else "".join(parts)
        yield f'<path fill="{fill or "none"}"{rim} d="{outline}"/>'


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}"


def _pictures(things: Sequence[Thing], sprites: Sprites, pixels: int) -> Iterator[str]:
    """Yield each picture once in each of its sizes, and then where it is."""
    shown = [thing for thing in things if isinstance(thing, Sprite) and pixels]
    looks = dict.fromkeys((each.image, each.size) for each in shown)
    numbers = {look: number for number, look in enumerate(looks)}
    for (name, size), number in numbers.items():
        content = _encode_picture(sprites, sprites.canonical_name(name), pixels)
        image = f'<image width="1" height="1" href="data:image/png;base64,{content}"/>'
        side = f'width="{size:g}" height="{size:g}"'
        yield f'<symbol id="i{number}" {side} viewBox="0 0 1 1">{image}</symbol>'
    for each in shown:
        x, y = each.x - each.size / 2, each.y - each.size / 2
        yield f'<use href="#i{numbers[each.image, each.size]}" x="{x:g}" y="{y:g}"/>'


@lru_cache(256)
def _encode_picture(sprites: Sprites, name: str, pixels: int) -> str:
    return b64encode(encode_png(sprites.image(name, pixels))).decode()


def _labels(things: Sequence[Thing]) -> Iterator[str]:
    """Yield the labels, together those of one size and color."""
    groups: dict[tuple[float, str], list[str]] = {}
    for thing in things:
        if isinstance(thing, Label):
            text = f'<text x="{thing.x:g}" y="{thing.y:g}">{escape(thing.text)}</text>'
            groups.setdefault((thing.size, thing.color), []).append(text)
    for (size, color), texts in groups.items():
        yield f'<g font-size="{size:g}" fill="{color}">{"".join(texts)}</g>'
