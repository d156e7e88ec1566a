"""A match for a page that a server feeds: what it has at once, and then what is added to it.

The columns are those of a page in a file, but that nothing in them is ranked or changed later: who
has read so far goes on reading. What whoever joins late is sent, and what is new to whoever saw
the match so far, are cut from the same lists.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.replays.decisions import Decision
from engine.replays.writing import NotesAside
from visualizer.backends.page import scene_facts, teams_facts
from visualizer.backends.page.delta_encoding import Shape
from visualizer.backends.page.images import encode_png
from visualizer.backends.page.match_encoder import StepEncoder
from visualizer.backends.page.texts import encode
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline

PIXELS = 64
"""The width of a picture: each is sent once, and how many will come is not known."""

Lists = dict[str, list[object]]


class GrowingPage:
    """What a page is told of a growing match, and how much of it there was at each moment."""

    def __init__(self, timeline: ReplayTimeline, sprites: Sprites) -> None:
        self._timeline, self._sprites = timeline, sprites
        self._lists: Lists = {}
        self._lengths: list[dict[str, int]] = []
        self._turns_written = self._marks_written = 0

    def take_notes(self, aside: NotesAside) -> None:
        """Take in what a bot drew and logged, where whoever looks at the page may see it."""
        notes, place = self._timeline.notes, (aside.turn, aside.team, aside.piece_id)
        drawn, said = len(notes.turns.get(aside.turn, ())), len(notes.logged.get(place, ()))
        notes.take(aside)
        new = [(aside.turn, each) for each in notes.turns.get(aside.turn, [])[drawn:]]
        self._extend({"drawings": new})
        self._extend({"logs": [(*place, line) for line in notes.logged.get(place, [])[said:]]})

    @property
    def moments(self) -> int:
        """Return how often `grow` was called."""
        return len(self._lengths)

    @cached_property
    def _encoder(self) -> StepEncoder:
        # Made when the board is there that the match begins with, which is no step.
        return StepEncoder(self._timeline)

    @cached_property
    def _backdrop(self) -> tuple[Mapping[str, list[int]], list[Shape]]:
        return self._encoder.backdrop().growth("backdrop")

    def grow(self) -> None:
        """Take in what was recorded since the last call."""
        self._timeline.read_new_entries()
        encoder, _ = self._encoder, self._backdrop
        before = encoder.position
        encoder.encode_steps()
        self._add_turns_and_marks(before)
        for what, deltas in encoder.deltas.items():
            columns, shapes = deltas.growth(what)
            self._extend({f"columns {name}": numbers for name, numbers in columns.items()})
            self._extend({f"shapes {what}": shapes})
        for name, numbers in encoder.columns.items():
            self._replace(f"columns {name}", numbers)
        self._add_images()
        self._replace("words", list(encoder.words))
        self._replace("thresholds", list(self._timeline.thresholds))
        self._replace("trails", list(self._timeline.trails.points))
        self._replace("camera", list(self._timeline.camera.parts))
        self._lengths.append({name: len(values) for name, values in self._lists.items()})

    def message(self, since: int | None, about: Mapping[str, object]) -> bytes:
        """Return what a page needs that knows what there was at a moment; None: nothing.

        `about` is what else there is to say of the match. Raises: IndexError for a moment that
        has not been.
        """
        facts = {"facts": self._facts()} if since is None else {}
        known = {} if since is None else self._lengths[since]
        parts: dict[str, dict[str, list[object]]] = {"columns": {}, "shapes": {}}
        whole: dict[str, object] = {}
        for name, values in self._lists.items():
            new = values[known.get(name, 0) :]
            if since is not None and not new:
                continue
            kind, _, rest = name.partition(" ")
            if rest:
                parts[kind][rest] = new
            else:
                whole[name] = new
        return encode({**facts, **parts, **whole, **self._present(), **about})

    def _facts(self) -> Mapping[str, object]:
        """Return what does not change."""
        timeline = self._timeline
        backdrop, shapes = self._backdrop
        return {
            "game": timeline.replay.game.title,
            "teams": teams_facts(timeline),
            **scene_facts(timeline),
            "grids": timeline.scene.grids,
            "backdrop": {"columns": backdrop, "shapes": shapes},
        }

    def _present(self) -> Mapping[str, object]:
        """Return what may change at any moment."""
        encoder, ending = self._encoder, self._encoder.present_ending()
        return {
            "ending": ending,
            "standingNow": encoder.present_standing(),
            "disclosures": [] if ending is None else encoder.present_disclosures(),
        }

    def _add_turns_and_marks(self, before: int) -> None:
        timeline, text = self._timeline, self._encoder.words
        turns = [timeline.turn_at(at) for at in range(before, timeline.steps + 1)]
        marks = timeline.marks[self._marks_written :]
        marked = [mark.position for mark in timeline.marks[max(0, self._marks_written - 1) :]]
        if not self._marks_written:
            marked.insert(0, 0)
        self._marks_written += len(marks)
        self._extend(
            {
                "columns turn": [b - a for a, b in pairwise(turns)],
                "columns markAt": [b - a for a, b in pairwise(marked)],
                "columns mark": [text[mark.what] for mark in marks],
                "decisions": [self._decisions_in(step) for step in range(before, timeline.steps)],
            }
        )

    def _decisions_in(self, step: int) -> int:
        return sum(isinstance(entry, Decision) for entry in self._timeline.entries(step))

    def _add_images(self) -> None:
        known = self._lists.setdefault("images", [])
        for name in list(self._encoder.images)[len(known) :]:
            picture = encode_png(self._sprites.image(self._sprites.canonical_name(name), PIXELS))
            known.append({"name": name, "png": b64encode(picture).decode()})

    def _extend(self, lists: Mapping[str, Sequence[object]]) -> None:
        for name, values in lists.items():
            self._lists.setdefault(name, []).extend(values)

    def _replace(self, name: str, values: list[Any]) -> None:
        """Take a list that grows elsewhere; the columns that we extend are empty there."""
        if values or name not in self._lists:
            self._lists[name] = values
