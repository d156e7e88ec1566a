"""Tests of server/site."""
