"""Files made of replays."""
