"""Plays until a question is answered: whether a bot is better, or a side is favored."""
