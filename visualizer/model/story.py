"""What a match tells: a caption for each turn, the end with its reason, and the key moments.

Made here once, and shown by window, page, terminal and pictures in the same words.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from engine.errors import SlimeMindError
from engine.replays.reading import Replay
from engine.support.wording import write_scores
from visualizer.model.cursor import Cursor, Step
from visualizer.model.narration import Narrator
from visualizer.model.timeline import ReplayTimeline, find_leader
from visualizer.scene import Annotation, Thing

MAX_LETTERS = 90
"""A caption is one line on the narrowest of windows."""
MAX_STAGED = 1.0
"""Up to so many turns a second there is time to read a caption of each stage."""
LEAD_WEIGHT = 45
"""What weighs less than a change of the lead is not told beside one of another team."""
MORE = 9
"""The most that the number of events alike adds to their weight."""
MAX_REPLAY_BYTES = 2_000_000
"""Longer replays are not looked through for it: that would take seconds."""
MAX_LEAD_CHANGES = 12
"""Changes of the lead that are told, the last ones."""
MIN_MOMENTS, MAX_MOMENTS = 3, 7
MIN_CHANGE = 0.04
"""By how much the share of the score changes in a key moment, unless there were too few."""
DAMPING = 0.3
"""What is added to each score, of the highest one: from 0 : 0 to 1 : 0 is no great change."""
APART = 0.03
"""The least distance of two key moments, of the length of the match."""


class Ending(NamedTuple):
    """How a match ended."""

    who: str
    """Who won: `Learned wins`."""
    why: str
    figures: tuple[str, ...]
    """The scores, and what else there is to count; the winner's first."""
    moments: tuple[int, ...]
    """The turns in which it was decided."""

    @property
    def line(self) -> str:
        """Return it as the last caption."""
        parts = [f"{self.who}: {self.why}", *self.figures]
        while len(parts) > 1 and len(". ".join(parts)) > MAX_LETTERS:
            parts.pop()
        return shorten(". ".join(parts))


class _Deeds(NamedTuple):
    """Events of a kind by a team in a turn; the sentence is that of the heaviest."""

    weight: int
    times: int
    team: int | None
    sentence: str


class TurnStory:
    """What happened in one turn, as its steps are told of; then its caption."""

    def __init__(self, timeline: ReplayTimeline, turn: int) -> None:
        self._timeline, self._turn = timeline, turn
        self._narrator = Narrator(timeline)
        self._deeds: dict[tuple[str, int | None], _Deeds] = {}

    def add(self, step: Step, things: Mapping[int, Thing]) -> None:
        """Take in a step of the turn; `things` are those after it."""
        for annotation in step.annotations:
            style = self._timeline.scene.event_styles[annotation.event_style]
            if style.weight > 0 and style.tells:
                self._add(annotation, step, things)

    def _add(self, annotation: Annotation, step: Step, things: Mapping[int, Thing]) -> None:
        scene, narrator = self._timeline.scene, self._narrator
        style = scene.event_styles[annotation.event_style]
        one, other = step.find(annotation.one, things), step.find(annotation.other, things)
        team, rival = scene.team_of(annotation.one, one), scene.team_of(annotation.other, other)
        values: dict[str, object] = {
            **narrator.values(annotation, one, other),
            "one": "" if one is None else narrator.name(annotation.one, one),
            "team": self._name(team),
            "other_team": self._name(rival),
        }
        if other is not None:
            values["other_kind"] = scene.kinds[other.kind].title
            values |= {
                f"other_{name}": fact for name, fact in narrator.facts(other) if name != "team"
            }
        grown = str(values.get(style.grows_by, ""))
        weight = style.weight + (int(grown) if grown.isdigit() else 0)
        key = annotation.event_style, team
        before = self._deeds.get(key, _Deeds(0, 0, team, ""))
        values["n"] = count = before.times + 1
        says = style.tells_many if count > 1 and style.tells_many else style.tells
        heaviest = max(weight, before.weight)
        if count > 1 and not style.tells_many and weight <= before.weight:
            sentence = before.sentence
        else:
            sentence = says.format_map(defaultdict(lambda: "?", values))
        self._deeds[key] = _Deeds(heaviest, count, team, sentence)

    def _name(self, team: int | None) -> str:
        return self._timeline.scene.name_of_team(team)

    @property
    def deed(self) -> str:
        """Return the sentence of what mattered most; '' where nothing did."""
        return max(self._deeds.values(), key=_weigh, default=_Deeds(0, 0, None, "")).sentence

    def caption(self, scores: Sequence[float], before: Sequence[float] | None) -> str:
        """Return the caption, with the scores after the turn and before it."""
        leader = find_leader(scores)
        was = leader if before is None else find_leader(before)
        has_changed = leader not in (0, was) and before is not None
        heaviest = max(self._deeds.values(), key=_weigh, default=None)
        if heaviest is not None and has_changed and heaviest.team != leader:
            heaviest = heaviest if heaviest.weight > LEAD_WEIGHT else None
        deed = "" if heaviest is None else heaviest.sentence
        is_own = heaviest is not None and heaviest.team == leader
        if not self._turn:
            return shorten(" against ".join(self._timeline.scene.names))
        head, lead = f"Turn {self._turn}: ", self._lead(leader, scores, has_changed)
        lines = [f"{head}{lead}"] if not deed else []
        if deed and is_own and deed.startswith(self._name(leader)):
            lines.append(f"{head}{deed} and {lead.removeprefix(self._name(leader)).strip()}")
        if deed:
            lines += [f"{head}{deed}; {lead}", f"{head}{deed}"]
        return next((line for line in lines if len(line) <= MAX_LETTERS), shorten(lines[-1]))

    def _lead(self, leader: int, scores: Sequence[float], has_changed: bool) -> str:
        if not max(scores):
            return "no points yet"
        order = sorted(range(len(scores)), key=lambda place: place + 1 != leader)
        texts = write_scores(scores)
        points = (
            " : ".join(texts[place] for place in order) if len(scores) == 2 else texts[order[0]]
        )
        if not leader:
            return f"level at {points}"
        verb = "takes the lead" if has_changed else "leads"
        return f"{self._name(leader)} {verb} {points if len(scores) == 2 else f'with {points}'}"


