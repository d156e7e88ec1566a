"""Describe a recorded match: who played, the outcome, and what verifying found."""

from engine.replays.public_copy import why_not_as_copied
from engine.replays.reading import Replay
from engine.replays.verifying import Difference
from engine.replays.writing import ContinuedAside
from engine.settings import listing
from engine.streams import seed_hash, seed_text
from engine.support.sanitizing import one_line, printable_lines

FINGERPRINT_LETTERS = 64


def replay_info(replay: Replay) -> str:
    """Return the header and the result of a recorded match."""
    spec = replay.spec
    game = f"{replay.game.title}, rules version {spec.rules_version}"
    lines = [
        str(replay.path),
        f"  {game}, engine {replay.engine}, key {spec.key}, seed {seed_text(spec.seed)}",
    ]
    if spec.origin is not None:
        step, fingerprint = spec.origin.step, one_line(spec.origin.fingerprint)[:16]
        lines.append(
            f"  goes on from decision {step} of the match with the fingerprint {fingerprint}"
        )
    if replay.copy is not None:
        lines.append(f"  a public copy of the match with the fingerprint {original_text(replay)}")
    scores = replay.outcome.scores if replay.outcome else [None] * len(replay.bots)
    for team, (bot, score) in enumerate(zip(replay.bots, scores, strict=True), 1):
        points = "" if score is None else f"{score:>10.1f}"
        lines.append(f"  team {team}: {bot.name:<20}{points}  {bot.digest}")
    lines.append(f"  {_ending(replay)}")
    lines += [
        f"  was interrupted, and resumed in turn {aside.continued.turn}"
        for aside in replay.asides
        if isinstance(aside, ContinuedAside)
    ]
    lines += [f"settings\n{listing(spec.settings)}", f"limits\n{listing(spec.limits)}"]
    return printable_lines("\n".join(lines))


def difference_text(replay: Replay, difference: Difference | None) -> str:
    """Return what verifying found."""
    if difference is None:
        cut = "" if replay.outcome else " (it was interrupted: as far as it was recorded)"
        identical = f"{replay.path}: verified: identical, event for event{cut}"
        return "\n".join([identical, *_fingerprint_lines(replay)])
    return (
        f"{replay.path}: first difference in turn {difference.turn}\n"
        f"  recorded: {one_line(difference.recorded)}\n"
        f"  replayed: {one_line(difference.replayed)}"
    )


def _fingerprint_lines(replay: Replay) -> list[str]:
    """Return the fingerprint, and of a public copy what it could be compared with, and what not."""
    found = replay.fingerprint
    if replay.copy is None:
        return [f"  fingerprint: {found}"]
    why_not = why_not_as_copied(replay)
    if why_not is not None:
        return [f"  not the public copy that was made: {one_line(why_not)}"]
    if replay.copy.original == found:
        return [f"  fingerprint: {found}, that of the match: its whole record is here"]
    return [
        f"  a public copy, whose own fingerprint is {found}",
        f"  fingerprint of the match, as the copy says: {original_text(replay)}",
        "  not verified: the source of bots, of which it has the SHA-256 alone",
    ]


def original_text(replay: Replay) -> str:
    """Return the fingerprint of the match of which a replay is the public copy."""
    return "" if replay.copy is None else one_line(replay.copy.original)[:FINGERPRINT_LETTERS]


def seed_text_of(replay: Replay, expected: str | None) -> str:
    """Return the SHA-256 of a replay's seed, and whether it is the one that was announced."""
    found = seed_hash(replay.spec.seed)
    if expected is None:
        return f"  SHA-256 of the seed: {found}"
    if found == expected:
        return f"  SHA-256 of the seed: {found}, as announced"
    return f"  the seed is not the one announced: its SHA-256 is {found}, not {expected}"


def _ending(replay: Replay) -> str:
    if replay.outcome is None:
        return f"interrupted in turn {replay.last_turn}"
    winners = [f"team {team}, {replay.bots[team - 1].name}" for team in replay.outcome.winners]
    what = f"won by {' and '.join(winners)}" if winners else "a draw"
    return f"{what}; ended by {one_line(replay.outcome.reason)} in turn {replay.last_turn}"
