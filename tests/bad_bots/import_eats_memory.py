"""Fills the memory while it is imported."""

KEPT = [bytearray(1 << 24) for _ in range(1_000)]
