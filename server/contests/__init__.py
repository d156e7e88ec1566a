"""Ladders, seasons and tournaments on a server: their pages, their organizing, their news.

Concept: contests are played by runners/contests as everywhere else; here they are shown, made and
decided about, and their observer tells authors what became of their bots.
Boundary: pages and exports of results that the database holds; ratings, fixtures, schedules and
retention are runners'. It knows bots (server/bots) and plays no match itself.
What always holds: whoever may not see results yet sees neither them nor a number that grows with
them (runners/contests/visibility.py); a decision of an organizer says why and is counted again from
the results, never stored in their place; tables are kept only while nothing has changed.
"""
