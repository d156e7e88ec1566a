"""Format a recorded match for scripts, as replay.py prints it."""

from typing import Any

import msgspec

from cli.replay_summary import original_text
from engine.replays.public_copy import why_not_as_copied
from engine.replays.reading import Replay
from engine.replays.verifying import Difference
from engine.replays.writing import ContinuedAside
from engine.streams import seed_hash, seed_text
from engine.support.sanitizing import one_line, path_text


def info_of(replay: Replay) -> dict[str, Any]:
    """Return the header and the result of a recorded match, as `--info` has them."""
    spec, outcome = replay.spec, replay.outcome
    return {
        "path": path_text(replay.path),
        "game": replay.game.name,
        "rules_version": spec.rules_version,
        "engine": replay.engine,
        "key": spec.key,
        "seed": seed_text(spec.seed),
        "bots": msgspec.to_builtins(replay.bots),
        "scores": None if outcome is None else outcome.scores,
        "winner": None if outcome is None else outcome.winner,
        "winners": () if outcome is None else outcome.winners,
        "reason": None if outcome is None else one_line(outcome.reason),
        "last_turn": replay.last_turn,
        "resumed_in_turns": [
            aside.continued.turn for aside in replay.asides if isinstance(aside, ContinuedAside)
        ],
        "origin": msgspec.to_builtins(spec.origin),
        "copy_of": original_text(replay) or None,
        "settings": msgspec.to_builtins(spec.settings),
        "limits": msgspec.to_builtins(spec.limits),
    }


def verified(replay: Replay, difference: Difference | None) -> dict[str, Any]:
    """Return what `--verify` found: the first difference, and the fingerprint."""
    return {
        "first_difference": None if difference is None else _in_words(difference),
        "fingerprint": replay.fingerprint,
        "why_not_as_copied": why_not_as_copied(replay),
        "seed_hash": seed_hash(replay.spec.seed),
    }


def _in_words(difference: Difference) -> dict[str, Any]:
    return {
        "turn": difference.turn,
        "recorded": one_line(difference.recorded),
        "replayed": one_line(difference.replayed),
    }
