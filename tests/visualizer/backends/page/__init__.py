"""Pages: what is in them, and that a real browser shows it."""
