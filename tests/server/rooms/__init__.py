"""Rooms, in which armies of people fight each other."""
