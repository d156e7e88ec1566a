"""Slime Mind: slimes eat, level, split, merge and bite on a mirrored grid."""
