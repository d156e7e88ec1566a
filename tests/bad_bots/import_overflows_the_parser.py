"""Has Python compile what is nested without end, while it is imported."""

compile("-" * 1_000_000 + "1", "bomb", "eval")
