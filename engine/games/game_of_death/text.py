"""The battle as text: a map, scaled to what fits, with a legend."""

from collections import Counter

from engine.games.game_of_death.pieces import team_of
from engine.games.game_of_death.state import HOMES, TEAMS, Battle

MAX_COLUMNS, MAX_ROWS = 100, 50
LETTERS = "AB"
LEGEND = (
    "A, B: shapes of team 1, 2   a, b: dying   *: holds a flag   x: body   1, 2: homes   "
    "!: both teams in one square"
)


def draw(battle: Battle) -> str:
    """Return the map; a letter stands for a square of cells, and shows the most important one."""
    settings = battle.settings
    scale = max(1, -(-settings.width // MAX_COLUMNS), -(-settings.height // MAX_ROWS))
    columns, rows = -(-settings.width // scale), -(-settings.height // scale)
    lines = [
        "".join(_letter(battle, column, row, scale) for column in range(columns))
        for row in range(rows)
    ]
    cells = "1 cell" if scale == 1 else f"{scale} by {scale} cells"
    return "\n".join([f"turn {battle.turn}, a letter is {cells}", *lines, LEGEND])


def describe(battle: Battle, team: int) -> str:
    """Return what a team has, such as `3 Wall, 2 Runner: 31 cells, 58 hp, may read Scout`."""
    why = battle.refused[team - 1]
    if why is not None:
        return f"no army: {why}"
    learned = [battle.types[2 - team][number].name for number in battle.disclosed[team - 1]]
    may_read = f", may read {' and '.join(learned)}" if learned else ""  # rules 7.4
    return f"{_army(battle, team)}{may_read}"


def _army(battle: Battle, team: int) -> str:
    living = list(battle.living(team))
    if not living:
        return "no shapes"
    counts = Counter(battle.type_of(shape).name for shape in living)
    names = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    cells, hp = battle.living_cells(team), sum(shape.hp for shape in living)
    flag = ", holds the flag" if battle.bearers[2 - team] else ""
    return f"{names}: {cells} cells, {hp} hp{flag}"


def _letter(battle: Battle, column: int, row: int, scale: int) -> str:
    width, height = battle.settings.width, battle.settings.height
    there: set[int] = set()
    for y in range(row * scale, min(height, (row + 1) * scale)):
        first = y * width + column * scale
        there.update(battle.grid[first : y * width + min(width, (column + 1) * scale)])
    shapes = [battle.shapes[piece] for piece in there if piece in battle.shapes]
    if any(shape.id in battle.bearers for shape in shapes):
        return "*"
    teams = {team_of(shape.id) for shape in shapes}
    if len(teams) == len(TEAMS):
        return "!"
    if teams:
        letter = LETTERS[min(teams) - 1]
        return letter.lower() if all(shape.dying_since for shape in shapes) else letter
    if any(piece in battle.bodies for piece in there):
        return "x"
    return next((str(team) for team in TEAMS if HOMES[team - 1] in there), ".")
