"""Tests of visualizer/backends/."""
