"""Says what became of the rules of Smack! over arrays."""

raise ImportError(
    "Smack! over arrays is no longer part of this package: use the environments "
    "(learning.match_env, docs/library.md), or the last commit that has it, 97db6fae"
)
