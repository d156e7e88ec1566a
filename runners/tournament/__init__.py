"""Tournaments: what is to be played, what came of it, and playing what is missing."""
