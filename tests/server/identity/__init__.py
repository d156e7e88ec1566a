"""Tests of server/identity."""
