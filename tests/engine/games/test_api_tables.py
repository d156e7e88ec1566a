"""The tables of the API in the documents say what the code says: names, and types."""

import pytest

from engine.games.game_of_death import player as army
from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.perception import View
from engine.games.game_of_death.soldier import Soldier
from engine.games.slime_mind.player import BoardView
from engine.games.smac import player as smac
from engine.games.smack.player import Board, Position
from engine.simulation import Simulation
from tests.cases import for_each
from tests.engine.games.api_tables import public_names, tables, type_in_documents, types_of_row

OLD = frozenset({"neighbours", "centre", "centres", "free_centres", "why_not_centre"})
"""As bots written before 1.0.0 call them."""
OURS = frozenset({"answer", "refused_lines", "state"})
"""What the engine asks of them."""
WRITTEN = frozenset({"update", "die", "drawing", "design"})
"""What authors write themselves."""
SHAPE = (army.Shape,)
DOCUMENTED: dict[str, list[tuple[type, ...]]] = {
    "writing_a_bot.md": [
        (BoardView,),
        (Simulation,),
        (Board, Position),
        (smac.PlacementSheet,),
        (smac.OrderSheet,),
        (smac.Board,),
    ],
    "writing_an_army.md": [
        *((Soldier,), (FlagRunner,), (army.BasePlayer,)),
        *(SHAPE, SHAPE, SHAPE, (View,), SHAPE),
    ],
}
CLASSES = sorted(
    {kind for each in DOCUMENTED.values() for kinds in each for kind in kinds},
    key=lambda kind: f"{kind.__module__}.{kind.__name__}",
)


def documented_names(kind: type) -> set[str]:
    """Return the names that stand in the tables of a class."""
    return {
        name
        for document, owners in DOCUMENTED.items()
        for owner, rows in zip(owners, tables(document), strict=True)
        if kind in owner
        for row in rows
        for name in row.names
    }


@pytest.mark.parametrize("document", DOCUMENTED)
def test_the_types_in_the_tables_are_those_of_the_code(document: str) -> None:
    wrong = [
        (name, told, is_so)
        for kinds, rows in zip(DOCUMENTED[document], tables(document), strict=True)
        for row in rows
        for name, told, is_so in types_of_row(kinds, row)
        if told != is_so
    ]
    assert wrong == []


@for_each("kind", CLASSES)
def test_everything_that_a_bot_may_use_stands_in_a_table(kind: type) -> None:
    inherited = public_names(army.Shape, frozenset()) if kind in (Soldier, FlagRunner) else set()
    if kind is FlagRunner:
        inherited |= public_names(Soldier, frozenset())
    names = public_names(kind, OLD | OURS | WRITTEN) - inherited
    assert names - documented_names(kind) == set()


def test_a_generator_is_told_as_what_it_yields() -> None:
    assert (
        type_in_documents((Position,), "quiet_targets") == "Iterator[tuple[tuple[int, int], int]]"
    )
