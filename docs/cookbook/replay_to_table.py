"""Write what happened in a match as a table that any program reads."""

import csv
from collections import Counter
from pathlib import Path

from slime_mind_arena import play, read_replay

replay = read_replay(play("player_two", "player_three", preset="small", seed=7))
kinds = sorted({event.kind for turn in replay.turns() for event in turn.events})
with Path("events.csv").open("w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["turn", *kinds])
    for turn in replay.turns():
        found = Counter(event.kind for event in turn.events)
        table.writerow([turn.number, *(found[kind] for kind in kinds)])
print(f"events.csv: {replay.last_turn} turns of {' against '.join(replay.bots)}")
