"""Tests of server/writing."""
