"""Tournaments: their schedule, their results, and playing the matches that are missing."""
