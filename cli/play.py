"""Play a person's game against bots or friends in the browser: the command `play`."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from cli.choices import BROWSER, PORT, option
from cli.options import MatchOptions, is_said, refuse, warn
from cli.seats import SEAT_OPTIONS
from engine.catalog import DEFAULT_GAME_OF_PEOPLE, find_game
from engine.errors import Stopped, UsageError
from engine.game import AnyGame
from engine.support.lazy_import import lazy_imports
from engine.support.wording import pluralize
from runners.configuration import read_configuration

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import serve as serving_command
    from engine import spec as match_spec
    from engine.replays import reading, resuming
    from runners import commands, planning
    from runners.storage import schema
    from server.games import (
        boards,
        bot_seats,
        clocks,
        game_rows,
        game_storage,
        new_games,
        recorded_matches,
    )
    from server.games import game_service as game_services
    from server.http import errors, limits, listening, serving
    from server.site import application


USUAL_TEAMS = 4
"""The most teams of a game where nobody says who plays."""
NOT_FOR_PEOPLE = (*SEAT_OPTIONS, "runner", "matches", "key", "past", "in_process", "http_origins")
NOT_IN_ROOMS = ("against", "seat", "people", "clock", "substitute", "resumes")
NOT_FROM_THE_PAST = ("against", "people", "clock", "substitute", "lan", "resumes")


@click.command(
    epilog="Exit codes: 0 the game was over, 1 it could not be played, 2 wrong usage, 130 stopped "
    "(the game is kept)."
)
@option(
    "--against",
    multiple=True,
    metavar="BOT",
    help="A bot to play against; may be repeated; default: bots drawn at random fill the seats.",
)
@option(
    "--seat",
    type=click.IntRange(1, 6),
    default=1,
    help="The first seat in which a person sits.",
)
@option(
    "--people",
    type=click.IntRange(1, 6),
    default=1,
    help="How many people play: at this screen, or each from a link with --lan.",
)
@option("--lan", is_flag=True, help="Also for others in this network: each gets a link to a seat.")
@option(
    "--clock",
    default="none",
    metavar="TIME",
    help="How long people may think: 10+5 is ten minutes and five seconds for each decision, 3d "
    "three days for each.",
)
@option(
    "--substitute",
    metavar="BOT",
    help="The bot that plays for whoever was late three turns in a row (SMAC with --clock); "
    "default: one drawn at random.",
)
@option(
    "--match",
    "past",
    type=click.Path(path_type=Path),
    metavar="REPLAY",
    help="Continue a recorded match against its bots, as the team of --seat; the first turn "
    "that is played anew is that of --turn, or the one after the replay's last.",
)
@PORT
@option(
    "--continue/--new", "resumes", default=None, help="Go on with the last game; or begin another."
)
@BROWSER
@click.pass_context
def play(context: click.Context, /, **values: Any) -> None:
    """Play yourself, in the browser.

    Smack!, SMAC, Slime Mind and the Game of Death. The game is kept with every move: after Ctrl-C
    the same command goes on with it.
    """
    play_here(context, GameRequest(**values))


class GameRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command, by the names of its parameters."""

    against: tuple[str, ...]
    seat: int
    people: int
    lan: bool
    clock: str
    substitute: str | None
    """None: one drawn at random."""
    past: Path | None
    """The replay from which it goes on."""
    port: int
    resumes: bool | None
    """None: ask whoever typed it."""
    opens_browser: bool


def play_here(context: click.Context, asked: GameRequest) -> None:
    """Serve a game until it is stopped. Raises: Stopped, UsageError, BadBot."""
    group = context.parent
    assert group is not None
    refuse(group, NOT_FOR_PEOPLE, "people play; their bots are named with --against")
    options: MatchOptions = context.obj
    past = None if asked.past is None else _load_past(context, group, options, asked)
    if past is None:
        refuse(group, ("past_before",), "it is for --match REPLAY, and says from where you play on")
    named = find_game(options.game if is_said(group, "game") else DEFAULT_GAME_OF_PEOPLE)
    if past is None and named.has_designs:
        _serve_rooms(context, asked)
        return
    game = named if past is None else past.game
    boards.load_board(game)  # says which games people can play
    clock = clocks.read_control(asked.clock)
    if asked.people > 1 and not (asked.lan or game.open_information):
        raise UsageError(
            f"{game.title} hides the players' orders from each other: with --lan everybody gets "
            "a link, and plays on a screen of their own"
        )
    with closing(game_storage.GameStorage(options.out / schema.DATABASE)) as storage:
        is_new = past is not None or asked.resumes is False
        stored = None if is_new else _load_saved_game(storage, game, asked)
        seats_of_bots = bot_seats.BotSeats(options.out, options.run.play.sandbox, processes=1)
        with closing(seats_of_bots):
            games = game_services.GameService(storage, seats_of_bots, report=warn)
            if past is not None:
                begun = _play_on(storage, games, past, options, asked)
            else:
                begun = stored or _create_game(storage, games, game, options, asked, clock)
            _serve(games, begun, asked, options.out)


