"""Exports replays to files: pictures, animations, videos and pages, without a screen."""
