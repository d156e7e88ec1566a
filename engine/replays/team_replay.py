"""Make the replay of a match as one team knew it from the record of the whole."""

from pathlib import Path

from engine.errors import UsageError
from engine.game import Stage
from engine.replays.decisions import Decision
from engine.replays.reading import Replay
from engine.replays.writing import Recorder


def write_seen_replay(replay: Replay, team: int, path: Path) -> None:
    """Write what a team was told of a match, as a replay of its own that viewers can show.

    It has no orders, which are nobody else's business, and is no record: nothing plays it again.
    Raises: UsageError for a team that there is not, or where every team knows everything.
    """
    game, teams = replay.game, len(replay.bots)
    if not 1 <= team <= teams:
        raise UsageError(f"--as-team {team}: the match has teams 1 to {teams}")
    if game.open_information:
        raise UsageError(f"--as-team {team}: in {game.title} every team knows everything")
    state, known = (game.new(replay.spec.settings, teams) for _ in range(2))
    recorder = Recorder(game, replay.spec, replay.bots, path)
    recorder.began(known)
    try:
        for event in replay.entries():
            if isinstance(event, Decision):
                continue
            state.apply(event)
            told = game.observed_event(state, event, team)
            if type(event) is Stage and told is not None and type(told) is not Stage:
                known.apply(event)  # viewers cut a match at its stages
                recorder.happened(event)
            if told is not None:
                known.apply(told)
                recorder.happened(told)
        if replay.outcome is not None:
            recorder.ended(replay.outcome)
    finally:
        recorder.close()