def _serve_rooms(context: click.Context, asked: GameRequest) -> None:
    """Serve rooms, in which armies meet. Raises: Stopped, UsageError."""
    refuse(context, NOT_IN_ROOMS, "who plays, and how long, is chosen on the page")
    serving = serving_command.serve.make_context("serve", [], parent=context.parent)
    said = {"port": asked.port, "workers": 0, "has_exhibitions": False, "page": "/rooms/new"}
    host = {"host": listening.ANY} if asked.lan else {}
    values = serving.params | said | host | {"opens_browser": asked.opens_browser}
    serving_command.serve_here(serving, serving_command.ServeOptions(**values))


def _load_past(
    context: click.Context, group: click.Context, options: MatchOptions, asked: GameRequest
) -> reading.Replay:
    """Return the replay from which to play on. Raises: BadReplay, UsageError."""
    assert asked.past is not None
    refuse(context, NOT_FROM_THE_PAST, "with --match a game goes on as it was begun")
    refuse(
        group,
        ("preset", "settings_file", "words", "seed"),
        "--match keeps the settings of the recorded match",
    )
    replay = reading.Replay(asked.past)
    if is_said(group, "game") and options.game != replay.game.name:
        raise UsageError(f"{replay.path} is a match of {replay.game.title}: leave out --game")
    return replay


def _play_on(
    storage: game_storage.GameStorage,
    games: game_services.GameService,
    past: reading.Replay,
    options: MatchOptions,
    asked: GameRequest,
) -> game_rows.StoredGame:
    """Begin a game in the middle of a replay. Raises: BadReplay, UsageError."""
    try:
        body = recorded_matches.ContinueBody(_step(past, options.request.past_before), asked.seat)
        going_on = recorded_matches.Continuation(games, options.out, limits.RateLimits())
        game_id = going_on.play_on_replay(past, body)
    except errors.ActionRefused as error:
        raise UsageError(f"{past.path}: {error}") from error
    stored = storage.find_game(game_id)
    assert stored is not None
    for then, now in zip(past.bots, stored.seats, strict=True):
        if not now.is_person and now.digest != then.digest:
            message = f"note: {then.name} is not in {options.out / 'bots'}: {now.name} plays for it"
            click.echo(message, err=True)
    return stored


def _step(past: reading.Replay, before_turn: int | None) -> int:
    """Return how many decisions of a replay count. Raises: BadReplay, UsageError."""
    resuming.require_played_so(past, before_turn)
    step = sum(1 for _ in resuming.decisions_before(past, before_turn))
    if past.outcome is not None and step == sum(1 for _ in resuming.decisions_before(past, None)):
        raise UsageError(f"{past.path}: the match is over by then: choose an earlier --turn")
    return step


def _load_saved_game(
    storage: game_storage.GameStorage, game: AnyGame, asked: GameRequest
) -> game_rows.StoredGame | None:
    """Return the last game that is not over, if whoever typed this wants to go on with it."""
    running = storage.running_games(game.name)
    if not running:
        if asked.resumes:
            raise UsageError(f"no game of {game.title} is kept: leave out --continue")
        return None
    last = running[0]
    names = " against ".join(one.name for one in last.seats)
    text = (
        f"A game of {game.title} is kept: {names}, {pluralize(last.decisions, 'decision')} so far. "
        "Go on with it?"
    )
    return last if asked.resumes or click.confirm(text, default=True) else None


def _create_game(
    storage: game_storage.GameStorage,
    games: game_services.GameService,
    game: AnyGame,
    options: MatchOptions,
    asked: GameRequest,
    clock: clocks.TimeControl,
) -> game_rows.StoredGame:
    game_id = game_services.new_game_id()
    spec, seats = _new_game(game, options, asked, game_id)
    substitute = None if clock == clocks.NO_CLOCK else _substitute(game, options, asked.substitute)
    games.create(spec, seats, game_id, game_rows.Terms(clock=clock, substitute=substitute))
    stored = storage.find_game(game_id)
    assert stored is not None
    return stored


