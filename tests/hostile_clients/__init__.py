"""A server under attack while people play on it; `python3 -m tests.hostile_clients`."""
