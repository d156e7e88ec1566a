"""Patience: it lets the enemy come, and goes for the flag when its watch says that all is quiet.

Whoever captures a flag must stand beside the home for three turns, in one of four lines. Six
watches shoot along these lines. They tell the others by messages what they see: while enemies
come, all stay and fight; when it has been quiet for a while, the hunters go.
"""

from engine.games.game_of_death.player import BasePlayer, Cell
from engine.games.game_of_death.soldier import Soldier

NAME = "Patience"
AUTHOR = "Slime Mind"
VERSION = "1"

ALARM, GOT_IT = "alarm", "flag"
"""Enemies are near the home; I have the flag."""
QUIET = 12
"""Turns without an alarm after which the hunters go."""
LONGEST_WAIT = 3
"""After so many hundredths of the match's turns they go anyway, if nobody has come."""
MEMORY = 6


class Hunter(Soldier):
    """Waits and fights at home, and then fetches the flag."""

    drawing = "###"

    def __init__(self) -> None:
        """What it remembers of what it heard."""
        self.alarmed = 0
        self.carried = -MEMORY
        self.goes = False
        self.post: Cell | None = None

    def update(self) -> None:
        """What it does follows from what it hears."""
        self.listen()
        if self.has_flag:
            self.broadcast(GOT_IT)
            self.walk_to(*middle(self.home))
        elif self.touches(self.enemy_home):
            if self.capture_progress == 0:
                self.capture()
        elif self.shoot():
            pass
        elif self.now - self.carried < MEMORY:
            self.walk_to(*middle(self.home))
        elif self.goes:
            self.walk_to(*middle(self.enemy_home))
        else:
            self.wait()

    def listen(self) -> None:
        """Take in the messages, and decide whether it is time."""
        messages = self.receive()
        if self.post is None:
            self.post = self.anchor
        if GOT_IT in messages:
            self.carried = self.now
        if ALARM in messages:
            self.alarmed = self.now
        first = self.settings.max_turns * LONGEST_WAIT // 100
        since = self.now - self.alarmed
        self.goes = self.goes or (since > QUIET and (self.alarmed > 0 or self.now > 6 * first))

    def wait(self) -> None:
        """Nobody leaves the post."""
        assert self.post is not None
        if self.anchor == self.post or not self.walk_to(*self.post):
            self.rest()

    def die(self) -> None:
        """A last shot."""
        self.shoot()


class Watch(Soldier):
    """Shoots along a side of the home, and calls when it sees enemies near."""

    def update(self) -> None:
        """An alarm is for all: foes hear it, too, and learn nothing new by it."""
        enemies = self.seen("h")
        if enemies:
            self.broadcast(ALARM)
        if not self.shoot():
            self.rest()

    def die(self) -> None:
        """A last shot."""
        self.shoot()


class Upright(Watch):
    """For the lines before and behind the home."""

    drawing = "\n".join("#" * 7)


class Level(Watch):
    """For the lines above and below it."""

    drawing = "#" * 7


class Player(BasePlayer):
    """Watches at the ends of the four lines, hunters between them and the enemy."""

    def design(self) -> None:
        """Six watches, and hunters for all other cells."""
        home, settings = self.home, self.settings
        right, bottom = home.u + home.width, home.v + home.height
        for u in (home.u - 1, right):
            self.place(Upright, u, home.v - 8)
            self.place(Upright, u, bottom + 1)
        for v in (home.v - 1, bottom):
            self.place(Level, right + 1, v)
        near = home.v + home.height // 2
        hunters = (settings.max_cells - 6 * 7) // 3
        columns = range(right + 9, settings.zone_width - 2, 4)
        places = [(u, v) for u in columns for v in range(settings.height)]
        places.sort(key=lambda place: (abs(place[1] - near) // 8, place[0], place[1]))
        chosen = [(u, v) for u, v in places if (u // 4 + v) % 2]
        for u, v in chosen[:hunters]:
            self.place(Hunter, u, v)


def middle(home: tuple[int, int, int, int]) -> Cell:
    """A cell of it."""
    u, v, width, height = home
    return u + width // 2, v + height // 2
