"""The two sides of Smack!: nerds and bullies, in the colors of either team.

A side has its shape: a slim head with glasses, or a broad one with a cap. A team has its hue
and its clothes: plain, or striped.
"""

from resources.sprites.canvas import Canvas, Fade, mixed
from resources.sprites.paths import Path, both, curve, loop, oval, symmetric_loop
from visualizer.scenes.smack import TEAM_COLORS

SKIN, SKIN_SHADE, SKIN_EDGE = "#ffd9b3", "#f0b585", "#5a3218"
TAN, TAN_SHADE = "#f2b88a", "#d68f5f"
HAIR, WHITE, INK = "#6b3f1d", "#ffffff", "#1c2233"
CHEEK = "#ff8f8f90"
EDGE, FINE = 11, 6

SHIRT = symmetric_loop((128, 178), (176, 184), (214, 208), (228, 250), (128, 252))
SLIM = symmetric_loop((128, 38), (182, 58), (200, 116), (176, 176), (128, 200))
BROAD = symmetric_loop((128, 60), (200, 72), (222, 128), (206, 190), (128, 214))


def draw_nerd(team: int) -> Canvas:
    """Draw a nerd: round glasses, a tuft of hair and a bow tie."""
    canvas = Canvas()
    shirt(canvas, team)
    canvas.shape(SLIM, Fade(SKIN, SKIN_SHADE, 60, 200), SKIN_EDGE, EDGE)
    hair = [*curve((62, 104), (66, 52), (128, 24), (190, 52), (194, 104))]
    hair += curve((194, 104), (172, 76), (140, 82), (112, 66), (84, 84), (62, 104))
    canvas.shape(hair, HAIR, SKIN_EDGE, EDGE)
    canvas.stroke(curve((120, 34), (112, 14), (124, 2)), SKIN_EDGE, 17)
    canvas.stroke(curve((120, 34), (112, 14), (124, 2)), HAIR, 9)
    glasses(canvas)
    canvas.stroke(curve((108, 176), (128, 184), (148, 176)), SKIN_EDGE, 8)
    bow_tie(canvas, team)
    return canvas


def draw_bully(team: int) -> Canvas:
    """Draw a bully: a cap over the eyes, a frown, and a grin with a gap."""
    canvas = Canvas()
    shirt(canvas, team)
    for ear in both(oval(34, 138, 20, 26)):
        canvas.shape(ear, TAN_SHADE, SKIN_EDGE, EDGE)
    canvas.shape(BROAD, Fade(TAN, TAN_SHADE, 80, 214), SKIN_EDGE, EDGE)
    for eye in both(oval(88, 134, 20, 17)):
        canvas.shape(eye, WHITE, SKIN_EDGE, FINE)
    for x in (94, 162):
        canvas.fill(oval(x, 137, 10, 12), INK)
    for brow in both(curve((60, 108), (88, 116), (114, 130))):
        canvas.stroke(brow, SKIN_EDGE, 14)
    mouth = curve((84, 178), (128, 188), (178, 172))
    grin = [*mouth, *curve((178, 172), (160, 204), (122, 208), (84, 178))]
    canvas.shape(grin, WHITE, SKIN_EDGE, FINE)
    canvas.fill([(122, 184), (138, 183), (137, 206), (124, 206)], INK, within=grin)
    cap(canvas, team)
    return canvas


def shirt(canvas: Canvas, team: int) -> None:
    """Paint it in the team's color; the second team's has stripes."""
    color = TEAM_COLORS[team - 1]
    canvas.shape(SHIRT, Fade(mixed(color, WHITE, 0.2), color, 180, 250), edge_of(team), EDGE)
    if team == 2:
        for x in (72, 128, 184):
            stripe: Path = [(x - 9, 170), (x + 9, 170), (x + 9, 256), (x - 9, 256)]
            canvas.fill(stripe, stripe_of(team), within=SHIRT)


def glasses(canvas: Canvas) -> None:
    """Paint thick glasses, with large eyes behind."""
    for lens in both(oval(88, 128, 33)):
        canvas.shape(lens, "#eaf6ff", INK, 9)
    canvas.stroke([(118, 124), (138, 124)], INK, 10)
    for x in (94, 162):
        canvas.fill(oval(x, 131, 13, 16), INK)
        canvas.fill(oval(x + 4, 124, 5), WHITE)
    for cheek in both(oval(66, 170, 12, 7)):
        canvas.fill(cheek, CHEEK)


def bow_tie(canvas: Canvas, team: int) -> None:
    """Paint a bow tie, dark against the shirt."""
    for wing in both(loop((128, 218), (88, 198), (84, 240))):
        canvas.shape(wing, stripe_of(team), edge_of(team), FINE)
    canvas.shape(oval(128, 219, 11, 12), mixed(stripe_of(team), WHITE, 0.3), edge_of(team), FINE)


def cap(canvas: Canvas, team: int) -> None:
    """Paint it in the team's color; the second team's has stripes."""
    color = TEAM_COLORS[team - 1]
    crown = [*curve((34, 98), (44, 32), (128, 2), (212, 32), (222, 98))]
    crown += curve((222, 98), (128, 76), (34, 98))
    canvas.shape(crown, Fade(mixed(color, WHITE, 0.35), color, 10, 90), edge_of(team), EDGE)
    if team == 2:
        for x, lean in ((76, -14), (128, 0), (180, 14)):
            stripe: Path = [(x - 9 - lean, 0), (x + 9 - lean, 0), (x + 9, 100), (x - 9, 100)]
            canvas.fill(stripe, stripe_of(team), within=crown)
    peak = [*curve((26, 100), (128, 72), (230, 100)), *curve((230, 100), (128, 122), (26, 100))]
    canvas.shape(peak, mixed(color, INK, 0.25), edge_of(team), EDGE)


def edge_of(team: int) -> str:
    return mixed(TEAM_COLORS[team - 1], INK, 0.72)


def stripe_of(team: int) -> str:
    return mixed(TEAM_COLORS[team - 1], INK, 0.5)
