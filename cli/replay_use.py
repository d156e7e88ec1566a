"""Watch, print, verify and export recorded matches, as replay.py does, for people and scripts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from cli.match_summary import (
    difference_text,
    format_seed_hash,
    original_text,
    replay_info,
    replay_summary,
)
from cli.replay import ReplayOptions
from engine.errors import BadReplay, UsageError
from engine.replays.public_copy import why_not_as_copied, write_team_view_replay
from engine.replays.reading import DAMAGE_ERRORS, Replay, newest_replay
from engine.replays.verifying import Difference, verify
from engine.replays.writing import ContinuedAside
from engine.streams import seed_hash, seed_text
from engine.support.sanitizing import one_line, path_text, printable_lines
from visualizer.watching.render import Render
from visualizer.watching.watch import sprites_for, watch, watch_live


def watch_parent(folder: Path, options: ReplayOptions) -> None:
    """Show the match that our parent plays."""
    if options.render is Render.WEB:
        from server.watching.live_match import serve_live  # the window needs no server

        serve_live(folder, options.out)
        return
    watch_live(folder, options.render, options.out)


def open_replays(
    file: Path | None, file_2: Path | None, options: ReplayOptions, folder: Path
) -> list[Replay]:
    """Return the replays that were named, or the newest one; as a team knew them, if so asked.

    Those are made in `folder`. Raises: BadReplay, UsageError.
    """
    replay = Replay(newest_replay(options.out) if file is None else file)
    replays = [replay] if file_2 is None else [replay, Replay(file_2)]
    if options.team is None:
        return replays
    if options.verifies:
        raise UsageError("--verify compares the whole record: leave out --as-team")
    return [_make_team_replay(one, options.team, folder / str(n)) for n, one in enumerate(replays)]


def _make_team_replay(replay: Replay, team: int, folder: Path) -> Replay:
    """Return the replay of what a team knew. Raises: BadReplay, UsageError."""
    folder.mkdir()
    path = folder / replay.path.name
    with replay.convert_errors():
        write_team_view_replay(replay, team, path)
    return Replay(path)


def use_replays(replays: Sequence[Replay], options: ReplayOptions) -> int:
    """Do whatever was asked for, and return the exit code."""
    with blame_made_up_lines(replays):
        if options.export is not None:
            click.echo(export_replay(replays, options.export, options))
        if options.looks_into:
            return look_into(replays[0], options)
        if options.export is None:
            show(replays, options)
        return 0


def show(replays: Sequence[Replay], options: ReplayOptions) -> None:
    """Show matches, or print who played them where they are not to be shown here.

    Raises: UsageError for a turn that none of them has.
    """
    turn, longest = options.turn or 0, max(replays, key=lambda replay: replay.last_turn)
    if turn > longest.last_turn:
        raise UsageError(f"--turn {turn}: {longest.path} has turns 0 to {longest.last_turn}")
    if not watch(replays, options.render, turn, options.out, tell):
        for replay in replays:
            click.echo(replay_summary(replay))


@contextmanager
def blame_made_up_lines(replays: Sequence[Replay]) -> Iterator[None]:
    """Say of trouble with lines that no rules wrote whose fault it is: it is no bug of ours.

    Raises: BadReplay.
    """
    try:
        yield
    except DAMAGE_ERRORS as error:
        for replay in replays:
            if verify(replay) is not None:
                raise BadReplay(
                    f"{replay.path}: cannot be shown: {one_line(repr(error))}; it is not what the "
                    "rules make of its orders (--verify says where)"
                ) from error
        raise


def look_into(replay: Replay, options: ReplayOptions) -> int:
    """Print what can be said of a match without showing it, and return the exit code."""
    if options.prints_json:
        return look_into_as_json(replay, options)
    if options.shows_info:
        click.echo(replay_info(replay))
    if options.printed is not None:
        with replay.convert_errors():
            board = replay.game.text(replay.state_at(options.printed))
        click.echo(printable_lines(board))
    if not options.verifies:
        return 0
    difference = verify(replay)
    click.echo(difference_text(replay, difference))
    click.echo(format_seed_hash(replay, options.seed_hash))
    return 0 if is_verified(replay, difference, options) else 1


def is_verified(replay: Replay, difference: Difference | None, options: ReplayOptions) -> bool:
    """Return whether a replay, its seed and what it was copied from are as they should be."""
    is_seed = options.seed_hash in (None, seed_hash(replay.spec.seed))
    return difference is None and is_seed and why_not_as_copied(replay) is None


def look_into_as_json(replay: Replay, options: ReplayOptions) -> int:
    """Print the same for scripts, as one object, and return the exit code."""
    found = info_fields(replay) if options.shows_info else {"path": path_text(replay.path)}
    is_good = True
    if options.verifies:
        difference = verify(replay)
        is_good = is_verified(replay, difference, options)
        found |= verification_fields(replay, difference) | {"is_verified": is_good}
    click.echo(msgspec.json.encode(found).decode())
    return 0 if is_good else 1


def export_replay(replays: Sequence[Replay], path: Path, options: ReplayOptions) -> str:
    """Write the file and return what was written, in words. Raises: UsageError."""
    from visualizer.export.exporting import export  # what it draws with takes a while to import

    if len(replays) > 1:
        raise UsageError("--export is for one match; name one replay")
    return export(replays[0], path, options.request, sprites_for(replays[0], options.out))


def tell(message: str) -> None:
    """Print beside what scripts read from stdout."""
    click.echo(message, err=True)


def info_fields(replay: Replay) -> dict[str, object]:
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


def verification_fields(replay: Replay, difference: Difference | None) -> dict[str, object]:
    """Return what `--verify` found: the first difference, and the fingerprint."""
    return {
        "first_difference": None if difference is None else _difference_to_json(difference),
        "fingerprint": replay.fingerprint,
        "why_not_as_copied": why_not_as_copied(replay),
        "seed_hash": seed_hash(replay.spec.seed),
    }


def _difference_to_json(difference: Difference) -> dict[str, object]:
    return {
        "turn": difference.turn,
        "recorded": one_line(difference.recorded),
        "replayed": one_line(difference.replayed),
    }
