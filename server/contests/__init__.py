"""contests."""
