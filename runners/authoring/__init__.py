"""What the author of a bot does with it: begin, check, ask, profile."""
