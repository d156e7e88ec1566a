"""Tests of server/games."""
