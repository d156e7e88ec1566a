"""How databases of older versions are brought up to date; alembic runs it."""
