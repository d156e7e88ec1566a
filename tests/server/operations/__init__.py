"""Tests of server/operations."""
