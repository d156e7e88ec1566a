"""The file of an army that was drawn: a bot to read, and the data from which it is opened again.

The data stand in comments: nothing of a file is run to read it.
"""

import json
from textwrap import dedent, indent, wrap

import msgspec

from engine.games.game_of_death.behaviors import BEHAVIORS
from engine.games.game_of_death.disclosure import class_source
from engine.games.game_of_death.drawn_armies import WRITTEN, DrawnArmy, DrawnType, code_lines
from engine.games.game_of_death.geometry import trim_drawing
from engine.games.game_of_death.soldier import Soldier

DATA = "#| "
"""How the lines of a file begin that hold its data."""
DATA_LETTERS = 96
OPENED_BY = "# The designer opens this file by the data below, and sees no change made above."


class BadArmy(ValueError):
    """Why a file holds no army that was drawn, in a sentence."""


def file_name(army: DrawnArmy) -> str:
    """Return what the file of an army is called."""
    letters = "".join(
        letter if letter.isascii() and letter.isalnum() else "_" for letter in army.name.lower()
    )
    return f"player_{letters.strip('_') or 'army'}.py"


def source_of_army(army: DrawnArmy) -> str:
    """Return the file of an army without mistakes: a bot to read, and to go on with by hand."""
    blocks = [
        _format_imports(army),
        *map(_render_class, army.types),
        _format_placements(army),
        PLAYER,
        _data_comment(army),
    ]
    return "\n\n\n".join(block.strip("\n") for block in blocks) + "\n"


def army_in(source: str) -> DrawnArmy:
    """Return the army that a file was written from. Raises: BadArmy."""
    lines = [line.removeprefix(DATA) for line in source.splitlines() if line.startswith(DATA)]
    if not lines:
        raise BadArmy(
            f"the file has no lines that begin with {DATA.strip()}: it was not made by the "
            "designer, or they were removed"
        )
    try:
        return msgspec.json.decode("".join(lines).encode(), type=DrawnArmy)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadArmy(f"its data were changed, and cannot be read: {error!s:.200}") from error


def behavior_code(behavior: str) -> str:
    """Return the methods of a behavior, to be changed by whoever wants another one."""
    source = class_source(BEHAVIORS[behavior], Soldier).rpartition(f"class {behavior}(")[2]
    _, _, body = source.partition("\n")
    docstring, _, methods = body.partition("\n\n")
    assert docstring.endswith('"""')
    return dedent(methods) + "\n"


def lines_before_code(army: DrawnArmy, number: int) -> int:
    """Return how many lines of the file of an army stand before the code of a type."""
    cut = msgspec.structs.replace(army, types=army.types[: number + 1])
    own = code_lines(army.types[number].code.strip("\n"))
    blocks = [_format_imports(army), *map(_render_class, cut.types)]
    return len("\n\n\n".join(block.strip("\n") for block in blocks).split("\n")) - len(own)


PLAYER = '''
class Player(BasePlayer):
    """Places the army around its home, which is in another row in each match."""

    def design(self) -> None:
        """Place all shapes; one that would be off the grid goes to the nearest free place."""
        for kind, places in ARMY.items():
            for u, v in places:
                self.place_near(kind, u, self.home.v + v)
'''


def _format_imports(army: DrawnArmy) -> str:
    imports = []
    if any(drawn.behavior != WRITTEN for drawn in army.types):
        imports.append("from engine.games.game_of_death import behaviors")
    if any(drawn.behavior == WRITTEN for drawn in army.types):
        imports.append("from engine.games.game_of_death.flag_runner import FlagRunner")
    imports.append("from engine.games.game_of_death.player import BasePlayer")
    name = json.dumps(army.name, ensure_ascii=False)
    lines = "\n".join(imports)
    return f'"""An army that was drawn in the designer."""\n\n{lines}\n\nNAME = {name}\n'


def _render_class(drawn: DrawnType) -> str:
    is_written = drawn.behavior == WRITTEN
    base = "FlagRunner" if is_written else f"behaviors.{drawn.behavior}"
    drawing = indent("\n".join(trim_drawing(drawn.rows)), " " * 8)
    lines = [f"class {drawn.name}({base}):", '    drawing = """', drawing, '    """']
    if is_written:
        code = "\n".join(code_lines(drawn.code.strip("\n")))
        return "\n".join([*lines, "", indent(code, " " * 4)])
    return "\n".join([*lines, *(f"    {name} = {value}" for name, value in drawn.numbers.items())])


def _format_placements(army: DrawnArmy) -> str:
    lines = ["# The shapes of each type: column, and row counted from the home's first."]
    lines.append("ARMY = {")
    for number, drawn in enumerate(army.types):
        places = [f"({each.u}, {each.v})," for each in army.placements if each.type == number]
        if places:
            joined = " ".join(cell.replace(" ", "\0") for cell in places)
            rows = [row.replace("\0", " ") for row in wrap(joined, 88)]
            lines += [f"    {drawn.name}: [", *(f"        {row}" for row in rows), "    ],"]
    return "\n".join([*lines, "}"])


def _data_comment(army: DrawnArmy) -> str:
    letters = json.dumps(msgspec.to_builtins(army), separators=(",", ":"))
    rows = [letters[at : at + DATA_LETTERS] for at in range(0, len(letters), DATA_LETTERS)]
    return "\n".join([OPENED_BY, *(DATA + row for row in rows)])
