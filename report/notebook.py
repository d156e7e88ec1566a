"""Matches, replays and standings that show themselves in a notebook, offline, or as data frames."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.catalog import DEFAULT_GAME
from engine.errors import UsageError
from engine.referee import Referee
from engine.replays.archive import Archive
from engine.replays.reading import Replay, newest_replay
from engine.result import MatchResult
from engine.result_folder import RESULT, ResultFolder
from engine.streams import seed_text
from engine.support.wording import pluralize
from runners.arguments import match_request
from runners.configuration import DEFAULT_OUT, UNCONFIGURED
from runners.contests.persistence import find_tournament
from runners.contests.standings import StandingsRow, overview_of
from runners.contests.standings_table import rating_text
from runners.planning import MatchPlan
from runners.storage.store import default_url, existing_store
from visualizer.backends.page import render_replay_page
from visualizer.model.timeline import ReplayTimeline
from visualizer.watching.watch import sprites_for

HEIGHT = 640
"""Pixels of a page in a notebook."""
Row = dict[str, object]
MAX_ROWS = 200
"""The rows of a table that are shown."""


class Table:
    """Rows that show themselves as a table, and become data frames."""

    def __init__(self, rows: list[Row], caption: str = "") -> None:
        self.rows = rows
        """The rows, each a dict from column to value."""
        self.caption = caption

    def to_polars(self) -> Any:
        """Return a polars.DataFrame. Raises: UsageError if polars is not installed."""
        return _import_library("polars").DataFrame(list(self.rows), infer_schema_length=None)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame. Raises: UsageError if pandas is not installed."""
        return _import_library("pandas").DataFrame(list(self.rows))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.caption!r}, {len(self.rows)} rows)"

    def _repr_html_(self) -> str:
        return html_table(self.rows, self.caption)


class ShownReplay:
    """A replay that shows itself: the page of an exported match, in a frame without a network."""

    def __init__(self, replay: Replay, out: Path, turn: int, height: int, drawings: bool) -> None:
        self.replay = replay
        self._out, self._turn, self._height, self._drawings = out, turn, height, drawings

    @cached_property
    def timeline(self) -> ReplayTimeline:
        timeline = ReplayTimeline(self.replay)
        timeline.read_new_entries()
        return timeline

    @property
    def page(self) -> bytes:
        """Return the page as one HTML file."""
        sprites = sprites_for(self.replay, self._out)
        return render_replay_page(
            self.timeline, sprites, has_drawings=self._drawings, begin_turn=self._turn
        )

    @property
    def scores(self) -> Table:
        """Return the score of each team at the end of each turn."""
        names = [bot.name for bot in self.replay.bots]
        rows = [
            {"turn": turn, "team": team, "bot": names[team - 1], "score": score}
            for turn, scores in enumerate(self.timeline.scores)
            for team, score in enumerate(scores, 1)
        ]
        return Table(rows, "scores by turn")

    def __repr__(self) -> str:
        names = " : ".join(bot.name for bot in self.replay.bots)
        return f"ShownReplay({names}, {self.replay.last_turn} turns)"

    def _repr_html_(self) -> str:
        # Without `allow-same-origin`: what a replay holds reaches nothing of the notebook.
        return (
            f'<iframe sandbox="allow-scripts" title="a match" loading="lazy" '
            f'style="width:100%;height:{self._height}px;border:0" '
            f'srcdoc="{escape(self.page.decode(), quote=True)}"></iframe>'
        )


class ShownMatch(Table):
    """The result of a match, with its replay."""

    def __init__(self, result: MatchResult, out: Path) -> None:
        super().__init__(list(_team_rows(result)), f"match {result.key}, {_outcome_text(result)}")
        self.result = result
        self._out = out

    def replay(self, turn: int = 0, *, height: int = HEIGHT, drawings: bool = True) -> ShownReplay:
        """Return the replay. Raises: UsageError if none was kept."""
        if self.result.replay is None:
            raise UsageError(f"match {self.result.key} has no replay")
        return replay(
            self.result.replay, turn=turn, out=self._out, height=height, drawings=drawings
        )


