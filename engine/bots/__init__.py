"""The bots: finding them, their workers, and the engine's end of the pipe."""
