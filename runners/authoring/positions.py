"""Positions out of recorded matches, and suites of them with the expected orders (EPD)."""

import shutil
import tomllib
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.bots.finding import Bot
from engine.errors import BadReplay, BadSettings, EngineFailure
from engine.replays.reading import Replay
from engine.replays.recorded_asks import RecordedAnswer
from engine.result_folder import REPLAY, ResultFolder
from engine.support.files import read_file, write_whole
from engine.support.sanitizing import one_line
from engine.support.text_decoding import BadEncoding, decode_text
from engine.support.wording import did_you_mean
from runners.authoring.workbench import Question, Workbench, in_words, order_texts

MAX_SUITE_BYTES = 1_000_000
MATCH_FOLDER = "positions"
"""The folder beside a suite in which the matches of its positions are kept."""
KEY_LETTERS = 16
SEARCHED_FOLDERS = (ResultFolder.MATCHES, ResultFolder.IN_PROCESS, ResultFolder.INTERRUPTED_MATCHES)
"""Where a match is looked for by its key."""


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn of a recorded match, and what a bot should order in it."""

    name: str = ""
    replay: Path
    """The recorded match; in a file: beside that file."""
    turn: Annotated[int, Meta(ge=0)]
    team: Annotated[int, Meta(ge=1)] = 1
    piece: int | None = None
    """What is asked about; None: the first thing that the team is asked in that turn."""
    memory: bool = False
    """Whether the bot is asked from the first turn on, so that it remembers the match."""
    best: tuple[str, ...] = ()
    """Right is one of these."""
    avoid: tuple[str, ...] = ()
    """Right is none of these."""

    def __str__(self) -> str:
        return self.name or f"turn {self.turn}"


class PositionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot orders in a position, and whether that is right."""

    position: str
    ordered: str
    is_right: bool
    why: str
    """Why it is wrong, or right."""
    us: int
    """CPU time of the call, microseconds."""


class _Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: tuple[Position, ...] = ()


def read_positions(path: Path) -> tuple[Position, ...]:
    """Return the positions of a suite. Raises: BadSettings, saying what is wrong in it."""
    try:
        tables = tomllib.loads(decode_text(read_file(path, MAX_SUITE_BYTES)))
        suite = msgspec.convert(tables, _Suite, dec_hook=_decode_path)
    except OSError as error:
        raise BadSettings(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, BadEncoding, RecursionError) as error:
        raise BadSettings(f"{path}: is not TOML: {one_line(error)}") from error
    except msgspec.ValidationError as error:
        raise BadSettings(
            f"{path}: {one_line(error)}; a [[position]] has a replay and a turn, best or avoid, "
            "and may have name, team, piece and memory"
        ) from error
    for number, position in enumerate(suite.position, 1):
        if not position.best and not position.avoid:
            raise BadSettings(
                f"{path}: position {number} ({position}) expects nothing: name orders in best or "
                "avoid"
            )
    return tuple(
        msgspec.structs.replace(position, replay=path.parent / position.replay)
        for position in suite.position
    )


def _decode_path(kind: type, value: object) -> Path:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise msgspec.ValidationError(f"Expected a file's name, got {value!r:.40}")


def ask_positions(
    workbench: Workbench, bot: Bot, positions: Sequence[Position], packages: tuple[str, ...] = ()
) -> Generator[PositionAnswer, None, None]:
    """Yield what a bot orders in each of these positions.

    Raises: BadReplay, BadSettings for an expected order that cannot be given there.
    """
    replays: dict[Path, Replay] = {}
    for position in positions:
        replay = replays.setdefault(position.replay, Replay(position.replay))
        yield _judge_answer(position, _ask_bot(workbench, bot, position, replay, packages))


