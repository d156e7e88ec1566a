"""Thinks for ever while it is imported."""

while True:
    pass
