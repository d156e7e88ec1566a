"""The arena: bots are handed in, checked, and play on ladders."""
