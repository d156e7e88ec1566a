"""Bots that are asked over HTTP: somebody else runs them, at an address that was allowed."""
