"""Tests of what strangers do about each other: muting, blocking, reporting, asking to join."""
