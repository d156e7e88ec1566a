"""Watching matches in a window or a terminal, recorded or while they are played."""
