"""What viewers show: timeline, cursor, playback and narration; no graphics library."""
