"""A server for people and bots: games that are played and watched in a browser, and contests.

Each folder says at its top what it is about, where it ends and what always holds; each knows those
below it: site, operations, contests, bots, games, accounts, http, identity.
"""
