"""People at the board: games that wait in a database, played and watched in a browser."""
