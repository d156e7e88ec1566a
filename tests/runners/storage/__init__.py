"""Tests of runners/storage/."""
