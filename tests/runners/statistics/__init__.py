"""Tests of runners/statistics/."""
