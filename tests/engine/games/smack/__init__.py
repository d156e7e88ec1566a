"""The rules of Smack!, by their numbers (docs/rules/smack.md)."""
