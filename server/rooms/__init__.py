"""Rooms: people let armies fight each other, battle after battle, and learn from each.

Boundary: armies are of server/designs, and playing is of server/runs; here is who has which seat,
what comes next, and what of it somebody may see: nothing of an army before its battle.
What always holds: every step is one transaction, so that a killed server goes on where it was.
"""
