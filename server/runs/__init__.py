"""Runs: matches that somebody tries a draft of a bot in, before it is handed in.

Concept: a draft is files in memory. It is played against bots of the server, in the sandbox and by
the referee of all matches, and watched while it is played; nothing counts, and nothing is rated.
Boundary: from files to a recorded match and what came of it; what the draft is made from is of
other folders, such as server/designs.
What always holds: runs wait behind each other and are bounded, in all and for each person; their
process is nice; what was played is kept for a while in this process's own folder.
"""
