"""Bots that people hand in: their files, their versions, the checks, and which contests they enter.

Concept: a version is files by their digest. It is checked step by step, its first match is played,
and it becomes its bot's active version, or says in which line it was refused.
Boundary: from the upload to the active version; matches and ratings are of server/contests, which
knows this folder. Nothing of a bot runs here: it is read and played in confined processes.
What always holds: files are counted and sized while they are unpacked; a check that was cut off is
made again, once, by whoever holds the lease; an author reads why, and nobody else reads the
source unless a season says so.
"""
