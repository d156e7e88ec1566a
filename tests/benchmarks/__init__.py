"""That the benchmarks count right and run; how fast anything is, no test says."""
