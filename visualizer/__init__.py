"""Ways to watch a match; knows the engine, and no runner."""
