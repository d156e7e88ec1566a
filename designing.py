"""`main.py design FILE`: what a bot designs before its matches, looked at without playing."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec

from engine.bots.wire import one_line
from engine.catalogue import GAMES, game_named
from engine.errors import EngineFailure, UsageError
from engine.game import Inspection
from engine.referee import Job, Referee
from runners.options import FOR_ONE_MATCH, all_options, is_said, plan_from, refuse

FLAWED = 1
"""The exit code."""
MOST_SEEDS = 1_000
FOLDER = "designs"
"""In the folder of --out."""
IN_MATCHES = tuple(name for name in FOR_ONE_MATCH if name not in ("in_process", "shows_logs"))
USUAL_SEED = 0
"""So that the same command shows the same."""
TRACE_LETTERS = 4_000


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about a design."""

    bot: str
    game: str
    seeds: tuple[int, int]
    """The first and the last that were tried."""
    is_legal: bool
    mistakes: tuple[str, ...]
    text: str
    picture: str | None


@click.command(
    epilog="Exit codes: 0 the design can be played, 1 it has mistakes, 2 wrong usage, 130 stopped."
)
@click.argument("file")
@click.option(
    "--seeds",
    type=click.IntRange(1, MOST_SEEDS),
    default=20,
    show_default=True,
    metavar="N",
    help="Ask for the design on so many boards, from --seed on; the first one is shown.",
)
@click.pass_context
def design(context: click.Context, /, **own: Any) -> None:
    """Look at what a bot designs before its matches: figures, a map and a picture.

    The bot's code runs as in a match: in a process of its own, under its limits. The settings
    are those of --preset and --set. Every mistake is told with its place.
    """
    options = options_of(context)
    seen = look(options)
    click.echo(msgspec.json.encode(seen).decode() if options["prints_json"] else as_text(seen))
    context.exit(0 if seen.is_legal else FLAWED)


def options_of(context: click.Context) -> dict[str, Any]:
    """Those of the command and its group. Raises: UsageError for one without effect."""
    assert context.parent is not None
    refuse(context.parent, IN_MATCHES, "design plays no match")
    options = all_options(context)
    options["game"] = game_for(options["game"] if is_said(context.parent, "game") else None)
    options["seed"] = USUAL_SEED if options["seed"] is None else options["seed"]
    options["player_1"] = options["player_2"] = options["file"]
    return options


def game_for(said: str | None) -> str:
    """The game that was named, or the only one that has designs. Raises: UsageError."""
    designed = [name for name, game in GAMES.items() if game.has_designs]
    if said is None and len(designed) == 1:
        return designed[0]
    names = ", ".join(designed) or "none"
    if said is None:
        raise UsageError(f"design needs -g GAME; games with designs: {names}")
    if said not in designed:
        raise UsageError(
            f"-g {said}: {game_named(said).title} has no designs; games that do: {names}"
        )
    return said


def look(options: dict[str, Any]) -> Seen:
    """Raises: BadBot, BadSettings, UsageError, EngineFailure."""
    plan = plan_from(options)
    job = plan.job()
    name = job.contestants[0].name
    folder = options["out"] / FOLDER / name
    log = _empty_log(folder, name)
    jobs = list(_on_boards(job, options["seeds"]))
    with closing(Referee(options["out"])) as referee:
        found = [referee.inspect(jobs[0], folder)]
        if found[0].areas:  # else there is no design anywhere
            found += [referee.inspect(one, folder) for one in jobs[1:]]
    mistakes = tuple(_mistakes(jobs, found))
    if options["shows_logs"]:
        click.echo(log.read_text(encoding="utf-8", errors="replace")[:TRACE_LETTERS], err=True)
    return Seen(
        bot=name,
        game=job.spec.game,
        seeds=(jobs[0].spec.seed, jobs[-1].spec.seed),
        is_legal=not mistakes,
        mistakes=mistakes,
        text=found[0].text,
        picture=_picture(found[0], folder),
    )


def as_text(seen: Seen) -> str:
    """For people."""
    first, last = seen.seeds
    tried = f"seed {first}" if first == last else f"seeds {first} to {last}, shown: {first}"
    head = f"{one_line(seen.bot)}, a design for {game_named(seen.game).title} ({tried})"
    parts = [head, seen.text] if seen.text else [head]
    if seen.picture:
        parts.append(f"the picture: {seen.picture}")
    if seen.mistakes:
        count = len(seen.mistakes)
        title = "1 mistake:" if count == 1 else f"{count} mistakes:"
        parts.append("\n".join([title, *(f"  {mistake}" for mistake in seen.mistakes)]))
    else:
        parts.append("no mistakes: it can be played")
    return "\n\n".join(parts)


def _empty_log(folder: Path, name: str) -> Path:
    """Where the bot's prints go. Raises: EngineFailure."""
    log = folder / f"1-{name}.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b"")
    except OSError as error:
        raise EngineFailure(f"{log}: cannot be written: {error.strerror}") from error
    return log


def _on_boards(job: Job, count: int) -> Iterator[Job]:
    """The same with one seed after the other."""
    for seed in range(job.spec.seed, job.spec.seed + count):
        yield msgspec.structs.replace(job, spec=msgspec.structs.replace(job.spec, seed=seed))


def _mistakes(jobs: Sequence[Job], found: Sequence[Inspection]) -> Iterator[str]:
    """Each once, with the seed where it is not on the board that is shown."""
    told = set(found[0].mistakes)
    yield from found[0].mistakes
    for job, inspection in zip(jobs, found, strict=False):
        new = [mistake for mistake in inspection.mistakes if mistake not in told]
        told.update(new)
        more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
        yield from (f"with --seed {job.spec.seed}: {mistake}{more}" for mistake in new[:1])


def _picture(inspection: Inspection, folder: Path) -> str | None:
    """Its path. Raises: EngineFailure."""
    if not inspection.areas:
        return None
    from visualizer.design_picture import write_design_picture  # Pillow takes a while to import

    path = folder / "design.png"
    write_design_picture(inspection.areas, path)
    return str(path)
