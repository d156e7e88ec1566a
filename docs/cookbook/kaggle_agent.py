"""Let a function play, as kaggle-environments has them: it is shown dictionaries, and answers."""

from pathlib import Path

from slime_mind_arena import play

AGENT = """
def agent(observation, configuration):
    slime = observation.slimes[observation.piece]
    goals = [p for p in observation.plants.values() if p.y == slime.y and p.x != slime.x]
    if not goals:
        return "UP" if slime.y else "DOWN"
    nearest = min(goals, key=lambda plant: abs(plant.x - slime.x))
    bite = "BITE" if abs(nearest.x - slime.x) == 1 else ""
    return bite + ("RIGHT" if nearest.x > slime.x else "LEFT")
"""
Path("player_agent.py").write_text(AGENT, encoding="utf-8")
print(play("player_agent.py", "player_one", preset="small", seed=7).scores)
