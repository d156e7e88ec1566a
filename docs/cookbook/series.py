"""Play the same bots on several maps, each from both sides, and count the wins."""

from collections import Counter

from slime_mind_arena import play_series

wins: Counter[str] = Counter()
for match in play_series("player_two", "player_three", maps=3, preset="small", jobs=2):
    wins.update(match.teams[number - 1].bot for number in match.winners)
print(dict(wins))
