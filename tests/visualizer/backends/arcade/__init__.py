"""The window, and what it is made of."""
