"""Tests of what pages are told of boards."""
