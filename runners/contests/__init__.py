"""Contests: what has no result is what is to be played.

A contest says which match is to be played next, and takes its result. Tournaments are contests,
and so are the ladders of a server; one player plays any number of them, side by side, on the
processes of one pool.
"""
