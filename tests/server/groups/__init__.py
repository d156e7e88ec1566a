"""Tests of server/groups."""
