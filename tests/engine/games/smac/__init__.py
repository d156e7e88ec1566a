"""SMAC, rule by rule."""
