"""Reads a list of users while it is imported."""

with open("/etc/passwd") as users:
    print("escaped:", users.readline())
