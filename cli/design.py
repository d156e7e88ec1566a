"""Show what a bot designs before its matches, without playing: the command `design`."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from cli.choices import complete_bots, option
from cli.logs import fold_tracebacks
from cli.options import FOR_ONE_MATCH, MatchOptions, is_said, refuse
from engine.catalog import GAMES, find_game
from engine.errors import UsageError
from engine.game import DesignInspection
from engine.referee import FaultSeen, Job, Referee
from engine.result_folder import OutName
from engine.streams import MAX_SEED, seed_text
from engine.support.files import wrap_write_errors
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.configuration import preset_names, read_configuration
from runners.match_request import settings_for
from runners.planning import MatchPlan
from runners.team_counts import playable_counts

FLAWED = 1
"""The exit code for a design with mistakes."""
MAX_SEEDS = 1_000
FOLDER = OutName.DESIGNS
"""The folder of designs, in that of --out."""
IN_MATCHES = (
    *(name for name in FOR_ONE_MATCH if name not in ("in_process", "shows_logs")),
    "secret",
)
SMALL = "small"
"""The preset of a battle, where nothing is said of the settings."""
LAST_TURN = "max_turns"
"""The setting by which a battle ends, in games that have it."""
USUAL_SEED = 0
"""A fixed seed, so that the same command shows the same."""
TRACE_LETTERS = 4_000
TURNS = 50
REHEARSAL_TIMEOUT_S = 5.0
"""Limits of the battle against itself that a design without mistakes plays."""
MAX_FAULTS = 10
"""Faults of that battle that are printed."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about a design."""

    bot: str
    game: str
    seeds: tuple[str, str]
    """The first and the last that were tried."""
    is_legal: bool
    mistakes: tuple[str, ...]
    text: str
    picture: str | None
    untried: tuple[str, ...] = ()
    """What of it did not come to be asked in the battle against itself."""


@click.command(
    epilog="Exit codes: 0 the design can be played, 1 it has mistakes, 2 wrong usage, "
    "130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@option(
    "--seeds",
    type=click.IntRange(1, MAX_SEEDS),
    default=20,
    help="Ask for the design on so many boards, from --seed on; the first one is shown.",
)
@option(
    "--battle",
    "rival",
    metavar="[OTHER]",
    is_flag=False,
    flag_value="",
    help="Then play a battle at once, against itself or another bot, on the small board unless "
    "--preset or --set say otherwise. It is watched as any match, and told.",
)
@option(
    "--turns",
    type=click.IntRange(1, 10_000),
    default=200,
    help="The most turns of that battle.",
)
@click.pass_context
def design(context: click.Context, /, file: str, seeds: int, rival: str | None, turns: int) -> None:
    """Look at what a bot designs before its matches.

    As figures, a map and a picture. The bot's code runs as in a match: in a process of its own,
    under its limits. The settings are those of --preset and --set. Every mistake is told with its
    place. A design without any plays the first turns of a battle against itself, to find mistakes
    in what its shapes do; in it a shape of each type is made to die, as `die` may have some, too.
    """
    if rival is None and is_said(context, "turns"):
        raise UsageError("--turns needs --battle")
    options = parse_design_options(context, file, is_battle=rival is not None)
    seen = try_design(options, seeds)
    click.echo(msgspec.json.encode(seen).decode() if options.prints_json else as_text(seen))
    if rival is not None and seen.is_legal:
        context.exit(battle(context, options, (file, rival or file), turns))
    context.exit(0 if seen.is_legal else FLAWED)


def parse_design_options(
    context: click.Context, file: str, *, is_battle: bool = False
) -> MatchOptions:
    """Return the options of a match of the file's bot against itself.

    Raises: UsageError for an option without effect; BadSettings.
    """
    assert context.parent is not None
    ignored = [name for name in IN_MATCHES if not (is_battle and name == "render")]
    refuse(context.parent, ignored, "design plays no match")
    options: MatchOptions = context.obj
    request = options.request
    seed = USUAL_SEED if request.seed is None else request.seed
    game = game_for(request.game if is_said(context.parent, "game") else None)
    request = replace(request, game=game, seed=seed, players=(file, file))
    if is_battle and not request.changes_settings and SMALL in preset_names(game):
        request = replace(request, preset=SMALL)
    # As many play as can with these settings: their zones are the smallest.
    settings = settings_for(request, read_configuration())
    most = max(playable_counts(find_game(request.game), settings))
    return replace(options, request=replace(request, players=(file,) * most))


def battle(
    context: click.Context, options: MatchOptions, players: tuple[str, str], turns: int
) -> int:
    """Play a battle of so many turns, watched or not, and return the exit code."""
    from cli.match import choose_render, play_one  # what shows matches takes a while to import

    assert context.parent is not None
    click.echo("")
    request = replace(options.request, players=players)
    if LAST_TURN in find_game(options.game).settings.__struct_fields__:
        request = replace(request, settings=(*request.settings, f"{LAST_TURN}={turns}"))
    played = replace(options, request=request, render=choose_render(context.parent, options))
    return play_one(MatchPlan(request, read_configuration()), played)


