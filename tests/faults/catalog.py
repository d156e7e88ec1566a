"""All seeded faults, area by area."""

from tests.faults import (
    classes,
    commands,
    designing,
    game_of_death,
    guarding,
    installing,
    judging,
    ladders,
    learning,
    library,
    over_http,
    remote,
    replays,
    serving,
    slime_mind,
    smac,
    smack,
    statistics,
    storage,
    strangers,
    tournaments,
    verdicts,
    writing,
)
from tests.faults.seeded import SeededFault

AREAS = (
    *(slime_mind, smack, smac, game_of_death, judging, replays),
    *(statistics, tournaments, storage, guarding, over_http),
    *(
        serving,
        ladders,
        verdicts,
        learning,
        designing,
        strangers,
        classes,
        commands,
        writing,
        remote,
        library,
        installing,
    ),
)
FAULTS: tuple[SeededFault, ...] = tuple(fault for area in AREAS for fault in area.FAULTS)
