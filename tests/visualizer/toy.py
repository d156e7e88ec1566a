"""A game small enough to know by heart, with a scene of its own: nothing in the house knows it.

Each team has a runner in a lane. It runs, plants a flag, takes the flag on its square, or
pushes the others in its column until they drop. Every kind of thing and of mark comes up.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from sys import modules
from types import ModuleType
from typing import Any, ClassVar, Literal

import msgspec
import pytest
from PIL import Image

from engine import catalog
from engine.fault import Cause, Fault
from engine.game import Ask, Event, Game, Host, MatchEnded, Outcome, Refusal, Stage, Standing
from engine.limits import Limits
from engine.match import play_match
from engine.observer import Observer
from engine.replays.writing import Contestant, Recorder
from engine.seat import Seat
from engine.spec import MatchSpec
from engine.streams import Streams
from visualizer.drawing import sprites
from visualizer.scene import (
    Annotation,
    Block,
    Disclosure,
    EventStyle,
    Extent,
    Kind,
    Label,
    Mark,
    Panel,
    Scene,
    Sprite,
    Thing,
    Tile,
)
from visualizer.theme import GROUND, TEXT

NAME = "race"
HP = 3
SCORE_OF_FLAG = 10
GOAL = 25.0
ORDERS = ("run", "plant", "take", "push")

Word = Literal["run", "plant", "take", "push"]


class RaceSettings(msgspec.Struct, frozen=True, kw_only=True):
    last_turn: int = 12
    columns: int = 8


class Runner(msgspec.Struct, frozen=True):
    id: int
    team: int
    x: int = 0
    hp: int = HP
    level: int = 1


class Flag(msgspec.Struct, frozen=True):
    id: int
    team: int
    x: int


class Entered(Event, tag="entered", frozen=True):
    runner: Runner


class Ran(Event, tag="ran", frozen=True):
    runner: int
    x: int


class Planted(Event, tag="planted", frozen=True):
    runner: int
    flag: Flag


class Took(Event, tag="took", frozen=True):
    runner: int
    flag: int


class Pushed(Event, tag="pushed", frozen=True):
    runner: int
    other: int
    hp: int


class Dropped(Event, tag="dropped", frozen=True):
    runner: int
    by: int


class Idled(Event, tag="idled", frozen=True):
    runner: int
    why: str


class Lost(Event, tag="lost", frozen=True):
    runner: int
    why: str


RaceEvent = Stage | Entered | Ran | Planted | Took | Pushed | Dropped | Idled | Lost | MatchEnded


class Track(msgspec.Struct):
    settings: RaceSettings
    teams: int
    runners: dict[int, Runner] = {}
    flags: dict[int, Flag] = {}
    taken: list[int] = []
    """Flags by team."""
    turn: int = 0
    next_id: int = 1
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        match event:
            case Stage(turn, _):
                self.turn = turn
            case Entered(runner):
                self.runners[runner.id] = runner
                self.next_id = runner.id + 1
                self.taken.append(0)
            case Ran(runner, x):
                self._change(runner, x=x)
            case Planted(_, flag):
                self.flags[flag.id] = flag
                self.next_id = flag.id + 1
            case Took(runner, flag):
                del self.flags[flag]
                self.taken[self.runners[runner].team - 1] += 1
                self._change(runner, level=self.runners[runner].level + 1)
            case Pushed(_, other, hp):
                self._change(other, hp=hp)
            case Dropped(runner, _):
                del self.runners[runner]
            case MatchEnded():
                self.ending = event
            case _:
                pass

    def _change(self, runner: int, **values: int) -> None:
        self.runners[runner] = msgspec.structs.replace(self.runners[runner], **values)

    @property
    def scores(self) -> tuple[float, ...]:
        far = {runner.team: runner.x for runner in self.runners.values()}
        return tuple(
            float(far.get(team, 0) + SCORE_OF_FLAG * taken)
            for team, taken in enumerate(self.taken, 1)
        )


class Race(Game[Track, Event, Word]):
    """All decide at once."""

    name = NAME
    title = "Race"
    rules_version = 1
    team_counts = range(1, 7)
    settings = RaceSettings
    state = Track
    event = RaceEvent
    order = Word
    player = object
    bots = "."
    limits = Limits()
    keyframe_turns = 5

    def new(self, settings: RaceSettings, teams: int) -> Track:
        return Track(settings, teams, {}, {}, [])

    def start(self, state: Track, streams: Streams) -> Iterator[Event]:
        for team in range(1, state.teams + 1):
            yield Entered(Runner(state.next_id, team))
        yield Stage(1, "race")

    def asks(self, state: Track) -> Sequence[Ask]:
        return [Ask(runner.team, runner.id) for runner in state.runners.values()]

    def check(self, state: Track, ask: Ask, answer: Any) -> Word | Refusal:
        return answer if answer in ORDERS else Refusal(f"{answer!r} is no way to race")

    def play(
        self, state: Track, orders: Sequence[Word | Fault], streams: Streams
    ) -> Iterator[Event]:
        for ask, order in zip(self.asks(state), orders, strict=True):
            if ask.piece_id in state.runners:
                yield from self._round(state, state.runners[ask.piece_id], order)
        if state.turn == state.settings.last_turn or len(state.runners) < 2:
            yield MatchEnded(state.scores, "last turn")
        else:
            yield Stage(state.turn + 1, "race")

    def _round(self, state: Track, runner: Runner, order: Word | Fault) -> Iterator[Event]:
        if isinstance(order, Fault):
            yield Lost(runner.id, str(order.cause))
        elif order == "run" and runner.x + 1 < state.settings.columns:
            yield Ran(runner.id, runner.x + 1)
        elif order == "plant":
            yield Planted(runner.id, Flag(state.next_id, runner.team, runner.x))
        elif order == "take" and (flags := self._flags(state, runner)):
            yield Took(runner.id, flags[0])
        elif order == "push":
            yield from self._push(state, runner)
        else:
            yield Idled(runner.id, "nothing there")

    def _push(self, state: Track, runner: Runner) -> Iterator[Event]:
        for other in list(state.runners.values()):
            if other.id != runner.id and other.x == runner.x:
                yield Pushed(runner.id, other.id, other.hp - 1)
                if other.hp == 1:
                    yield Dropped(other.id, runner.id)

    def _flags(self, state: Track, runner: Runner) -> list[int]:
        return [flag.id for flag in state.flags.values() if flag.x == runner.x]

    def host(self, player: type, state: Track, team: int, limits: Limits) -> Host:
        raise NotImplementedError

    def standing(self, state: Track) -> Standing:
        return Standing(state.turn, state.settings.last_turn, state.scores)

    def describe(self, state: Track, team: int) -> str:
        return f"{state.taken[team - 1]} flags"

    def text(self, state: Track) -> str:
        return str(state)


SCORE_LABELS = 1_000
"""The labels at the end of lanes have the ids after this one."""
TROPHIES = 2_000
"""The trophies beside them, too."""


class RaceScene(Scene[Track]):
    """Lanes from left to right, a label with the flags taken at their ends."""

    kinds: ClassVar = {
        "lane": Kind("lane"),
        "runner": Kind("runner", ("team", "level"), "strength"),
        "flag": Kind("flag", ("team",)),
        "taken": Kind("flags taken by team", ("team",)),
        "trophy": Kind("trophy", ("team",), "shine"),
        "title": Kind("title", is_seen_through=True),
    }
    letters: ClassVar = {"runner_1": "R"}
    score_name = "lead"
    event_styles: ClassVar = {
        "ran": EventStyle("ran to {place}"),
        "planted": EventStyle("planted {other}", Mark.BIRTH, "flags"),
        "took": EventStyle("took {other}: {level} is its level", Mark.JOIN, "takes"),
        "pushed": EventStyle("pushed {other} ({other_bar} left)", Mark.STRIKE),
        "dropped": EventStyle("dropped, pushed by {other}", Mark.DEATH, "drops"),
        "rose": EventStyle("is of level {level}", Mark.RISE),
        "idled": EventStyle("did nothing: {words}", Mark.BLOCKED),
        "lost": EventStyle("lost its round: {words}", Mark.FAULT, "faults"),
        "hurt": EventStyle("was hurt", Mark.HIT),
        "cheered": EventStyle("cheered: {words}", Mark.CALL),
        "claimed": EventStyle("claimed what is behind it", Mark.ATTACK_LANE),
    }

    @property
    def extent(self) -> Extent:
        return Extent(0, -1, self.settings.columns + 1, self.teams)

    def backdrop(self) -> Sequence[Tile | Label]:
        columns = self.settings.columns
        lanes = [
            Tile("lane", 0, y, columns, 1, GROUND[y % 2], GROUND[1 - y % 2])
            for y in range(self.teams)
        ]
        return [*lanes, Label("title", columns / 2, -0.5, 0.6, "the race", TEXT)]

    def ids(self, state: Track) -> Iterator[int]:
        yield from state.runners
        yield from state.flags
        yield from range(SCORE_LABELS + 1, SCORE_LABELS + 1 + len(state.taken))
        yield from (TROPHIES + team for team, taken in enumerate(state.taken, 1) if taken)

    def thing(self, state: Track, thing_id: int) -> Thing | None:
        if thing_id > TROPHIES:
            return self._trophy(state, thing_id - TROPHIES)
        if runner := state.runners.get(thing_id):
            return Sprite(
                "runner",
                runner.x + 0.5,
                runner.team - 0.5,
                0.9,
                f"runner_{runner.team}:{runner.level}",
                (runner.hp, HP),
                "L" if runner.level > 1 else "",
                (runner.team, runner.level),
            )
        if flag := state.flags.get(thing_id):
            fill = self.team_color(flag.team)
            return Tile("flag", flag.x + 0.25, flag.team - 1, 0.5, 1, fill, TEXT, (flag.team,))
        team = thing_id - SCORE_LABELS
        if not 0 < team <= len(state.taken):
            return None
        text = str(state.taken[team - 1])
        x, y = self.settings.columns + 0.5, team - 0.5
        return Label("taken", x, y, 0.6, text, self.team_color(team), (team,))

    def _trophy(self, state: Track, team: int) -> Block | None:
        """Grows with the flags taken."""
        taken = state.taken[team - 1] if team <= len(state.taken) else 0
        if not taken:
            return None
        cells, fill = ("##", "#.")[taken % 2], self.team_color(team)
        left = self.settings.columns - 2
        return Block(
            "trophy", left, team - 1, 2, 1, cells, fill, TEXT, "W", (taken, 9 + taken), (team,)
        )

    def dirty_ids(self, event: Any) -> Collection[int]:
        match event:
            case Entered(runner):
                return runner.id, SCORE_LABELS + runner.team
            case Planted(runner, flag):
                return runner, flag.id
            case Took(runner, flag):
                teams = range(1, 1 + self.teams)
                labels = [SCORE_LABELS + team for team in teams]
                return (runner, flag, *labels, *(TROPHIES + team for team in teams))
            case Pushed(runner, other, _):
                return runner, other
            case Ran(runner) | Dropped(runner):
                return (runner,)
        return ()

    def annotations(self, state: Track, event: Any) -> Sequence[Annotation]:
        match event:
            case Ran(runner):
                return (Annotation("ran", runner),)
            case Planted(runner, flag):
                behind = ((-flag.x - 0.5, -0.5, flag.x, 1),)
                return (
                    Annotation("planted", runner, flag.id),
                    *((Annotation("claimed", runner, attack_lanes=behind),) if flag.x else ()),
                )
            case Took(runner, flag):
                return (
                    Annotation("took", runner, flag),
                    Annotation("rose", runner),
                    Annotation("cheered", runner, 0, "hooray"),
                )
            case Pushed(runner, other):
                return Annotation("pushed", runner, other), Annotation("hurt", other)
            case Dropped(runner, by):
                return (Annotation("dropped", runner, by),)
            case Idled(runner, why):
                return (Annotation("idled", runner, 0, why),)
            case Lost(runner, why):
                return (Annotation("lost", runner, 0, why),)
        return ()

    def panel(self, state: Track, team: int) -> Panel:
        flags = [0] * self.settings.columns
        for flag in state.flags.values():
            flags[flag.x] += flag.team == team
        return (("flags taken", state.taken[team - 1]), ("flags by column", tuple(flags)))

    def disclosures(self, state: Track) -> Sequence[Disclosure]:
        if state.ending is None:
            return ()
        return (Disclosure("how it was run", "run;\n<b>run</b>"),)

    def threshold(self, state: Track) -> float | None:
        """Nothing that the rules know of; and nothing in the first turn."""
        return GOAL if state.turn > 1 else None


GAME = Race()


def install(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Put the game where games are looked for, with pictures made for it."""
    monkeypatch.setitem(catalog.GAMES, NAME, GAME)
    module = ModuleType(f"visualizer.scenes.{NAME}")
    module.__dict__["SCENE"] = RaceScene
    monkeypatch.setitem(modules, module.__name__, module)
    for team in GAME.team_counts:
        picture = Image.new("RGBA", (64, 64))
        picture.paste(RaceScene.team_color(team), (8, 8, 56, 56))
        (folder / NAME).mkdir(parents=True, exist_ok=True)
        picture.save(folder / NAME / f"runner_{team}.png")
    monkeypatch.setattr(sprites, "FOLDER", folder)


