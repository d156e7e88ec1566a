"""Smack!: nerds against bullies, on two boards at once (docs/rules/smack.md)."""
