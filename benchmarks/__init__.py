"""Benchmarks: every figure we publish, measured as ratios of medians in one run."""

import os

# One thread, as on the command line: several of them wait for each other on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
