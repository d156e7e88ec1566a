"""All seeded faults, area by area."""

from tests.faults import (
    game_of_death,
    guarding,
    judging,
    replays,
    slime_mind,
    smac,
    smack,
    statistics,
    storage,
    tournaments,
)
from tests.faults.seeded import SeededFault

AREAS = (
    *(slime_mind, smack, smac, game_of_death, judging, replays),
    *(statistics, tournaments, storage, guarding),
)
FAULTS: tuple[SeededFault, ...] = tuple(fault for area in AREAS for fault in area.FAULTS)