def play(
    *bots: str | Path,
    game: str = DEFAULT_GAME,
    seed: int | str | None = None,
    preset: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: str | Path = DEFAULT_OUT,
) -> ShownMatch:
    """Play a match between bots, by name or path, as `main.py` does: each in its sandbox.

    Raises: UsageError, EngineFailure.
    """
    request = match_request(bots, game=game, out=out, seed=seed, preset=preset, settings=settings)
    plan = MatchPlan(request, UNCONFIGURED)
    with closing(Referee(Path(out))) as referee:
        return ShownMatch(referee.play(plan.make_job()), Path(out))


def replay(
    file: str | Path | None = None,
    *,
    turn: int = 0,
    out: str | Path = DEFAULT_OUT,
    height: int = HEIGHT,
    drawings: bool = True,
) -> ShownReplay:
    """Return a replay, by default the newest one. Raises: BadReplay."""
    found = Replay(newest_replay(Path(out)) if file is None else Path(file))
    return ShownReplay(found, Path(out), turn, height, drawings)


def results(out: str | Path = DEFAULT_OUT) -> Table:
    """Return all matches of a folder of results, a row for each team. Raises: BadResult."""
    folder, archive = Path(out) / ResultFolder.MATCHES, Archive(Path(out))
    keys = sorted(path.parent.name for path in folder.glob(f"[!.]*/{RESULT}"))
    found = filter(None, map(archive.find_result, keys))
    rows = [row for result in found for row in _team_rows(result)]
    return Table(rows, f"{pluralize(len(keys), 'match')} of {out}")


def standings(
    name: str | None = None, *, game: str = DEFAULT_GAME, out: str | Path = DEFAULT_OUT
) -> Table:
    """Return the standings of a tournament, by default of the latest. Raises: UsageError."""
    store = existing_store(default_url(Path(out), game))
    if store is None:
        raise UsageError(f"{out}: there are no results of {game}; play a tournament first")
    with closing(store):
        tournament = find_tournament(store, name)
        overview = overview_of(tournament.ledger())
    played = pluralize(overview.standings.played, "match")
    by_number = {rating.entrant: rating for rating in overview.ratings}
    rows = [
        _standing_row(row) | {"elo": rating.elo, "rating": rating_text(rating)}
        for row in overview.standings.rows
        for rating in (by_number[row.number],)
    ]
    return Table(rows, f"{tournament.field.plan.name}, {played}")


def _standing_row(row: StandingsRow) -> Row:
    fields = ("points", "wins", "draws", "losses", "mean_score", "forfeits")
    values = {field: getattr(row, field) for field in fields}
    return {"rank": row.rank, "bot": row.bot.name, **values}


def _team_rows(result: MatchResult) -> Iterator[Row]:
    for team, of_team in enumerate(result.teams, 1):
        yield {
            "match": result.key,
            "game": result.spec.game,
            "seed": seed_text(result.spec.seed),
            "turns": result.turns,
            "reason": result.reason,
            "team": team,
            "bot": of_team.bot.name,
            "score": of_team.score,
            "won": team in result.winners,
            "faults": sum(of_team.faults.values()),
            "cpu_ms": of_team.cpu.total_ms,
        }


def _outcome_text(result: MatchResult) -> str:
    winners = " and ".join(result.teams[team - 1].bot.name for team in result.winners)
    return f"{winners} won in turn {result.turns}" if winners else f"a draw in turn {result.turns}"


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(
            f"{name} is not installed: pip install {name}; `rows` has the same as a list of dicts"
        ) from error


def html_table(rows: Sequence[Row], caption: str = "") -> str:
    """Return rows as a table of HTML; every text in it is escaped."""
    columns = list(rows[0]) if rows else []
    heads = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = [
        "".join(f"<td>{escape(_format_value(row[name]))}</td>" for name in columns)
        for row in rows[:MAX_ROWS]
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    more = len(rows) - len(lines)
    parts = [caption, f"{more} more rows" if more > 0 else "", "" if rows else "nothing yet"]
    title = "; ".join(filter(None, parts))
    return (
        f"<table><caption>{escape(title)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _format_value(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