class Story:
    """The captions, the end and the key moments of a replay. Has a cursor of its own."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self._timeline = timeline
        self._cursor = Cursor(timeline)
        self._captions: dict[int, str] = {}
        self._ending: Ending | None = None

    def caption(self, position: int) -> str:
        """Return the caption of the last turn that has ended at a position; '' before the first."""
        timeline = self._timeline
        if position >= timeline.steps and (ending := self.ending) is not None:
            return ending.line
        turn = timeline.last_ended_turn(position)
        if turn < timeline.turn_at(position) and timeline.scene.turns_per_s <= MAX_STAGED:
            self._cursor.seek(position)
            if told := tell_stage(timeline, self._cursor.step, self._cursor.things):
                return told
        if turn <= 0 or turn >= len(timeline.scores):
            return self._captions.get(turn, "") or " against ".join(timeline.scene.names)
        if turn not in self._captions:
            self._captions[turn] = self._tell(turn)
        return self._captions[turn]

    def _tell(self, turn: int) -> str:
        timeline, cursor, told = self._timeline, self._cursor, TurnStory(self._timeline, turn)
        cursor.seek(timeline.turn_start(turn))
        for step in cursor.steps_to(timeline.turn_end(turn)):
            told.add(step, cursor.things)
        return told.caption(timeline.scores[turn], timeline.scores[turn - 1])

    @property
    def ending(self) -> Ending | None:
        """Return how the match ended; None while nobody knows."""
        timeline = self._timeline
        if self._ending is None and timeline.is_over and timeline.replay.outcome is not None:
            self._cursor.seek(timeline.steps)
            self._ending = make_ending(timeline, self._cursor.state)
        return self._ending


def tell_stage(timeline: ReplayTimeline, step: Step, things: Mapping[int, Thing]) -> str:
    """Return the caption of a stage in the middle of a turn; '' where turns are too short for it.

    `things` are those after it.
    """
    if timeline.scene.turns_per_s > MAX_STAGED:
        return ""
    told = TurnStory(timeline, step.turn)
    told.add(step, things)
    stage = f"Turn {step.turn}, {step.stage}"
    return shorten(f"{stage}: {told.deed}" if told.deed else stage)


def make_ending(timeline: ReplayTimeline, state: Any) -> Ending:
    """Return how a match ended whose last state this is."""
    scene, outcome = timeline.scene, timeline.replay.outcome
    assert outcome is not None
    winners = outcome.winners
    names = [scene.names[team - 1] for team in winners]
    who = f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}" if names else "A draw"
    told = scene.explain_end(state, outcome.reason, winners)
    points = scene.compare(write_scores(outcome.scores), scene.points_name, winners)
    moments = tuple(find_key_moments(timeline.scores))
    return Ending(who, told.why, (points, *told.figures), moments)


def shorten(line: str) -> str:
    """Return a line with at most as many letters as a caption has."""
    return line if len(line) <= MAX_LETTERS else f"{line[: MAX_LETTERS - 1].rstrip()}…"


def fit_sentences(caption: str, has_room: Callable[[str], bool]) -> str:
    """Return the first sentences of a caption for which there is room, or the first one alone."""
    while not has_room(caption) and ". " in caption:
        caption = caption.rpartition(". ")[0]
    return caption


def _weigh(deeds: _Deeds) -> int:
    return deeds.weight + min(deeds.times - 1, MORE)


# -- where it turned ----------------------------------------------------------------------------


class LeadChange(msgspec.Struct, frozen=True, kw_only=True):
    """A turn at whose end another team led than before."""

    turn: int
    team: int


class TurningPoints(msgspec.Struct, frozen=True, kw_only=True):
    """How a match turned. Its turns are those of the scores, from 1."""

    turn: int | None
    """From here on the winner led for good; of one that did not lead in the end, the turn in which
    it gained the most. Null for a draw, for several winners, and where scores say nothing."""
    winner: int | None
    leads: list[LeadChange]
    """Who took the lead, and when; only the last ones of many."""
    moments: list[int]
    """The turns in which the shares of the score changed most, in their order."""
    line: str = ""
    """Who won, and why; '' where the replay cannot be read."""


def losing_turn(replay: Path, seat: int) -> int | None:
    """Return the turn from which a team, by its seat from 0, was behind for good.

    Of one that never led, the turn in which it fell back the most. None where the replay cannot
    be read, is too long, or says nothing of it.
    """
    return compute_losing_turn(_load(replay)[0], seat)


def turning_points(replay: Path, winners: Sequence[int]) -> TurningPoints:
    """Return how a match turned that these teams have won, as far as its replay tells."""
    scores, line = _load(replay)
    return replace(compute_turning_points(scores, winners), line=line)


def tell_end(replay: Path) -> str:
    """Return who won a match, and why; '' where its replay cannot be read, or is too long."""
    return _load(replay)[1]


@lru_cache(500)
def _load(replay: Path) -> tuple[Sequence[Sequence[float]], str]:
    """Return the scores at the end of each turn, turn 0 first, and the last caption.

    None of them where they cannot be had.
    """
    try:
        if replay.stat().st_size > MAX_REPLAY_BYTES:
            return (), ""
        timeline = ReplayTimeline(Replay(replay))
        timeline.read_new_entries()
    except (OSError, SlimeMindError):
        return (), ""
    ending = Story(timeline).ending
    return tuple(timeline.scores), "" if ending is None else ending.line


def compute_losing_turn(scores: Sequence[Sequence[float]], seat: int) -> int | None:
    """Return the same for the scores at the end of each turn, turn 0 first."""
    leads = _leads(scores, seat)
    if len(leads) < 2 or leads[-1] >= 0:
        return None
    ahead = [turn for turn, lead in enumerate(leads) if lead > 0]
    if ahead:
        return ahead[-1] + 1
    return min(range(1, len(leads)), key=lambda turn: leads[turn] - leads[turn - 1])


def compute_turning_points(
    scores: Sequence[Sequence[float]], winners: Sequence[int]
) -> TurningPoints:
    """Return how a match turned by the scores at the end of each turn, turn 0 first."""
    changes = list(_lead_changes(scores))
    winner = winners[0] if len(winners) == 1 else None
    turn = None if winner is None else _compute_winning_turn(scores, winner - 1)
    leads = changes[-MAX_LEAD_CHANGES:]
    return TurningPoints(turn=turn, winner=winner, leads=leads, moments=find_key_moments(scores))


def find_key_moments(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the turns in which the share of the score changed most, three to seven of them.

    `scores` are those at the end of each turn, turn 0 first. The last turn is none of them: that
    is the end, after which a score may mean something else (docs/rules/game_of_death.md 7.5).
    """
    if len(scores) < 3:
        return []
    more = DAMPING * max(map(max, scores[:-1])) or 1.0
    shares = [
        [(own + more) / (sum(points) + len(points) * more) for own in points]
        for points in scores[:-1]
    ]
    changes = {
        turn: max(abs(now - was) for was, now in zip(*pair, strict=True))
        for turn, pair in enumerate(pairwise(shares), 1)
    }
    found: list[int] = []
    for turn in sorted(changes, key=lambda turn: -changes[turn]):
        is_small = changes[turn] < MIN_CHANGE and len(found) >= MIN_MOMENTS
        if is_small or not changes[turn] or len(found) == MAX_MOMENTS:
            break
        if all(abs(turn - other) > APART * len(scores) for other in found):
            found.append(turn)
    return sorted(found)


def _lead_changes(scores: Sequence[Sequence[float]]) -> Iterator[LeadChange]:
    """Yield who took the lead from whom, and when; where several are level, nobody does."""
    leader = 0
    for turn, points in enumerate(scores):
        found = find_leader(points)
        if found and found != leader:
            if leader:  # who leads first changes no lead
                yield LeadChange(turn=turn, team=found)
            leader = found


def _compute_winning_turn(scores: Sequence[Sequence[float]], seat: int) -> int | None:
    leads = _leads(scores, seat)
    if len(leads) < 2:
        return None
    if leads[-1] > 0:
        behind = [turn for turn, lead in enumerate(leads) if lead <= 0]
        return behind[-1] + 1 if behind else None  # it led all the time
    turn = max(range(1, len(leads)), key=lambda turn: leads[turn] - leads[turn - 1])
    return turn if leads[turn] > leads[turn - 1] else None


def _leads(scores: Sequence[Sequence[float]], seat: int) -> list[float]:
    """Return by how much a team was ahead of the best other one at the end of each turn."""
    return [
        own[seat] - max(points for other, points in enumerate(own) if other != seat)
        for own in scores
    ]
