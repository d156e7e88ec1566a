"""Finding what an author names: a recorded match, and the team that is looked at."""

from collections.abc import Iterator
from pathlib import Path

from engine.bots.finding import Bot
from engine.errors import BadReplay
from engine.replays.reading import Replay
from engine.result_folder import REPLAY, ResultFolder

SEARCHED = (ResultFolder.MATCHES, ResultFolder.IN_PROCESS, ResultFolder.INTERRUPTED_MATCHES)
"""Where a match is looked for by its key."""


def find_replay(out: Path, word: str) -> Replay:
    """Return a recorded match: a file, its folder, or the first letters of its key.

    Raises: BadReplay if there is none, or several are meant.
    """
    path = Path(word)
    try:
        if word and path.exists():
            return Replay(path / REPLAY if path.is_dir() else path)
    except OSError:  # not a name that a file could have
        pass
    found = list(_of_key(out, word)) if word.isalnum() else []
    keys = {path.parent.name for path in found}
    if len(keys) == 1:
        return Replay(found[0])
    if keys:
        raise BadReplay(
            f"{word}: several matches in {out} begin with it: {', '.join(sorted(keys)[:5])}; type "
            "more letters"
        )
    raise BadReplay(
        f"{word:.80}: no such file, and no recorded match in {out} begins with it; play one first, "
        "or name its folder of results with --out"
    )


def _of_key(out: Path, word: str) -> Iterator[Path]:
    for folder in SEARCHED:
        yield from sorted((out / folder).glob(f"{word}*/{REPLAY}"))


def team_of(replay: Replay, said: int | None, bot: Bot) -> int:
    """Return the team that is looked at: the one said, or that which a bot of this name played.

    Of a bot that did not play it is team 1. Raises: BadReplay for a team that there is not.
    """
    if said is not None:
        if said > len(replay.bots):
            raise BadReplay(f"{replay.path}: has teams 1 to {len(replay.bots)}, not {said}")
        return said
    names = [contestant.name for contestant in replay.bots]
    return names.index(bot.name) + 1 if bot.name in names else 1
