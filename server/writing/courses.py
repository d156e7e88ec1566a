"""The courses: steps whose goals are matches, from which bots for a game are learned.

The steps are files in resources/courses; what somebody has done of them is rows.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import ColumnElement, delete, insert, select, update

from engine.catalog import describe_game
from engine.description import load_part
from engine.replays.decisions import Decision
from engine.replays.reading import Replay
from engine.replays.writing import FaultAside
from runners.configuration import HOME
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import course_steps, people
from server.writing.drafts import Owner

FOLDER = HOME / "resources" / "courses"
COUNT_NAMES = {
    "moves": "moves",
    "bites": "bites of plants",
    "plants_eaten": "plants eaten up",
    "highest_level": "the highest level",
    "splits": "splits",
    "lowest_split_level": "the lowest level of a split",
    "merges": "merges",
    "kills": "slimes of the other team killed",
    "taken": "pieces taken",
    "points": "points",
    "faults": "decisions lost",
    "wins": "won",
}
COURSE_SEED = 1
"""All steps are played on the same map each time: a bot that did it does it again."""
OWN_TEAM = 1
"""The team of the draft."""
Counts = Counter[str]


class Goal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So much of something must be counted, or at most so much."""

    count: str
    least: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if self.count not in KNOWN_COUNTS:
            raise ValueError(f"{self.count!r} is nothing that is counted")

    def is_met(self, counts: Counts) -> bool:
        found = counts[self.count]
        is_enough = self.least is None or found >= self.least
        return is_enough and (self.most is None or found <= self.most)


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a course."""

    title: str
    text: str
    task: str
    hint: str
    code: str
    """Lines that help, to be inserted; '' for none."""
    opponent: str
    settings: tuple[str, ...]
    goals: tuple[Goal, ...]


class _Course(Struct, frozen=True, forbid_unknown_fields=True):
    step: tuple[Step, ...]


class ShownStep(Struct, frozen=True, kw_only=True):
    """A step, and how far somebody has come in it."""

    number: int
    title: str
    text: str
    task: str
    hint: str
    code: str
    opponent: str
    tries: int
    is_done: bool


class CourseAnswer(Struct, frozen=True, kw_only=True):
    """A course, as whoever asks has come in it."""

    game: str
    steps: list[ShownStep]
    next: int | None
    """The first step that is not done; null where all are."""


class TryBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The draft with which a step is tried."""

    draft: Annotated[str, Meta(max_length=40)]


class GoalAnswer(Struct, frozen=True, kw_only=True):
    """A goal, and what was counted of it."""

    words: str
    counted: int
    is_met: bool


class TryAnswer(Struct, frozen=True, kw_only=True):
    """What came of a try; `goals` are empty before the match is over."""

    run: str
    step: int
    is_over: bool
    is_done: bool
    goals: list[GoalAnswer]
    words: str
    next: int | None


class Learner(Struct, frozen=True, kw_only=True):
    """How far somebody has come in a course."""

    name: str
    done: list[int]
    tries: int
    tried_at: datetime


class Learners(Struct, frozen=True):
    """How far all have come who have begun a course."""

    people: list[Learner]


@cache
def load_steps(game: str) -> tuple[Step, ...]:
    """Return the steps of a game's course; none where it has no course."""
    path = FOLDER / f"{game}.toml"
    if game not in games_with_courses():
        return ()
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Course).step


@cache
def games_with_courses() -> tuple[str, ...]:
    """Return the games that have a course."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def evaluate_goals(step: Step, replay: Replay) -> list[GoalAnswer]:
    """Return what was counted of the goals of a step. Raises: BadReplay."""
    counts = count_deeds(replay)
    return [
        GoalAnswer(
            words=_describe_goal(goal), counted=counts[goal.count], is_met=goal.is_met(counts)
        )
        for goal in step.goals
    ]


class CourseProgress:
    """How far people have come. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def answer(self, owner: Owner | None, game: str) -> CourseAnswer:
        """Return a course as somebody has come in it; None: somebody new."""
        tries = {} if owner is None else self._find_tries(owner, game)
        steps = [
            ShownStep(
                number=number,
                title=step.title,
                text=step.text,
                task=step.task,
                hint=step.hint,
                code=step.code,
                opponent=step.opponent,
                tries=tries.get(number, (0, False))[0],
                is_done=tries.get(number, (0, False))[1],
            )
            for number, step in enumerate(load_steps(game), 1)
        ]
        following = next((step.number for step in steps if not step.is_done), None)
        return CourseAnswer(game=game, steps=steps, next=following)

    def count_try(self, owner: Owner, game: str, step: int) -> None:
        where = (_is_owner(owner), course_steps.c.game == game, course_steps.c.step == step)
        values = {"tries": course_steps.c.tries + 1, "tried_at": now()}
        with self._database.transaction() as connection:
            if not connection.execute(update(course_steps).where(*where).values(values)).rowcount:
                row = {**owner._asdict(), "game": game, "step": step, "tries": 1, "tried_at": now()}
                connection.execute(insert(course_steps).values(row))

    def note_done(self, owner: Owner, game: str, step: int) -> None:
        where = (_is_owner(owner), course_steps.c.game == game, course_steps.c.step == step)
        is_new = course_steps.c.done_at.is_(None)
        self._database.write(update(course_steps).where(*where, is_new).values(done_at=now()))

    def find_learners(self, game: str) -> Learners:
        """Return how far people with accounts have come, whoever has come furthest first."""
        query = (
            select(people.c.name, course_steps)
            .join(people, people.c.id == course_steps.c.person)
            .where(course_steps.c.game == game)
        )
        rows = self._database.fetch_all(query)
        by_name: dict[str, list[object]] = {}
        for row in rows:
            by_name.setdefault(row.name, []).append(row)
        found = [_learner_from_rows(name, where) for name, where in by_name.items()]
        return Learners(sorted(found, key=lambda one: (-len(one.done), one.name)))

    def export_steps(self, person_id: str) -> list[dict[str, object]]:
        """Return what is kept of a person."""
        query = select(course_steps).where(course_steps.c.person == person_id)
        rows = self._database.fetch_all(query)
        return [
            {
                "game": row.game,
                "step": row.step,
                "tries": row.tries,
                "done_at": None if row.done_at is None else with_time_zone(row.done_at),
            }
            for row in rows
        ]

    def adopt(self, guest: str, person_id: str) -> None:
        """Give a person what they have done as a guest, unless they had begun before."""
        is_guests, is_persons = course_steps.c.guest == guest, course_steps.c.person == person_id
        with self._database.transaction() as connection:
            if connection.execute(select(course_steps.c.id).where(is_persons).limit(1)).first():
                connection.execute(delete(course_steps).where(is_guests))
            else:
                values = {"person": person_id, "guest": None}
                connection.execute(update(course_steps).where(is_guests).values(values))

    def _find_tries(self, owner: Owner, game: str) -> dict[int, tuple[int, bool]]:
        query = select(course_steps).where(_is_owner(owner), course_steps.c.game == game)
        rows = self._database.fetch_all(query)
        return {row.step: (row.tries, row.done_at is not None) for row in rows}


