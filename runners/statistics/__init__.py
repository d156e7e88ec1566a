"""Computes ratings, intervals, sequential tests and fairness from results; pure functions."""
