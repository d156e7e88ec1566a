"""What every game in the catalogue keeps to."""
