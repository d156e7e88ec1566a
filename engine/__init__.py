"""The headless engine: games, matches, bots' workers and replays; no screen and no tournament."""

ENGINE_VERSION = "0.1.0"
