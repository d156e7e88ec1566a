"""Files made of films."""
