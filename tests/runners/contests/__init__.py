"""The player of contests."""
