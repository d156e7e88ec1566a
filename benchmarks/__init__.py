"""What we say about speed, as programs: ratios of medians, measured in one run."""
