"""What the rules of games over arrays share: how they are compiled, their chance, their logs."""
