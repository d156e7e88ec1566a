"""Draw the board of a turn as text, with nothing of our viewers."""

from slime_mind_arena import play, read_replay

replay = read_replay(play("player_two", "player_three", preset="small", seed=7))
board = replay.state(10)
rows = [["."] * replay.settings["columns"] for _ in range(replay.settings["rows"])]
for plant in board["plants"].values():
    rows[plant["y"]][plant["x"]] = "*"
for slime in board["slimes"].values():
    rows[slime["y"]][slime["x"]] = str(slime["team"])
print("\n".join("".join(row) for row in rows))
