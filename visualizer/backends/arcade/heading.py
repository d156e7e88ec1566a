"""What the line above the boards of a window says."""

from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.drawing.header import Heading, Tag, result_at, stage_at
from visualizer.scene import counted


def heading_of(model: WindowModel) -> Heading:
    views, first = model.views, model.views[0]
    is_alone = len(views) == 1
    return Heading(
        max(view.timeline.turn_at(view.cursor.position) for view in views),
        round(model.end),
        stage=stage_at(first.timeline, first.cursor.position) if is_alone else "",
        step=_step_text(first) if is_alone and not model.playback.is_playing else "",
        tag=_tag(model),
        results=tuple(result_at(view.timeline, view.cursor.position) for view in views),
    )


def _tag(model: WindowModel) -> Tag | None:
    """Return how far the playhead is in a match that is being played."""
    if not model.is_live:
        return None
    if model.playback.is_at_end:
        return Tag("LIVE", is_lit=True)
    return Tag(f"{counted(int(model.playback.end), 'turn')} played")


def _step_text(view: ReplayView) -> str:
    """Return which step of the turn is shown."""
    timeline, position = view.timeline, view.cursor.position
    if not position:
        return "before the first turn"
    turn = timeline.turn_at(position)
    first, last = timeline.begin_of(turn), timeline.end_of(turn)
    return f"step {position - first} of {last - first}"