def game_for(said: str | None) -> str:
    """Return the game named, or the only one that has designs. Raises: UsageError."""
    designed = [name for name, game in GAMES.items() if game.has_designs]
    if said is None and len(designed) == 1:
        return designed[0]
    names = ", ".join(designed) or "none"
    if said is None:
        raise UsageError(f"design needs -g GAME; games with designs: {names}")
    if said not in designed:
        raise UsageError(
            f"-g {said}: {find_game(said).title} has no designs; games that do: {names}"
        )
    return said


def try_design(options: MatchOptions, seeds: int) -> Seen:
    """Raises: BadBot, BadSettings, UsageError, EngineFailure."""
    job = MatchPlan(options.request, read_configuration()).make_job()
    name = job.contestants[0].name
    folder = options.out / FOLDER / name
    teams = range(1, len(job.contestants) + 1)
    log, *_ = [_empty_log(folder, f"{team}-{name}") for team in teams]
    jobs = list(_jobs_by_seed(job, seeds))
    with closing(Referee(options.out)) as referee:
        found = [referee.inspect(jobs[0], folder)]
        if found[0].areas:  # else there is no design anywhere
            found += [referee.inspect(one, folder) for one in jobs[1:]]
        mistakes = tuple(_unique_mistakes(jobs, found))
        untried: tuple[str, ...] = ()
        if not mistakes:
            rehearsal = referee.play_trial(jobs[0], folder, TURNS, REHEARSAL_TIMEOUT_S)
            mistakes = tuple(map(_battle_fault_text, rehearsal.faults[:MAX_FAULTS]))
            untried = rehearsal.untried
    if options.shows_logs:
        text = fold_tracebacks(log.read_text(encoding="utf-8", errors="replace"))
        click.echo(text[:TRACE_LETTERS], err=True)
    return Seen(
        bot=name,
        game=job.spec.game,
        seeds=(seed_text(jobs[0].spec.seed), seed_text(jobs[-1].spec.seed)),
        is_legal=not mistakes,
        mistakes=mistakes,
        text=found[0].text,
        picture=_write_picture(found[0], folder),
        untried=untried,
    )


def as_text(seen: Seen) -> str:
    """Return what was found out for people."""
    first, last = seen.seeds
    tried = f"seed {first}" if first == last else f"seeds {first} to {last}, shown: {first}"
    head = f"{one_line(seen.bot)}, a design for {find_game(seen.game).title} ({tried})"
    parts = [head, seen.text] if seen.text else [head]
    if seen.picture:
        parts.append(f"the picture: {seen.picture}")
    if seen.mistakes:
        title = f"{pluralize(len(seen.mistakes), 'mistake')}:"
        parts.append("\n".join([title, *(f"  {mistake}" for mistake in seen.mistakes)]))
    else:
        parts.append("no mistakes: it can be played")
    parts += [f"note: {note}" for note in seen.untried]
    return "\n\n".join(parts)


def _empty_log(folder: Path, name: str) -> Path:
    """Make the file of what the bot prints. Raises: EngineFailure."""
    log = folder / f"{name}.log"
    with wrap_write_errors(log):
        folder.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b"")
    return log


def _jobs_by_seed(job: Job, count: int) -> Iterator[Job]:
    """Yield the same match with one seed after the other."""
    for seed in range(job.spec.seed, job.spec.seed + count):
        spec = msgspec.structs.replace(job.spec, seed=seed & MAX_SEED)
        yield msgspec.structs.replace(job, spec=spec)


def _unique_mistakes(jobs: Sequence[Job], found: Sequence[DesignInspection]) -> Iterator[str]:
    """Yield each mistake once, with the seed where it is not on the board that is shown."""
    printed = set(found[0].mistakes)
    yield from found[0].mistakes
    for job, inspection in zip(jobs, found, strict=False):
        new = [mistake for mistake in inspection.mistakes if mistake not in printed]
        printed.update(new)
        more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
        yield from (
            f"with --seed {seed_text(job.spec.seed)}: {mistake}{more}" for mistake in new[:1]
        )


def _battle_fault_text(seen: FaultSeen) -> str:
    """Return what is wrong with what its shapes do, as only playing shows."""
    fault = seen.fault
    times = "" if seen.times == 1 else f" and {seen.times - 1} times more"
    return f"in turn {seen.turn} of a battle against itself{times}: {fault.cause}: {fault.detail}"


def _write_picture(inspection: DesignInspection, folder: Path) -> str | None:
    """Write the picture and return its path. Raises: EngineFailure."""
    if not inspection.areas:
        return None
    from visualizer.backends.pillow.design_picture import (
        write_design_picture,  # Pillow takes a while to import
    )

    path = folder / "design.png"
    write_design_picture(inspection.areas, path, inspection.drawings)
    return str(path)
