"""Playing until a question is answered: whether a bot is better, whether a side is favoured."""
