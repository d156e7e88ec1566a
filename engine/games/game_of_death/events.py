"""What can happen in the Game of Death.

An event is about many shapes at once, all of one team, in ascending order of ids.
"""

from enum import StrEnum

from engine.game import Event
from engine.games.game_of_death.orders import Command
from engine.games.game_of_death.pieces import Shape, ShapeType

Ids = tuple[int, ...]


class Reason(StrEnum):
    """Why a legal order had no effect."""

    TOO_SOON = "attacked too recently"
    BLOCKED = "no room"
    NO_CONTACT = "not beside the enemy's home"
    NO_FLAG = "the flag is not at home"
    HAS_FLAG = "it holds a flag already"
    TOO_MANY_BYTES = "its team has said enough this turn"
    DYING = "dying"


class HomesPlaced(Event, tag="homes", frozen=True):
    """`v` is the first row of both homes, each counted in its player's frame (rules 2.4)."""

    v: int


class Deployed(Event, tag="army", frozen=True):
    """A team's army stands on the grid (rules 3)."""

    team: int
    types: tuple[ShapeType, ...]
    shapes: tuple[Shape, ...]


class ArmyRefused(Event, tag="refused", frozen=True):
    """A team has no army: its design was illegal, or none came (rules 3.3)."""

    team: int
    reason: str


class TurnsLost(Event, tag="lost", frozen=True):
    """Shapes whose code gave no usable answer; `causes` are those of the faults (rules 5.10)."""

    team: int
    ids: Ids
    causes: tuple[str, ...]


class Nothing(Event, tag="nothing", frozen=True):
    """Legal orders without effect."""

    team: int
    reason: Reason
    ids: Ids


class Planned(Event, tag="plan", frozen=True):
    """A move or turn is under way from this turn on; None: it was canceled (rules 5.3)."""

    team: int
    command: Command | None
    ids: Ids


class Spoke(Event, tag="spoke", frozen=True):
    """Broadcasts of both teams: `texts[i]` is what shape `ids[i]` said (rules 5.5)."""

    ids: Ids
    texts: tuple[str, ...]


class Attacked(Event, tag="attack", frozen=True):
    """Shapes attacked; `side` is 0 forward, 1 right, 2 backward, 3 left of each (rules 6.1)."""

    team: int
    side: int
    ids: Ids


class Damaged(Event, tag="hit", frozen=True):
    """Shapes of `team` were hit, if only for nothing; what hp they have left (rules 6.4).

    `enemies[i]` are the teams that contributed to the damage of shape `ids[i]` (rules 7.3). It is
    empty where nobody may know, and in matches of the rules before version 3.
    """

    team: int
    ids: Ids
    hps: tuple[int, ...]
    enemies: tuple[tuple[int, ...], ...] = ()


class BodiesHit(Event, tag="bodies", frozen=True):
    """Bodies of both teams took damage; a body with 0 left is gone (rules 6.5)."""

    ids: Ids
    left: tuple[int, ...]


class Dying(Event, tag="dying", frozen=True):
    """Shapes became dying; `killed` are those among them that enemies killed (rules 6.18)."""

    team: int
    ids: Ids
    killed: Ids


class FlagReturned(Event, tag="home", frozen=True):
    """The flag of `team` is back at its home: who held it is dying (rules 6.15)."""

    team: int


class Moved(Event, tag="moved", frozen=True):
    """Shapes went this far in the world, and have nothing pending any more (rules 6.10)."""

    team: int
    dx: int
    dy: int
    ids: Ids


class Turned(Event, tag="turned", frozen=True):
    """Shapes turned: where the bounding box of each is now, and what it faces (rules 6.11)."""

    team: int
    ids: Ids
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    facings: tuple[int, ...]


class CaptureBegan(Event, tag="capture", frozen=True):
    """Shapes began to capture the enemy's flag in this turn (rules 6.13)."""

    team: int
    ids: Ids


class CaptureStopped(Event, tag="gaveup", frozen=True):
    """Captures that came to nothing."""

    team: int
    ids: Ids


class FlagTaken(Event, tag="taken", frozen=True):
    """A shape of `team` holds the enemy's flag."""

    team: int
    shape: int


class Delivered(Event, tag="delivered", frozen=True):
    """A shape of `team` brought the enemy's flag home (rules 6.14)."""

    team: int
    shape: int


class Died(Event, tag="died", frozen=True):
    """Shapes are bodies now, each taking so much damage (rules 6.17)."""

    team: int
    ids: Ids
    left: tuple[int, ...]


class Healed(Event, tag="healed", frozen=True):
    """What hp they have now (rules 6.16)."""

    team: int
    ids: Ids
    hps: tuple[int, ...]


class Disclosed(Event, tag="disclosed", frozen=True):
    """`team` may read the code of these types of its enemy after the match (rules 7.4)."""

    team: int
    types: tuple[int, ...]


# Among more than two teams, what names one enemy of several. Two keep the events above, so that
# their matches are recorded as they always were.


class Killed(Event, tag="killed", frozen=True):
    """Attacks of `team` contributed to the deaths of these enemies (rules 6.18, 8.5)."""

    team: int
    ids: Ids


class CaptureOfBegan(Event, tag="captureof", frozen=True):
    """Shapes of `team` began to capture the flag of `owner` in this turn (rules 8.3)."""

    team: int
    owner: int
    ids: Ids


class CaptureRestarted(Event, tag="restart", frozen=True):
    """Teams had the same claim to a flag: these captures start again next turn (rules 8.2a)."""

    team: int
    ids: Ids


class FlagOfTaken(Event, tag="takenof", frozen=True):
    """A shape of `team` holds the flag of `owner`."""

    team: int
    owner: int
    shape: int


class FlagLost(Event, tag="lostflag", frozen=True):
    """The flag of `owner` is back at its home: the shape of `team` that held it is dying."""

    team: int
    owner: int


class FlagDelivered(Event, tag="deliveredof", frozen=True):
    """A shape of `team` brought the flag of `owner` home, who is defeated (rules 8.3)."""

    team: int
    owner: int
    shape: int


class Defeated(Event, tag="defeated", frozen=True):
    """`team` is out: it has no flag any more; how it compared then (rules 7.3, 8.3, 8.4).

    In matches of the rules before version 3, `kills` and `hp_taken` are its living cells and hp.
    """

    team: int
    reason: str
    flags: int
    kills: int
    hp_taken: int


class DisclosedOf(Event, tag="disclosedof", frozen=True):
    """`team` may read the code of these types of `owner` after the match (rules 7.4, 8.5)."""

    team: int
    owner: int
    types: tuple[int, ...]


# What a team is told in place of events it may not know as they are; no match records these.


class Sighted(Event, tag="sight", frozen=True):
    """A turn begins: all that the team's shapes see together, as places on the grid (5.8)."""

    turn: int
    hostile: tuple[int, ...]
    bodies: tuple[int, ...]
    friendly: tuple[int, ...] = ()
    """The cells of partners' shapes (rules 8.9)."""


class Heard(Event, tag="heard", frozen=True):
    """What was broadcast in a turn: `texts[i]` is for the shapes whose number is a bit of ears[i].

    `ears` are in hexadecimal; a text stands as often as it was said (rules 5.5).
    """

    turn: int
    ears: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]


class Gone(Event, tag="gone", frozen=True):
    """Own shapes are no more; where bodies lie is a matter of sight."""

    ids: Ids