def _new_game(
    game: AnyGame, options: MatchOptions, asked: GameRequest, game_id: str
) -> tuple[match_spec.MatchSpec, list[game_rows.Participant]]:
    """Return what is played and who sits where. Raises: UsageError, BadBot."""
    teams = _count_teams(game, asked)
    bots = teams - asked.people
    # A plan has a bot for every seat; those of the seats that people have are not looked at.
    arguments = (*asked.against, *([None] * (teams - len(asked.against))))
    request = new_games.for_people(replace(options.request, game=game.name, players=arguments))
    plan = planning.MatchPlan(request, read_configuration())
    _require_played_here(plan)
    drawn = iter(plan.contestants()[:bots])
    seats: list[game_rows.Participant] = []
    for team in range(1, teams + 1):
        if asked.seat <= team < asked.seat + asked.people:
            digest = game_rows.person_digest(game_id, team)
            seats.append(
                game_rows.Participant(name=f"Player {team}", digest=digest, is_person=True)
            )
        else:
            bot = next(drawn)
            name = bot.title or bot.name
            seats.append(game_rows.Participant(name=name, digest=bot.digest, is_person=False))
    return replace(plan.spec(()), bots=tuple(one.digest for one in seats)), seats


def _substitute(game: AnyGame, options: MatchOptions, word: str | None) -> game_rows.Participant:
    """Return the bot that plays for whoever is away. Raises: UsageError, BadBot."""
    request = replace(options.request, game=game.name, players=(word,))
    plan = planning.MatchPlan(request, read_configuration())
    _require_played_here(plan)
    bot = plan.contestants()[0]
    return game_rows.Participant(name=bot.title or bot.name, digest=bot.digest, is_person=False)


def _require_played_here(plan: planning.MatchPlan) -> None:
    """Raises: UsageError for a bot that is asked over HTTP."""
    for bot in plan.bots:
        if bot.origin:
            raise UsageError(
                f"{bot.name}: is asked over HTTP at {bot.origin}, and people play against bots "
                "that run here"
            )


def _count_teams(game: AnyGame, asked: GameRequest) -> int:
    """Return how many teams play. Raises: UsageError."""
    fewest, most = min(game.team_counts), max(game.team_counts)
    teams = asked.people + len(asked.against)
    if not asked.against:
        teams = max(teams, min(most, USUAL_TEAMS))
    if teams not in game.team_counts:
        raise UsageError(
            f"{game.title} is played by {fewest}"
            + (f" to {most}" if most > fewest else "")
            + f" teams, and {pluralize(teams, 'was', 'were')} asked for: see --against and --people"
        )
    if asked.seat + asked.people - 1 > teams:
        raise UsageError(f"--seat {asked.seat}: there are {pluralize(teams, 'seat')}")
    return teams


def _serve(
    games: game_services.GameService, stored: game_rows.StoredGame, asked: GameRequest, out: Path
) -> None:
    listener = listening.listen(listening.ANY if asked.lan else listening.LOOPBACK, asked.port)
    port = listener.getsockname()[1]
    here = listening.lan_address() if asked.lan else listening.LOOPBACK
    web = application.Application(
        games,
        listening.host_headers(sorted({listening.LOOPBACK, "localhost", here}), port),
        out=out,
    )
    teams = [team for team, one in enumerate(stored.seats, 1) if one.is_person]
    ours, others = (teams[:1], teams[1:]) if asked.lan else (teams, [])
    key = games.keys.new_key(stored.id, ours)
    address = f"http://{listening.LOOPBACK}:{port}/games/{stored.id}?key={key}"
    lines = [f"your board: {address}"]
    for team in others:
        key = games.keys.new_key(stored.id, [team])
        lines.append(f"team {team}:     http://{here}:{port}/join/{key}")
    if asked.lan:
        lines.append(f"to watch:   http://{here}:{port}/games/{stored.id}/watch")
    lines.append("Ctrl-C ends the server; the game is kept")

    def ready() -> None:
        click.echo("\n".join(lines))
        if asked.opens_browser:
            webbrowser.open(address)

    serving.serve(web, listener, ready)
    again = commands.commands_for(sys.argv[0], out).play(stored.spec.game)
    raise Stopped(f"stopped; to go on with the game: {again}")
