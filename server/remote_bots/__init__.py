"""Bots that play people's games from their authors' machines, with a token.

A program finds opponents by challenges, hears by one stream what is asked of it, and orders as
people do. Invariants: it plays only for seats that were taken as a remote bot's, which everybody is
told; it sits down only where it was challenged or where a program has made the game; its games are
never rated; and its clock is that of a person.
"""