def _is_owner(owner: Owner) -> ColumnElement[bool]:
    if owner.person is not None:
        return course_steps.c.person == owner.person
    return course_steps.c.guest == owner.guest


def _learner_from_rows(name: str, rows: Sequence[object]) -> Learner:
    return Learner(
        name=name,
        done=sorted(row.step for row in rows if row.done_at is not None),  # type: ignore[attr-defined]
        tries=sum(row.tries for row in rows),  # type: ignore[attr-defined]
        tried_at=max(with_time_zone(row.tried_at) for row in rows),  # type: ignore[attr-defined]
    )


def _describe_goal(goal: Goal) -> str:
    bounds = [
        *([f"at least {goal.least}"] if goal.least is not None else []),
        *([f"at most {goal.most}"] if goal.most is not None else []),
    ]
    return f"{COUNT_NAMES[goal.count]}: {' and '.join(bounds)}"


class SlimeMindCounter:
    """Counts what the slimes of a team do; a piece is known by the event that placed it."""

    def __init__(self) -> None:
        self.counts: Counts = Counter()
        self._team_of: dict[int, int] = {}
        self._level_of: dict[int, int] = {}
        self._plants: set[int] = set()

    def take(self, event: Any) -> None:
        counts = self.counts
        match type(event).__name__:
            case "SlimePlaced":
                self._add(event.slime)
            case "PlantPlaced":
                self._plants.add(event.plant.id)
            case "Moved" if self._is_own(event.slime):
                counts["moves"] += 1
            case "Bitten" if self._is_own(event.slime) and event.target in self._plants:
                counts["bites"] += 1
            case "Levelled":
                self._level_of[event.slime] = event.level
                if self._is_own(event.slime):
                    counts["highest_level"] = max(counts["highest_level"], event.level)
            case "Split":
                self._split(event)
            case "Merged" if self._is_own(event.slime):
                counts["merges"] += 1
            case "Died":
                self._count_death(event)

    def _add(self, slime: Any) -> None:
        self._team_of[slime.id] = slime.team
        self._level_of[slime.id] = slime.level

    def _split(self, event: Any) -> None:
        """Count a split by the level before it; what the slime has afterwards comes later."""
        self._add(event.child)
        if not self._is_own(event.slime):
            return
        level = self._level_of[event.slime]
        counts = self.counts
        counts["lowest_split_level"] = min(counts["lowest_split_level"] or level, level)
        counts["splits"] += 1

    def _count_death(self, event: Any) -> None:
        if not self._is_own(event.by):
            return
        if event.piece in self._plants:
            self.counts["plants_eaten"] += 1
        elif event.piece in self._team_of and not self._is_own(event.piece):
            self.counts["kills"] += 1

    def _is_own(self, slime: int) -> bool:
        return self._team_of.get(slime) == OWN_TEAM


class SmackCounter:
    """Counts the moves of a team, and what they take."""

    def __init__(self) -> None:
        self.counts: Counts = Counter()

    def take(self, event: Any) -> None:
        if type(event).__name__ == "Moved" and event.team == OWN_TEAM:
            self.counts["moves"] += 1
            self.counts["taken"] += len(event.captured)
            self.counts["points"] += event.points


KNOWN_COUNTS = frozenset(
    {
        *("moves", "bites", "plants_eaten", "highest_level", "splits", "lowest_split_level"),
        *("merges", "kills", "taken", "points", "faults", "wins"),
    }
)
"""What a goal may name."""


def count_deeds(replay: Replay) -> Counts:
    """Return what team 1 has done in a match that is over. Raises: BadReplay."""
    counter = load_part(describe_game(replay.game.name).course_counter)()
    for entry in replay.entries():
        if not isinstance(entry, Decision):
            counter.take(entry)
    counts: Counts = counter.counts
    counts["faults"] = sum(
        isinstance(aside, FaultAside) and aside.team == OWN_TEAM for aside in replay.asides
    )
    if replay.outcome is not None and replay.outcome.winner == OWN_TEAM:
        counts["wins"] = 1
    return counts
