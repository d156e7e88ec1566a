"""The plan of an export: the options of the command line, validated and completed."""

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.errors import UsageError
from visualizer.model.playback import FoldedTime, find_quiet
from visualizer.model.story import Story, find_key_moments
from visualizer.model.timeline import ReplayTimeline

PICTURE = ".png"
PAGE = ".html"
PICTURE_SIZE = (1920, 1080)
MIN_SIZE, MAX_SIZE = (320, 240), (7680, 4320)
"""The limits of the sides; a picture may be upright."""
MAX_ASPECT_RATIO = 4
"""The greatest ratio of the sides."""
MAX_SPEED = 1_000
MAX_FRAMES = 100_000
HOLD_S = 2.5
"""Seconds that the end of a match is shown."""
HIGHLIGHTS_S, MOMENT_S, MOVING = 30.0, 3.5, 0.65
"""How long highlights last, and one of them, seconds; and the share of it in which it moves."""
PAUSE_S = 0.5
"""Seconds that the last picture is shown if the match goes on."""


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The options of an export; None is the default."""

    turn: int | None = None
    first: int | None = None
    last: int | None = None
    fps: float | None = None
    speed: float | None = None
    size: tuple[int, int] | None = None
    highlights: bool | None = None
    """Whether the key moments alone are shown."""
    no_fold: bool | None = None
    """Whether stretches in which nothing happens are played as slowly as all else."""
    drawings: bool | None = None
    """Whether what the bots drew is shown."""


class Form(NamedTuple):
    """A kind of animation, and its defaults."""

    size: tuple[int, int]
    fps: float
    most_fps: float
    longest_s: float
    """Seconds; a longer animation is sped up, unless a speed is given."""
    most_pixels: float
    """The most pixels of all frames together: larger files are of no use."""


FORMS: Mapping[str, Form] = {
    ".gif": Form((640, 360), 15, 50, 20, 1.5e9),
    ".webp": Form((800, 450), 15, 50, 20, 1.5e9),
    ".mp4": Form((1280, 720), 30, 60, 60, float("inf")),
}
ENDINGS = (PICTURE, *FORMS, PAGE)
OPTIONS = {
    "turn": ("--turn", (PICTURE, PAGE)),
    "first": ("--from", tuple(FORMS)),
    "last": ("--to", tuple(FORMS)),
    "fps": ("--fps", tuple(FORMS)),
    "speed": ("--speed", tuple(FORMS)),
    "highlights": ("--highlights", tuple(FORMS)),
    "no_fold": ("--no-fold", tuple(FORMS)),
    "size": ("--size", (PICTURE, *FORMS)),
    "drawings": ("--drawings", ENDINGS),
}
"""The option, and the endings it is for, by field of ExportRequest."""


class Stretch(NamedTuple):
    """Times of a replay in turns, and for how many frames each is shown."""

    times: list[float]
    ticks: list[int]
    captions: list[str | None]
    """The caption at each time; None for that of the last turn that has ended."""


def check_ending(path: Path, request: ExportRequest) -> str:
    """Return the ending of a file, if it suits the options. Raises: UsageError."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(f"{path}: no such export; possible endings are: {', '.join(ENDINGS)}")
    for name, (option, endings) in OPTIONS.items():
        if getattr(request, name) is not None and ending not in endings:
            raise UsageError(f"{option} is for {', '.join(endings)}, not for {ending}")
    return ending


def check_size(ending: str, request: ExportRequest) -> tuple[int, int]:
    """Return width and height in pixels. Raises: UsageError."""
    usual = FORMS[ending].size if ending in FORMS else PICTURE_SIZE
    size = usual if request.size is None else request.size
    short, long = min(size), max(size)
    text = "{}x{}".format(*size)
    if short < min(MIN_SIZE) or long < max(MIN_SIZE):
        raise UsageError(f"--size {text}: too small; at least {'{}x{}'.format(*MIN_SIZE)}")
    if short > min(MAX_SIZE) or long > max(MAX_SIZE):
        raise UsageError(f"--size {text}: too large; at most {'{}x{}'.format(*MAX_SIZE)}")
    if long > MAX_ASPECT_RATIO * short:
        raise UsageError(f"--size {text}: one side is more than {MAX_ASPECT_RATIO} times the other")
    if ending == ".mp4" and (size[0] % 2 or size[1] % 2):
        even = size[0] // 2 * 2, size[1] // 2 * 2
        raise UsageError(f"--size {text}: MP4 needs even sides, such as {'{}x{}'.format(*even)}")
    return size


