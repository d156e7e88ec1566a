"""Tests of server/bots."""
