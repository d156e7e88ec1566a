"""The sizes of what is drawn on boards, the same in every way of watching.

Lengths are in squares of the board where nothing else is said.
"""

from collections.abc import Mapping

from visualizer.scene import Mark

TILE_BORDER = 0.05
BORDER, FRONT_EDGE = 0.08, 0.24
"""The widths of the lines along a block's edges and its front."""
MIN_SHAPE = 6
"""Blocks that face somewhere are drawn as their hull where they were thinner, pixels."""
SMALL_MAP = 0.2
"""The width of the map beside a part of it, of its width."""
FINEST_BORDER = 5
"""Blocks whose squares have fewer pixels have no border: it would cover most of them."""

BAR_WIDTH = 0.8
"""The width of a bar, as a share of its square or of its block."""
BAR_HEIGHT, BAR_BOTTOM = 0.11, 0.47
"""The height of a bar, and how far its lower edge is below the middle of its square."""
MIN_BAR_HEIGHT = 3
"""Pixels: a bar is lower on no board."""
MAX_BAR_SQUARES, MIN_BAR_WIDTH = 4, 12
"""A block's bar has at most so many squares, and at least so many pixels, to be wide in."""

BADGE, BADGE_CORNER = 0.4, 0.3
"""The diameter of a badge, and how far its middle is above and right of that of its square."""
BADGE_LETTER_SCALE = 0.72
"""The size of a badge's letters, as a share of it."""
MIN_BADGE_SIZE = 6
"""Pixels."""
MIN_LABEL_SIZE, MIN_LETTER_SIZE = 5.5, 9
"""Labels that were smaller than the first are left out, pixels; letters that were smaller than the
second are as large as it: smaller ones cannot be read."""
MIN_LETTERED_SQUARE = 12
"""From so many pixels of a square on, levels and badges have letters, however large."""

BASE, BASE_OPACITY = 0.94, 0.5
"""The diameter of the disc below a team's piece, and how much of the ground it covers."""
LEVEL, LEVEL_CORNER = 0.4, 0.3
"""The diameter of the disc of a level, and how far its middle is above and left of the piece's."""
LEVEL_LETTERS = 0.8

MIN_DETAIL_SCALE = 18
"""Sprites that have a plain color have no more than it where squares have fewer pixels."""
MIN_WHOLE_BOARD_SCALE = 6
"""Of a board whose squares would have fewer pixels, small screens show a part, if pieces of it
are followed."""

SIGN_WIDTH = 0.62
"""The width of a sign."""
SIGN_SIZES: Mapping[Mark, float] = {Mark.DEATH: 0.9, Mark.BIRTH: 1.1, Mark.JOIN: 1.1}
"""The widths of the signs that have another one."""
SIGN_CORNER = 0.28
"""How far the signs of a corner are above and left of the middle: badges are on the right."""
CORNER_SIGNS = (Mark.RISE, Mark.FLAG, Mark.SPECIAL, Mark.FAULT, Mark.BLOCKED, Mark.CALL)
"""The signs in the corner, where they do not hide the piece."""
MIN_SIGN_SCALE = 14
"""Signs are drawn as if squares had at least so many pixels."""
LINKING_SIGNS = (Mark.STRIKE, Mark.BIRTH, Mark.JOIN)
"""The signs that link two things by a line, and are drawn where it ends."""
LINK_WIDTH, MIN_LINK_WIDTH = 0.09, 2.0
"""The width of that line, and the least one in pixels."""
LINK_BEGIN, LINK_END = 0.22, 0.9
"""Where that line begins and ends, as shares of the way: both ends stay visible."""
LINK_RIM, RIM_OPACITY = 2, 0.8
"""How much wider the rim of that line is than the line, pixels, and its opacity."""
LANE_OPACITY = 0.35
"""How much of the ground an attack lane covers."""

WAY, MIN_WAY = 0.1, 2.0
"""The width of the line behind what moves far, and the least one in pixels."""
RISING_LETTERS = 0.55
"""The size of words that rise."""
DRAWN_LINE, MIN_DRAWN_LINE = 0.09, 1.5
"""The width of a line that a bot drew, and the least one in pixels."""
DRAWN_RIM = 1.9
"""How much wider its rim is, which stands out from any ground."""
DRAWN_TEXT, MIN_DRAWN_TEXT = 0.5, 10
"""The height of a text that a bot drew, and the least one in pixels."""

TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000)
TICK_GAP = 52
"""The numbers of turns above a graph, and the least distance between them, points."""
AXIS = 14
"""The room above a graph for them, points."""
CURVE, GOAL_LINE = 1.8, 1.2
"""The widths of the lines of scores and of the winning score, points."""
DASH, DASH_GAP = 5, 4
"""The dashes of the line of the winning score, points."""
SHADE_OPACITY = 0.13
"""The opacity of a team's color below its line."""
CURVE_BADGE = 12
"""The size of a team's number beside its line, points."""

CPU_LANES = 2
"""The height of the lane of CPU time, in lanes of events."""
FULL_SIZE_MARKS = 6
"""From so many marks at one place of a lane on, a mark has its full size."""

FOLLOW_ZOOM = 2.5
"""How much larger a board is whose pieces are followed."""
MIN_MAX_ZOOM = 4
"""A board comes at least so many times closer."""
TALL_RATIO = 1.2
"""A board that is less wide than so many times its height gets all the height of a window or page,
and everything else stands beside it."""
