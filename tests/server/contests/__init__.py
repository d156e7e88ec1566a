"""Tests of server/contests."""
