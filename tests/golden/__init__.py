"""Recorded matches that replay identically; a rule change records them anew, and says why."""
