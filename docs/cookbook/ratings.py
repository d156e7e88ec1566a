"""Rate whoever met, whatever they played: each result is names and scores."""

from slime_mind_arena import rate

results = [
    (("ann", "bob"), (3, 1)),
    (("bob", "cid"), (2, 2)),
    (("cid", "ann"), (0, 1)),
    (("bob", "ann"), (4, 2)),
]
for name, rating in rate(results).items():
    print(f"{name}: {rating.elo:.0f}, of {rating.games} games")
