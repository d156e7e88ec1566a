"""Forks while it is imported."""

import os

if os.fork() == 0:
    print("escaped: forked")
