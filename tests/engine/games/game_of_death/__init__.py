"""The Game of Death, rule by rule."""
