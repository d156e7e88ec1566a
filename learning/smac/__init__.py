"""SMAC over arrays: its complete rules, compiled, for thousands of matches at once."""