def _ask_bot(
    workbench: Workbench, bot: Bot, position: Position, replay: Replay, packages: tuple[str, ...]
) -> RecordedAnswer:
    """Raises: BadReplay if nothing is asked there."""
    if position.team > len(replay.bots):
        raise BadReplay(f"{position}: {replay.path} has teams 1 to {len(replay.bots)}")
    question = Question(
        replay=replay,
        team=position.team,
        turns=range(position.turn, position.turn + 1),
        pieces=None if position.piece is None else (position.piece,),
        is_fresh=not position.memory,
    )
    with closing(workbench.ask(bot, question, packages=packages)) as answers:
        return next(answers)


def _judge_answer(position: Position, answer: RecordedAnswer) -> PositionAnswer:
    """Return whether an answer is what was expected."""
    _require_possible(position, answer)
    texts, ordered = order_texts(answer.now), in_words(answer.now)
    avoided = [text for text in position.avoid if text in texts]
    if avoided:
        is_right, why = False, f"ordered {ordered}; to be avoided: {', '.join(avoided)}"
    elif position.best and not any(text in texts for text in position.best):
        is_right, why = False, f"ordered {ordered}; best: {' or '.join(position.best)}"
    else:
        is_right, why = True, f"ordered {ordered}"
    return PositionAnswer(
        position=str(position), ordered=ordered, is_right=is_right, why=why, us=answer.us
    )


def _require_possible(position: Position, answer: RecordedAnswer) -> None:
    """Raises: BadSettings for an expected order that the rules do not know there."""
    if not answer.legal:
        return
    known = {text for order in answer.legal for text in order_texts(order)}
    for text in (*position.best, *position.avoid):
        if text not in known:
            raise BadSettings(
                f"{position}: {text!r} cannot be ordered there{did_you_mean(text, known)}"
            )


def save_position(path: Path, replay: Replay, answer: RecordedAnswer, bot: str) -> Path:
    """Add a position to a suite, with what is ordered now as the best order; return its match.

    The match is copied beside the suite, where nobody clears it away. Raises: EngineFailure.
    """
    if path.exists():
        read_positions(path)
    name = sha256(replay.path.read_bytes()).hexdigest()[:KEY_LETTERS]  # equal for equal files
    match = path.parent / MATCH_FOLDER / f"{name}.jsonl.gz"
    lines = (
        "",
        "[[position]]",
        f"name = {_quote_toml(f'turn {answer.turn}')}",
        f"replay = {_quote_toml(match.relative_to(path.parent).as_posix())}",
        f"turn = {answer.turn}",
        f"team = {answer.ask.team}",
        *([f"piece = {answer.ask.piece_id}"] if answer.ask.piece_id else []),
        f"best = [{', '.join(map(_quote_toml, order_texts(answer.now)))}]  # what {bot} ordered",
        "avoid = []",
        "",
    )
    try:
        before = decode_text(path.read_bytes()) if path.exists() else ""
        match.parent.mkdir(parents=True, exist_ok=True)
        if not match.exists():
            shutil.copyfile(replay.path, match)
    except OSError as error:
        raise EngineFailure(f"{error.filename}: {error.strerror}") from error
    write_whole(path, f"{before}{chr(10).join(lines)}".encode())
    return match


def _quote_toml(text: str) -> str:
    """Return a text as TOML has it."""
    return msgspec.json.encode(text).decode()


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
    found = list(_replays_by_key(out, word)) if word.isalnum() else []
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


def _replays_by_key(out: Path, word: str) -> Iterator[Path]:
    for folder in SEARCHED_FOLDERS:
        yield from sorted((out / folder).glob(f"{word}*/{REPLAY}"))


def choose_team(replay: Replay, said: int | None, bot: Bot) -> int:
    """Return the team that is looked at: the one said, or that which a bot of this name played.

    Of a bot that did not play it is team 1. Raises: BadReplay for a team that there is not.
    """
    if said is not None:
        if said > len(replay.bots):
            raise BadReplay(f"{replay.path}: has teams 1 to {len(replay.bots)}, not {said}")
        return said
    names = [contestant.name for contestant in replay.bots]
    return names.index(bot.name) + 1 if bot.name in names else 1
