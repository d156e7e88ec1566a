"""What a terminal shows just now: films, where they are, and what is open. No terminal in it."""

from math import inf

from visualizer.cursor import Cursor
from visualizer.film import LEAD, Film
from visualizer.playback import Playback
from visualizer.sprites import Sprites
from visualizer.terminal.looks import Colours, colours_of
from visualizer.terminal.story import Story


class Reel:
    """A film that is shown, and where in it we are."""

    def __init__(self, film: Film, sprites: Sprites) -> None:
        self.film = film
        self.colours: Colours = colours_of(sprites)
        self._load()

    def _load(self) -> None:
        self.beginnings = self.film.replay.beginnings
        self.cursor = Cursor(self.film)
        self.story = Story(self.film)

    def read_on(self, budget_s: float = inf) -> None:
        """Take in what was recorded meanwhile; a match that began anew is shown anew."""
        self.film.read_on(budget_s)
        if self.beginnings != self.film.replay.beginnings:
            self._load()

    def go(self, position: int) -> None:
        self.cursor.seek(position)

    @property
    def name(self) -> str:
        return str(self.film.replay.game.title)

    @property
    def turn(self) -> int:
        return self.film.turn_at(self.cursor.position)

    @property
    def last_turn(self) -> int:
        """Of the whole match; while it is played, the last there can be."""
        replay = self.film.replay
        if not replay.is_growing:
            return replay.last_turn
        return int(replay.game.standing(self.cursor.state).last_turn)

    @property
    def mark_kinds(self) -> list[str]:
        """Of all marks there can be on the timeline, in their order."""
        happenings = self.film.scene.happenings.values()
        return [*dict.fromkeys(h.timeline for h in happenings if h.timeline), LEAD]


class Viewing:
    """All that keys change."""

    def __init__(self, reels: list[Reel], turn: int = 0) -> None:
        self.reels = reels
        self.playback = Playback([reel.film for reel in reels])
        self.is_help_open = False
        self.is_over = False
        """Whoever watches has seen enough."""
        self._wanted_turn = turn

    def tick(self, seconds: float, budget_s: float) -> None:
        """Time passes."""
        for reel in self.reels:
            beginnings = reel.beginnings
            reel.read_on(budget_s)
            if reel.beginnings != beginnings:
                self.playback.restart()
        if self._wanted_turn:
            self._go_to_wanted_turn()
        self.playback.advance(seconds)
        for number, reel in enumerate(self.reels):
            reel.go(self.playback.position(number))

    def _go_to_wanted_turn(self) -> None:
        """As soon as it is known."""
        self.playback.seek_turn(self._wanted_turn)
        are_over = all(reel.film.is_over for reel in self.reels)
        if are_over or self.playback.end >= self._wanted_turn:
            self._wanted_turn = 0

    @property
    def is_live(self) -> bool:
        """Whether a match is still being played, or read."""
        return not all(reel.film.is_over for reel in self.reels)

    def to_end(self) -> None:
        self.playback.seek_turn(self.playback.end)

    def toggle_help(self) -> None:
        self.is_help_open = not self.is_help_open

    def close_help(self) -> None:
        self.is_help_open = False

    def quit(self) -> None:
        self.is_over = True
