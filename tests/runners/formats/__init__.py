"""Who meets whom."""