class Scripted(Seat):
    """A seat that gives orders by heart: of turn 1, of turn 2 ...; a Cause is a fault."""

    def __init__(self, orders: Sequence[str | Cause]) -> None:
        self._orders = iter(orders)

    def prepare(self, state: Any) -> None: ...
    def put(self, ask: Ask, view: Any) -> None: ...

    def take(self) -> Any:
        order = next(self._orders, "run")
        return Fault(order, f"words of {order}") if isinstance(order, Cause) else order


def a_race_spec(teams: int, **settings: int) -> MatchSpec:
    return MatchSpec(
        game=NAME,
        rules_version=1,
        settings=RaceSettings(**settings),
        limits=Limits(),
        bots=tuple(f"{team:016x}" for team in range(1, teams + 1)),
        seed=7,
    )


def record_race(
    path: Path | None,
    *scripts: Sequence[str | Cause],
    live: Path | None = None,
    names: Sequence[str] = (),
    watchers: Sequence[Observer] = (),
    **settings: int,
) -> Outcome:
    """Play a race of a team per script, and record it."""
    spec = a_race_spec(len(scripts), **settings)
    called = [*names, *(f"bot_{team}" for team in range(len(names) + 1, len(scripts) + 1))]
    bots = tuple(
        Contestant(name=name, digest=digest) for name, digest in zip(called, spec.bots, strict=True)
    )
    recorder = Recorder(GAME, spec, bots, path, live=live)
    try:
        seats = [Scripted(script) for script in scripts]
        return play_match(GAME, spec, seats, [recorder, *watchers])
    finally:
        recorder.close()


def random_scripts(teams: int, seed: int, turns: int = 12) -> list[list[str | Cause]]:
    """Orders drawn at random, and a fault now and then."""
    dice = Random(seed)
    parts: list[str | Cause] = [*ORDERS, *ORDERS, Cause.TIMEOUT]
    return [[dice.choice(parts) for _ in range(turns)] for _ in range(teams)]


EVENTFUL: Sequence[Sequence[str | Cause]] = (
    ["plant", "take", "push", "push", "push", "run", "take"],
    ["plant", Cause.TIMEOUT, "take", "take", "run"],
    ["run", Cause.EXCEPTION, "plant", "run", "take", "run"],
)
"""Three teams to which everything happens; the second one drops in turn 5."""
