"""What a report is made from: plain values, whichever runner they come from."""

import msgspec

from visualizer.theme import TEAM_COLOURS


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """What results say about a bot's strength, on the Elo scale."""

    kind: str = "not yet comparable"
    """In words: `rated`, `won all`, `lost all`."""
    elo: float | None = None
    low: float | None = None
    """The ends of its 95 % interval; None where there is no limit."""
    high: float | None = None


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant, and where it stands."""

    number: int
    """From 1, in the order of entry: what pages and files call it."""
    name: str
    digest: str
    title: str = ""
    author: str = ""
    version: str = ""
    rank: int
    points: float
    wins: int
    draws: int
    losses: int
    byes: int = 0
    forfeits: int = 0
    faults: int = 0
    mean_score: float
    mean_place: float | None = None
    """In a match, from 1."""
    buchholz: float = 0.0
    sonneborn_berger: float = 0.0
    is_quarantined: bool = False
    rating: Rating = Rating()
    history: tuple[tuple[int, float], ...] = ()
    """Its rating over time: how many matches of its were over, and the rating then."""


class Team(msgspec.Struct, frozen=True, kw_only=True):
    """A team's side of a match."""

    bot: int
    share: float | None = None
    """Of the others it beat, draws half; None while the match is open."""
    score: float | None = None
    """In the game's own points; None where nothing was played."""
    faults: dict[str, int] = {}
    """Decisions lost, by cause."""
    details: dict[str, str] = {}
    """The words of the first fault of each cause."""
    out: str | None = None
    """Why it was asked no more."""
    left: str = ""
    """What it had at the end, in the game's words."""
    calls: int = 0
    median_us: int = 0
    p95_us: int = 0
    max_us: int = 0


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the schedule has it."""

    key: str
    round: int
    pairing: int
    """Its number in the round."""
    label: str
    """What the round is called."""
    match_number: int
    """In the pairing, from 1."""
    seed: int
    state: str
    """`played`, `forfeited` or `open`."""
    teams: tuple[Team, ...]
    reason: str = ""
    """Why it ended."""
    turns: int = 0
    again: str = ""
    """The command that plays it again."""

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.pairing

    def has(self, bot: int) -> bool:
        return any(team.bot == bot for team in self.teams)

    @property
    def rounds_lost(self) -> int:
        """By all teams, through faults."""
        return sum(sum(team.faults.values()) for team in self.teams)


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """A side of a pairing that is drawn: somebody, or where somebody will come from."""

    bot: int | None = None
    points: float | None = None
    has_won: bool = False
    source: tuple[int, int] | None = None
    """The place it comes from, where that is in the drawing."""
    is_winner: bool = True
    """Of the source: its winner, or its loser."""


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing that is drawn. One without a second slot is a bye."""

    round: int
    pairing: int
    label: str
    slots: tuple[Slot, ...]
    group: str = ""
    """Within a round, those of one group stand together, below its name."""

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.pairing


class Highlight(msgspec.Struct, frozen=True, kw_only=True):
    """A match worth watching, and why."""

    kind: str
    """In words: `final`, `upset`, `close`, `fault`."""
    words: str
    match: Match
    page: str | None = None
    """The file that shows it, beside the others; None where its replay is gone."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All of a tournament but its matches."""

    name: str
    game: str
    format: str
    seed: int
    games: int
    """Of each pairing: maps, each played from all sides."""
    teams: int = 2
    """In a match."""
    team_colours: tuple[str, ...] = TEAM_COLOURS
    """Team 1 first."""
    played: int
    forfeited: int
    open: int
    bots: tuple[Bot, ...]
    """The best first."""
    bracket: tuple[Box, ...] = ()
    rounds: tuple[Box, ...] = ()
    """Of formats whose rounds follow from results, but are no bracket."""
    highlights: tuple[Highlight, ...] = ()

    @property
    def matches(self) -> int:
        return self.played + self.forfeited + self.open

    @property
    def is_over(self) -> bool:
        return not self.open
