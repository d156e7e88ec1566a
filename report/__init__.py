"""The report of a tournament: a folder of pages that need no server, and everything as files."""
