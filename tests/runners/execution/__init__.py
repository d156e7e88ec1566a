"""Tests of runners/execution/."""
