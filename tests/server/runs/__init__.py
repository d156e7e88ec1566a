"""Tests of server/runs."""
