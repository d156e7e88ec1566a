"""The headless engine: games, matches, bots' workers and replays; no screen and no tournament."""

ENGINE_VERSION = "1.1.0"
