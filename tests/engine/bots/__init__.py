"""Tests of the bots' side: real processes, and bots that try to break them."""
