"""The application: every service is made here once, and handed to whoever needs it.

Concept: `Site` puts the parts of a server with accounts together, and `Application` the routes of
those parts and the games, with all that stands before them; `serve` and `play` run the same one.
Boundary: the first page, the documents and the starter kit, which belong to no other folder; all
else is wiring. Nothing imports this folder but the command line.
What always holds: no attribute of a service is set from outside after it was made; parts begin in
the order of their list and end in the reverse one.
"""
