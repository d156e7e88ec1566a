"""Plays many matches: one, a series, a tournament. Knows the engine, and no screen."""
