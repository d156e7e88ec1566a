"""Armies from which somebody may start to draw; each shows another idea."""

from engine.games.game_of_death.drawn_armies import DrawnArmy, DrawnType, Place, filled
from engine.games.game_of_death.settings import Settings


def start_armies(settings: Settings) -> list[DrawnArmy]:
    """Return some armies for a grid: one of small runners, one of hunters, one that waits."""
    return [_raid(settings), _hunt(settings), _fort(settings)]


def _raid(settings: Settings) -> DrawnArmy:
    """Return fast bars that run for the flag, and a few longer ones that clear the way."""
    lancer = DrawnType(name="Lancer", rows=("######",), behavior="Hunter")
    runner = DrawnType(name="Runner", rows=("###",), behavior="Runner")
    army = DrawnArmy(name="Raid", types=(lancer, runner), placements=())
    army = filled(army, 0, settings.max_cells // 24, settings)
    return filled(army, 1, settings.max_cells, settings)


def _hunt(settings: Settings) -> DrawnArmy:
    """Return blocks that chase whatever they see."""
    block = DrawnType(name="Block", rows=("##", "##"), behavior="Hunter")
    army = DrawnArmy(name="Hunt", types=(block,), placements=())
    return filled(army, 0, settings.max_cells, settings)


def _fort(settings: Settings) -> DrawnArmy:
    """Return a keep at the home that shoots all small shapes, and bars that go for the enemy."""
    keep = DrawnType(name="Keep", rows=("#######",) * 7, behavior="Guard")
    lance = DrawnType(name="Lance", rows=("#" * 12,), behavior="Breaker")
    right = settings.home_u + settings.home_width
    army = DrawnArmy(name="Fort", types=(keep, lance), placements=(Place(0, right, -7),))
    return filled(army, 1, settings.max_cells, settings)
