"""What every game in the catalog keeps to."""
