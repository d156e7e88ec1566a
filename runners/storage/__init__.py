"""Keeps results: SQLite or PostgreSQL, schema migrations, and locks between processes."""
