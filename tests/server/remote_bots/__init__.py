"""Tests of remote bots: programs that play people's games with a token."""
