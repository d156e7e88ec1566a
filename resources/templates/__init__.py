"""The bots that `main.py new` copies, a folder for each game."""
