"""Tests of visualizer/model/."""
