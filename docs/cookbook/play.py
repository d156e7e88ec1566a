"""Play a match between two bots, and say who won."""

from slime_mind_arena import play

match = play("player_two", "player_three", preset="small", seed=7)
for team in match.teams:
    won = "won" if team.number in match.winners else "did not win"
    print(f"{team.bot} {won} with {team.score:.1f}, in {team.cpu_ms} ms of CPU")
print(f"after {match.turns} turns: {match.reason}")
