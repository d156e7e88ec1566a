"""A league that runs for long while its processes are killed; `python3 -m tests.soak`."""
