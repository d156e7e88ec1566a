"""Plays matches side by side: on the cores of this machine or on a cluster."""
