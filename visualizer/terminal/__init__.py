"""Watching in a terminal: colours and letters, no library."""
