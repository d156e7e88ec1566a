"""One step each; their revisions are numbers that count up, the last is schema.REVISION."""
