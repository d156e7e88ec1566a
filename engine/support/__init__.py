"""Support the rest of the project where the operating system and Python leave a gap.

Each module has one concern that knows nothing of games, matches or bots: whole and private files,
signals, process pools, text that is safe to show, imports that wait. Everybody may import them;
they import the standard library, each other and `engine.errors`, and nothing else. What belongs to
a match has its place in `engine` itself.
"""