def check_turn(timeline: ReplayTimeline, option: str, turn: int) -> int:
    """Validate a turn. Raises: UsageError, saying which turns there are."""
    if not 0 <= turn <= timeline.last_turn:
        path, last = timeline.replay.path, timeline.last_turn
        raise UsageError(f"{option} {turn}: {path} has turns 0 to {last}")
    return turn


def make_stretch(
    timeline: ReplayTimeline, form: Form, request: ExportRequest, size: tuple[int, int]
) -> Stretch:
    """Return the stretch from the first turn to the end of the last one. Raises: UsageError."""
    first = check_turn(timeline, "--from", request.first or 0)
    last = check_turn(
        timeline, "--to", timeline.last_turn if request.last is None else request.last
    )
    if first > last:
        raise UsageError(f"--from {first} comes after --to {last}")
    fps = frames_per_s(form, request)
    if request.highlights:
        return _plan_highlights(timeline, fps, request)
    begin = max(0, first - 1)
    turns_per_s = timeline.scene.turns_per_s
    folded = FoldedTime(() if request.no_fold else find_quiet([timeline]))
    start = folded.fold(begin)
    lasts = folded.fold(last) - start
    per_s = turns_per_s * choose_speed(form, request, lasts / turns_per_s)
    count = int(lasts / per_s * fps) + 1
    if count > MAX_FRAMES or count * size[0] * size[1] > form.most_pixels:
        raise UsageError(
            f"that would be {count:,} frames of {'{}x{}'.format(*size)}, too much for one file: "
            "choose a shorter stretch (--from, --to), a higher --speed, a lower --fps, "
            "a smaller --size, or .mp4"
        )
    hold_s = HOLD_S if last == timeline.last_turn else PAUSE_S
    times = [min(folded.unfold(start + frame * per_s / fps), last) for frame in range(count)]
    return _plan_stretch(timeline, folded, [*times, float(last)], round(hold_s * fps))


def _plan_highlights(timeline: ReplayTimeline, fps: float, request: ExportRequest) -> Stretch:
    """Return the key moments and the end, each with its caption. Raises: UsageError."""
    if (request.first, request.last, request.speed, request.no_fold) != (None,) * 4:
        others = "--from, --to, --speed and --no-fold"
        raise UsageError(f"--highlights chooses its turns: it goes without {others}")
    turns = [*find_key_moments(timeline.scores), timeline.last_turn]
    each_s = min(MOMENT_S, (HIGHLIGHTS_S - HOLD_S) / len(turns))
    before = max(1, round(MOVING * each_s * timeline.scene.turns_per_s))
    moving = max(1, int(MOVING * each_s * fps))
    plan, story = Stretch([], [], []), Story(timeline)
    for turn in turns:
        begin = max(0, turn - before)
        plan.times.extend(begin + (turn - begin) * (frame + 1) / moving for frame in range(moving))
        plan.ticks.extend([1] * moving)
        plan.ticks[-1] += int((1 - MOVING) * each_s * fps)
        # The end is told when it has come: before, the turns that lead to it are.
        told = None if turn == timeline.last_turn else story.caption(timeline.turn_end(turn))
        plan.captions.extend([told] * moving)
    plan.ticks[-1] += int(HOLD_S * fps)
    return plan


def frames_per_s(form: Form, request: ExportRequest) -> float:
    """Raises: UsageError."""
    fps = form.fps if request.fps is None else request.fps
    if not 1 <= fps <= form.most_fps:
        raise UsageError(f"--fps {fps:g}: 1 to {form.most_fps:g} are possible here")
    return fps


def choose_speed(form: Form, request: ExportRequest, lasts_s: float) -> float:
    """Return the speed of what lasts so long at speed 1. Raises: UsageError."""
    if request.speed is None:
        return max(1.0, lasts_s / form.longest_s)
    if not 0 < request.speed <= MAX_SPEED:
        raise UsageError(f"--speed {request.speed:g}: more than 0, and at most {MAX_SPEED}")
    return request.speed


def _plan_stretch(
    timeline: ReplayTimeline, folded: FoldedTime, times: Sequence[float], hold: int
) -> Stretch:
    """Return the times of the frames; where nothing happens, one stands for several.

    Nothing does in a turn without steps. The last frame is shown for `hold` frames more.
    """
    plan = Stretch([], [], [])
    kept, ticks, captions = plan
    for time in times:
        turn = ceil(time)
        is_still = timeline.turn_start(turn) == timeline.turn_end(turn)
        if kept and (time == kept[-1] or (is_still and ceil(kept[-1]) == turn)):
            ticks[-1] += 1
        else:
            kept.append(time)
            ticks.append(1)
            quiet = folded.stretch_at(time)
            captions.append(quiet.words if quiet else None)
    ticks[-1] += hold
    return plan
