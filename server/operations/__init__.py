"""Running a server: its health, its figures, backups, copies, cleaning up.

Concept: whoever runs a server learns from one page, or from Prometheus, whether it plays, checks
and keeps; and can take it elsewhere.
Boundary: it looks at all other folders' rows and changes none of their decisions.
What always holds: one process at a time serves a SQLite file; a backup is of one moment, and whole
or not there; what is removed is nobody's any more; a figure names no person and no key.
"""
