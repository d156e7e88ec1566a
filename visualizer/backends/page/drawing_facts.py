"""What a page has in common with window and pictures, as data: signs, sizes, sounds, formats."""

from visualizer import theme
from visualizer.drawing import icons, measures, signs
from visualizer.model import formatting, sounds
from visualizer.scene import Mark


def drawing_facts() -> dict[str, object]:
    """Return the sizes of what is drawn on a board, in squares, its signs and its sounds."""
    return {
        "tileBorder": measures.TILE_BORDER,
        "block": {
            "border": measures.BORDER,
            "finest": measures.FINEST_BORDER,
            "frontEdge": measures.FRONT_EDGE,
            "front": theme.FRONT,
        },
        "bar": {
            "width": measures.BAR_WIDTH,
            "height": measures.BAR_HEIGHT,
            "bottom": measures.BAR_BOTTOM,
            "leastHeight": measures.LEAST_BAR_HEIGHT,
            "most": measures.MOST_BAR,
            "least": measures.LEAST_BAR,
            "back": theme.BAR_BACK,
            "levels": [
                (theme.LOW, theme.BAR_LOW),
                (theme.MIDDLE, theme.BAR_MIDDLE),
                (1, theme.BAR_FULL),
            ],
        },
        "badge": {
            "size": measures.BADGE,
            "corner": measures.BADGE_CORNER,
            "letters": measures.BADGE_LETTERS,
            "least": measures.LEAST_BADGE,
            "color": theme.ACCENT,
            "rim": theme.BACKGROUND,
        },
        "coordinates": theme.COORDINATES,
        "tall": measures.TALL,
        "detail": measures.LEAST_DETAIL,
        "whole": measures.LEAST_WHOLE,
        "base": {
            "size": measures.BASE,
            "opacity": measures.BASE_OPACITY,
            "level": measures.LEVEL,
            "corner": measures.LEVEL_CORNER,
            "letters": measures.LEVEL_LETTERS,
        },
        "letters": {
            "least": measures.LEAST_LETTERS,
            "label": measures.LEAST_LABEL,
            "from": measures.LETTERED,
        },
        "laneOpacity": measures.LANE_OPACITY,
        "link": {
            "width": measures.LINK_WIDTH,
            "least": measures.LEAST_LINK,
            "begin": measures.LINK_BEGIN,
            "end": measures.LINK_END,
            "rim": signs.LINK_RIM,
            "rimOpacity": signs.RIM_OPACITY,
        },
        "sign": {
            "corner": measures.SIGN_CORNER,
            "least": measures.LEAST_SIGN,
            "grid": icons.GRID,
            "margin": icons.RIM,
        },
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


def formats() -> dict[str, object]:
    """Return how numbers are written."""
    return {
        "decimals": formatting.SCORE_DECIMALS,
        "thousands": formatting.THOUSANDS,
        "cpu": formatting.CPU,
        "cpuUnits": formatting.CPU_UNITS,
        "winner": formatting.WINNER,
        "draw": formatting.DRAW,
    }


def _sign(mark: Mark) -> dict[str, object]:
    shape = icons.SIGNS[mark]
    return {
        "color": theme.MARK_COLORS[mark],
        "rimColor": theme.MARK_RIMS.get(mark, theme.MARK_RIM),
        "rim": shape.rim,
        "size": measures.SIGN_SIZES.get(mark, measures.SIGN),
        "isCornered": mark in measures.CORNERED,
        "isLink": mark in measures.LINKS,
        "parts": [_part(part) for part in shape.parts],
        "over": [_part(part) for part in shape.over],
    }


def _part(part: icons.Part) -> dict[str, object]:
    """Return a part of a sign: a line, a polygon, a disc or a ring."""
    if isinstance(part, icons.Dot):
        return part._asdict()
    points = [(round(x, 2), round(y, 2)) for x, y in part.points]
    if isinstance(part, icons.Stroke):
        return {"line": points, "width": part.width}
    return {"polygon": points}
