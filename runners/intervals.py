"""What 95 % intervals of figures with a normal spread are made of."""

Z_95 = 1.959963984540054
"""So many standard deviations on either side."""
