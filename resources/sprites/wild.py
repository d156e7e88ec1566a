"""The plants and rocks of Slime Mind."""

from resources.sprites.canvas import Canvas, Fade, mixed
from resources.sprites.paths import Path, Point, both, curve, flipped, loop, oval, turned

LEAF, LEAF_LIGHT, LEAF_EDGE = "#4fae3a", "#a5e26a", "#173f1c"
VEIN = mixed(LEAF, LEAF_EDGE, 0.35)
PETAL, PETAL_SHADE, PETAL_EDGE = "#fff4fb", "#f7b6dc", "#7c2a63"
DISC, DISC_LIGHT, SEED = "#f6c02e", "#ffe27a", "#7a4a0c"
STONE, STONE_LIGHT, STONE_SHADE, STONE_EDGE = "#8d95a3", "#c3cad4", "#646c7b", "#2c323d"
CRACK = mixed(STONE_EDGE, STONE_SHADE, 0.2)

EDGE = 11
PETALS = 7
HEART: Point = (128, 100)


def draw_plant() -> Canvas:
    """Draw a seedling: two leaves on a stalk."""
    canvas = Canvas()
    stalk = curve((128, 240), (124, 190), (128, 140))
    canvas.stroke(stalk, LEAF_EDGE, 20 + 2 * EDGE)
    large = curve((128, 150), (132, 92), (172, 42), (242, 22))
    large += curve((242, 22), (248, 84), (208, 142), (128, 150))
    leaf(canvas, large, curve((128, 150), (168, 104), (212, 64)))
    small = curve((128, 172), (136, 124), (172, 92), (238, 88))
    small += curve((238, 88), (232, 146), (188, 182), (128, 172))
    leaf(canvas, flipped(small), flipped(curve((128, 172), (170, 144), (206, 118))))
    canvas.stroke(stalk, LEAF, 20)
    return canvas


def leaf(canvas: Canvas, outline: Path, vein: Path) -> None:
    """Paint a leaf with a visible vein."""
    canvas.shape(outline, Fade(LEAF_LIGHT, LEAF, 30, 150), LEAF_EDGE, EDGE)
    canvas.stroke(vein, VEIN, 7)


def draw_plant_max() -> Canvas:
    """Draw a full-grown plant: a pale flower full of seeds."""
    canvas = Canvas()
    stalk = curve((128, 246), (126, 200), (128, 150))
    canvas.stroke(stalk, LEAF_EDGE, 18 + 2 * EDGE)
    upper = curve((128, 238), (150, 196), (190, 180), (232, 186))
    lower = curve((232, 186), (220, 226), (180, 248), (128, 238))
    for outline in both(upper + lower):
        canvas.shape(outline, Fade(LEAF_LIGHT, LEAF, 170, 240), LEAF_EDGE, EDGE)
    canvas.stroke(stalk, LEAF, 18)
    petals(canvas)
    seeds(canvas)
    return canvas


def petals(canvas: Canvas) -> None:
    """Paint the petals, each over the one before, with an edge around them all."""
    upright = loop((128, 96), (98, 48), (108, 14), (128, 6), (148, 14), (158, 48))
    flush = oval(128, 70, 18, 34)
    angles = [360 * petal / PETALS for petal in range(PETALS)]
    for angle in angles:
        canvas.shape(turned(upright, HEART, angle), PETAL, PETAL_EDGE, EDGE)
    for angle in angles:
        petal = turned(upright, HEART, angle)
        canvas.shape(petal, PETAL, PETAL_EDGE, 4)
        canvas.fill(turned(flush, HEART, angle), PETAL_SHADE, within=petal)


def seeds(canvas: Canvas) -> None:
    """Paint the golden disc in the middle."""
    x, y = HEART
    canvas.shape(oval(x, y, 36), Fade(DISC_LIGHT, DISC, 66, 130), SEED, 9)
    for dx, dy in ((0, 1), (-17, -7), (17, -7), (-10, 16), (10, 16), (0, -19)):
        canvas.fill(oval(x + dx, y + dy, 5, 6), SEED)


def draw_rock() -> Canvas:
    """Draw a boulder with a crack, and a pebble before it."""
    canvas = Canvas()
    boulder(canvas)
    pebble: Path = [(26, 243), (20, 214), (40, 194), (72, 192), (94, 214), (92, 243)]
    canvas.shape(pebble, STONE, STONE_EDGE, EDGE)
    top: Path = [(20, 214), (40, 194), (72, 192), (64, 210), (40, 219)]
    canvas.fill(top, STONE_LIGHT, within=pebble)
    return canvas


def boulder(canvas: Canvas) -> None:
    """Paint a boulder, lit from above and from the left."""
    crown: Path = [(34, 108), (82, 44), (138, 26), (192, 48)]
    right: Path = [(192, 48), (228, 112), (244, 182), (226, 236)]
    left: Path = [(32, 236), (14, 186), (34, 108)]
    stone = [*left, *crown, *right]
    canvas.shape(stone, Fade(STONE, STONE_SHADE, 120, 250), STONE_EDGE, EDGE)
    canvas.fill([*crown, (158, 92), (84, 112)], STONE_LIGHT)
    canvas.fill([*left, (84, 112), (68, 176)], mixed(STONE, STONE_LIGHT, 0.45))
    canvas.fill([*right, (170, 236), (184, 164), (158, 92)], STONE_SHADE)
    canvas.stroke([(158, 92), (140, 122), (152, 142), (134, 172)], CRACK, 7)
    canvas.stroke([(140, 122), (120, 134)], CRACK, 6)
    canvas.stroke([(92, 62), (126, 46)], "#ffffff90", 9)
