"""What came of a run."""

import msgspec


class Figures(msgspec.Struct):
    """What happened, and what was lost."""

    minutes: float
    kills: dict[str, int]
    orders: int = 0
    """Acknowledged orders of people."""
    games: int = 0
    handed_in: int = 0
    """Acknowledged versions."""
    matches: int = 0
    """Results of the ladder."""
    streams: int = 0
    reconnections: int = 0
    away_s: dict[str, float] = {}
    """The longest time for which no server sent a page."""
    behind: int = 0
    """Spectators who had not heard of the last change when their time was over."""
    lost: list[str] = []
    """What was acknowledged and is not there, or is there twice."""

    def table(self) -> str:
        """Return them as lines."""
        rows = [
            ("minutes", f"{self.minutes:.1f}"),
            ("killed", ", ".join(f"{name} {count}" for name, count in self.kills.items())),
            ("orders acknowledged", f"{self.orders} in {self.games} games"),
            ("bots handed in", str(self.handed_in)),
            ("ladder results", str(self.matches)),
            ("streams", f"{self.streams}, reconnected {self.reconnections} times"),
            ("spectators behind at the end", str(self.behind)),
            *((f"longest away: {page}", f"{away:.1f} s") for page, away in self.away_s.items()),
            ("lost or doubled", "; ".join(self.lost) or "nothing"),
        ]
        return "\n".join(f"{name:<32} {value}" for name, value in rows)
