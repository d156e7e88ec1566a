"""Pictures of frames."""
