"""The standard sprites, a folder for each game, and how they are drawn."""
