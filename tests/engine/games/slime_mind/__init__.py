"""Slime Mind: every numbered rule has a test that carries its number."""
