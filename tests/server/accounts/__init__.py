"""Tests of server/accounts."""
