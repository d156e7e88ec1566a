"""The slimes of both teams, and their kings.

The teams differ in hue, in lightness and in shape: a round head with a feeler, a square one
with horns.
"""

from resources.sprites.canvas import Canvas, Fade, mixed
from resources.sprites.paths import (
    Path,
    both,
    curve,
    flipped,
    loop,
    oval,
    raised,
    symmetric,
    symmetric_loop,
    turned,
)
from visualizer.theme import TEAM_COLORS

BLUE, ORANGE = TEAM_COLORS[:2]
BLUE_EDGE, ORANGE_EDGE = "#0f2c63", "#5b2408"
STRIPE = mixed(ORANGE_EDGE, ORANGE, 0.2)
WHITE, INK = "#ffffff", "#161a2e"
CHEEK = "#ff8fb3a0"
HORN, HORN_SHADE = "#fff6dc", "#e3b877"
CRIMSON, CRIMSON_SHADE, CRIMSON_EDGE = "#e23a58", "#9c1638", "#4a0a20"
GOLD, GOLD_LIGHT, GOLD_SHADE, GOLD_EDGE = "#f7c531", "#ffe98a", "#d98d12", "#6b3d08"
PEARL, RUBY, RUBY_LIGHT, SAPPHIRE = "#fffbe0", "#e2345a", "#ff7d98", "#49c3f5"

EDGE = 11
"""The width of edges, visible where a slime is 16 pixels tall."""
FINE_EDGE = 5

FOOT = (
    *((229, 164), (234, 190), (246, 214), (236, 233), (210, 235)),
    *((186, 229), (160, 234), (144, 241), (128, 243)),
)
DOME = symmetric_loop((128, 58), (178, 70), (213, 110), *FOOT)
BLOCK = symmetric_loop((128, 58), (176, 60), (210, 74), (225, 112), *FOOT)


def draw_slime_1() -> Canvas:
    """Draw team 1's slime: a round blue dome with wide eyes and a feeler."""
    canvas = Canvas()
    feeler(canvas)
    gel(canvas, DOME, BLUE, BLUE_EDGE)
    shine(canvas, 80, 96)
    friendly_face(canvas)
    return canvas


def draw_slime_2() -> Canvas:
    """Draw team 2's slime: an orange block with horns, stripes and slanting eyes."""
    canvas = Canvas()
    horns(canvas)
    gel(canvas, BLOCK, ORANGE, ORANGE_EDGE)
    brow_stripe(canvas)
    flank_stripes(canvas)
    shine(canvas, 58, 88)
    fierce_face(canvas)
    return canvas


def draw_king_1() -> Canvas:
    """Draw team 1's slime in cape and crown."""
    canvas = Canvas()
    cape(canvas)
    gel(canvas, DOME, BLUE, BLUE_EDGE)
    friendly_face(canvas)
    crown(canvas)
    return canvas


def draw_king_2() -> Canvas:
    """Draw team 2's slime in cape and crown, the horns beside it."""
    canvas = Canvas()
    cape(canvas)
    horns(canvas, spread=30)
    gel(canvas, BLOCK, ORANGE, ORANGE_EDGE)
    flank_stripes(canvas)
    fierce_face(canvas)
    crown(canvas)
    return canvas


def gel(canvas: Canvas, body: Path, color: str, edge: str) -> None:
    """Paint a translucent body: bright above, dark at its foot."""
    canvas.shape(body, mixed(color, edge, 0.35), edge, EDGE)
    lit = Fade(mixed(color, WHITE, 0.3), color, 50, 170)
    canvas.fill(raised(body, 15), lit, within=body)


def shine(canvas: Canvas, x: float, y: float) -> None:
    """Paint the highlight of a body."""
    canvas.fill(oval(x, y, 20, 11, tilt=-42), "#ffffffc8")
    canvas.fill(oval(x - 22, y + 21, 6, 5, tilt=-42), "#ffffffa0")


def feeler(canvas: Canvas) -> None:
    """Paint a stalk with a ball; the body hides its root."""
    stalk, ball = curve((122, 90), (126, 50), (146, 26)), oval(150, 24, 18)
    canvas.stroke(stalk, BLUE_EDGE, 15 + 2 * EDGE)
    canvas.shape(ball, BLUE, BLUE_EDGE, EDGE)
    canvas.stroke(stalk, BLUE, 15)
    canvas.fill(ball, Fade(mixed(BLUE, WHITE, 0.6), BLUE, 4, 44))
    canvas.fill(oval(144, 17, 6, 5), "#ffffffd8")


