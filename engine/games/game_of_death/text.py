"""The battle as text: a map, scaled to what fits, with a legend."""

from collections import Counter

from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import make_comparison

MAX_COLUMNS, MAX_ROWS = 100, 50
LETTERS = "ABCD"


def legend(teams: int) -> str:
    """Return what the letters of the map mean."""
    letters, numbers = LETTERS[:teams], range(1, teams + 1)
    shapes = f"{', '.join(letters)}: shapes of team {', '.join(map(str, numbers))}"
    both = "both teams" if teams == 2 else "several teams"
    return (
        f"{shapes}   {', '.join(letters.lower())}: dying   *: holds a flag   x: body   "
        f"{', '.join(map(str, numbers))}: homes   !: {both} in one square"
    )


def draw(state: Battle) -> str:
    """Return the map; a letter stands for a square of cells, and shows the most important one."""
    settings = state.settings
    scale = max(1, -(-settings.width // MAX_COLUMNS), -(-settings.height // MAX_ROWS))
    columns, rows = -(-settings.width // scale), -(-settings.height // scale)
    lines = [
        "".join(_square_letter(state, column, row, scale) for column in range(columns))
        for row in range(rows)
    ]
    cells = "1 cell" if scale == 1 else f"{scale} by {scale} cells"
    return "\n".join([f"turn {state.turn}, a letter is {cells}", *lines, legend(state.teams)])


def describe(state: Battle, team: int) -> str:
    """Return what a team has, such as `3 Wall, 2 Runner: 31 cells, 58 hp, may read Scout`."""
    why = state.refused[team - 1]
    if why is not None:
        return f"no army: {why}"
    out = state.defeats[team - 1]
    army = _army_text(state, team) if out is None else f"defeated in turn {out.turn}"
    had = make_comparison(state, team)
    taken = f"; killed {had.kills} {state.settings.kill_target_counts}, took {had.hp_taken} hp"
    learned = [
        state.types[enemy - 1][number].name + ("" if state.teams == 2 else f" of team {enemy}")
        for enemy in state.enemy_teams(team)
        for number in state.disclosed[state.pair_index(team, enemy)]
    ]
    may_read = f", may read {' and '.join(learned)}" if learned else ""  # rules 7.4
    return f"{army}{taken if had.hp_taken else ''}{may_read}"


def _army_text(battle: Battle, team: int) -> str:
    living = list(battle.living_shapes(team))
    if not living:
        return "no shapes"
    counts = Counter(battle.piece_type(shape).name for shape in living)
    names = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    cells, hp = battle.living_cells(team), sum(shape.hp for shape in living)
    return f"{names}: {cells} cells, {hp} hp{_flags_text(battle, team)}"


def _flags_text(battle: Battle, team: int) -> str:
    held = [
        f"team {owner}"
        for owner, bearer in enumerate(battle.bearers, 1)
        if bearer and battle.piece_team(bearer) == team
    ]
    if battle.teams == 2:
        return ", holds the flag" if held else ""
    delivered = battle.delivered[team - 1]
    flags = "1 flag" if delivered == 1 else f"{delivered} flags"
    brought = f", {flags} brought home" if delivered else ""
    return f"{brought}, holds the flag of {' and '.join(held)}" if held else brought


def _square_letter(battle: Battle, column: int, row: int, scale: int) -> str:
    width, height = battle.settings.width, battle.settings.height
    there: set[int] = set()
    for y in range(row * scale, min(height, (row + 1) * scale)):
        first = y * width + column * scale
        there.update(battle.grid[first : y * width + min(width, (column + 1) * scale)])
    shapes = [battle.shapes[piece] for piece in there if piece in battle.shapes]
    if any(shape.id in battle.bearers for shape in shapes):
        return "*"
    teams = {battle.piece_team(shape.id) for shape in shapes}
    if len(teams) > 1:
        return "!"
    if teams:
        letter = LETTERS[min(teams) - 1]
        return letter.lower() if all(shape.dying_since for shape in shapes) else letter
    if any(piece in battle.bodies for piece in there):
        return "x"
    return next((str(team) for team in battle.all_teams if -team in there), ".")
