"""Each game in arrays: a module per game, named like it."""
