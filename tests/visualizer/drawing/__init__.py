"""Tests of visualizer/drawing/."""
