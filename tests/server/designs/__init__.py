"""Tests of server/designs."""
