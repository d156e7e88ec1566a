"""Tests of visualizer/watching/."""