def friendly_face(canvas: Canvas) -> None:
    """Paint round eyes that look at each other, red cheeks, and a laugh."""
    for eye in both(oval(84, 142, 26, 31)):
        canvas.shape(eye, WHITE, BLUE_EDGE, FINE_EDGE)
    for x in (91, 165):
        canvas.fill(oval(x, 147, 16, 21), INK)
        canvas.fill(oval(x + 5, 137, 7), WHITE)
        canvas.fill(oval(x - 6, 157, 3.5), "#ffffffb0")
    for cheek in both(oval(52, 184, 14, 8)):
        canvas.fill(cheek, CHEEK)
    upper = curve((104, 184), (128, 189), (152, 184))
    mouth = upper + curve((152, 184), (147, 204), (128, 214), (109, 204), (104, 184))
    canvas.shape(mouth, "#6d1536", BLUE_EDGE, FINE_EDGE)
    canvas.fill(oval(128, 211, 18, 12), "#ff7d95", within=mouth)


def horns(canvas: Canvas, spread: float = 0) -> None:
    """Paint two horns, leaning outwards by degrees; the body hides their roots."""
    inner = curve((160, 78), (184, 56), (196, 34), (194, 12))
    outer = curve((194, 12), (222, 34), (230, 66), (218, 104))
    for horn in both(turned(inner + outer, (220, 98), spread)):
        canvas.shape(horn, Fade(HORN, HORN_SHADE, 20, 90), ORANGE_EDGE, EDGE)


def brow_stripe(canvas: Canvas) -> None:
    """Paint a stripe from the top of the head down between the eyes."""
    right = curve((143, 40), (139, 84), (128, 106))
    canvas.fill(symmetric(right), STRIPE, within=BLOCK)


def flank_stripes(canvas: Canvas) -> None:
    """Paint two stripes on each side."""
    for y in (164, 198):
        for stripe in both(loop((250, y - 12), (206, y + 6), (250, y + 12))):
            canvas.fill(stripe, STRIPE, within=BLOCK)


def fierce_face(canvas: Canvas) -> None:
    """Paint eyes below a frown, and fangs."""
    lid = curve((142, 146), (172, 122), (208, 108))
    right = lid + curve((208, 108), (210, 148), (192, 172), (164, 172), (142, 146))
    for eye in both(right):
        canvas.shape(eye, "#fffbe8", ORANGE_EDGE, FINE_EDGE)
    for x, eye in zip((176, 80), both(right), strict=True):
        canvas.fill(oval(x, 147, 12, 17), INK, within=eye)
        canvas.fill(oval(x + 4, 141, 5), WHITE)
    for brow in both(curve((138, 140), (172, 114), (213, 99))):
        canvas.stroke(brow, ORANGE_EDGE, 12)
    upper = curve((88, 188), (128, 195), (168, 188))
    mouth = upper + curve((168, 188), (156, 209), (128, 217), (100, 209), (88, 188))
    canvas.shape(mouth, "#6a1420", ORANGE_EDGE, FINE_EDGE)
    canvas.fill(oval(128, 214, 18, 10), "#ef5a5a", within=mouth)
    for fang in both([(100, 184), (122, 186), (112, 208)]):
        canvas.fill(fang, "#fff6e6", within=mouth)


def cape(canvas: Canvas) -> None:
    """Paint a cape, seen on both sides of the body and below it."""
    right = curve((128, 70), (202, 84), (246, 146), (268, 238))
    hem = curve((268, 238), (200, 250), (128, 250))
    velvet = Fade(CRIMSON, CRIMSON_SHADE, 100, 230)
    canvas.shape(symmetric(right + hem), velvet, CRIMSON_EDGE, EDGE)


def draw_crown() -> Canvas:
    """Draw the crown alone, for slimes without a picture with one."""
    canvas = Canvas()
    crown(canvas)
    return canvas


def crown(canvas: Canvas) -> None:
    """Paint five points with pearls on them, and jewels in the band."""
    right: Path = [(128, -14), (144, 24), (171, -8), (175, 28), (202, 14), (192, 78)]
    rim = curve((192, 78), (128, 90), (64, 78))
    gold = [*right, *rim, *flipped(reversed(right))]
    canvas.shape(gold, Fade(GOLD_LIGHT, GOLD, 0, 60), GOLD_EDGE, EDGE)
    band = [*rim, *curve((56, 52), (128, 64), (200, 52))]
    canvas.fill(band, GOLD_SHADE, within=gold)
    for x, y in ((128, -16), (171, -8), (202, 14)):
        for pearl in both(oval(x, y, 11)):
            canvas.shape(pearl, Fade(PEARL, GOLD, y - 8, y + 12), GOLD_EDGE, 7)
    canvas.shape(oval(128, 75, 15, 12), Fade(RUBY_LIGHT, RUBY, 64, 88), GOLD_EDGE, FINE_EDGE)
    canvas.fill(oval(124, 71, 4, 3), "#ffffffd0")
    for sapphire in both(oval(84, 70, 8, 7)):
        canvas.fill(sapphire, SAPPHIRE)
