"""Faults that the tests must notice: a list for each area, and the command that tries them."""
