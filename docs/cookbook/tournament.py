"""Play a tournament, or go on with it, and print its table with ratings."""

from slime_mind_arena import play_tournament

bots = ("player_one", "player_two", "player_three")
cup = play_tournament(*bots, name="spring", maps=2, preset="small", jobs=2)
for row in cup.standings:
    print(f"{row.rank}. {row.bot:14} {row.points:4.1f} points, rated {row.rating.elo or 0:.0f}")
