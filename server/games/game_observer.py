"""Those who follow what happens in the games of a server."""


class GameObserver:
    """Told by the GameService of what happens; may be called from any thread."""

    def changed(self, game_id: str) -> None:
        """A game has changed, here or in another process."""

    def rematched(self, game_id: str, rematch: str) -> None:
        """A game is played again, as another one; perhaps told more than once."""

    def forgotten(self, game_id: str) -> None:
        """Whatever is kept of a game besides its rows is to go."""

    def clock_set(self) -> None:
        """A clock may run out earlier than any other did."""
