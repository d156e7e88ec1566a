"""What `play` does: choose or begin a game, and serve it until Ctrl-C."""

import sys
import webbrowser
from contextlib import closing
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from cli.options import MatchOptions, is_said, refuse
from cli.seats import SEAT_OPTIONS
from engine.catalogue import game_named
from engine.errors import Stopped, UsageError
from engine.game import AnyGame
from engine.replays.reading import Replay
from engine.replays.resuming import decisions_before, require_played_so
from engine.spec import MatchSpec
from engine.support.wording import counted
from runners.commands import commands_for
from runners.configuration import read_configuration
from runners.planning import MatchPlan
from runners.storage.database_files import DATABASE
from server.games.boards import BOARDS, board_of
from server.games.bot_seats import BotSeats
from server.games.clocks import NO_CLOCK, TimeControl, read_control
from server.games.continuation import Continuation, ContinueBody
from server.games.errors import ActionRefused
from server.games.game_service import GameService, new_game_id
from server.games.game_storage import GameStorage, Participant, StoredGame, Terms, person_digest
from server.games.new_games import PEOPLE_SETTINGS
from server.http.listening import ANY, LOOPBACK, addresses, lan_address, listen
from server.http.serving import serve
from server.site.application import Application

USUAL_TEAMS = 4
"""The most teams of a game where nobody says who plays."""
NOT_FOR_PEOPLE = (*SEAT_OPTIONS, "runner", "matches", "key", "past", "in_process")


NOT_FROM_THE_PAST = ("against", "people", "clock", "substitute", "lan", "resumes")


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command."""

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


def play_here(context: click.Context, wishes: Wishes) -> None:
    """Serve a game until it is stopped. Raises: Stopped, UsageError, BadBot."""
    group = context.parent
    assert group is not None
    refuse(group, NOT_FOR_PEOPLE, "people play; their bots are named with --against")
    options: MatchOptions = context.obj
    past = None if wishes.past is None else _past(context, group, options, wishes)
    if past is None:
        refuse(group, ("past_before",), "it is for --from REPLAY, and says from where you play on")
    named = game_named(options.game if is_said(group, "game") else BOARDS[0])
    game = named if past is None else past.game
    board_of(game)  # says which games people can play
    clock = read_control(wishes.clock)
    if wishes.people > 1 and not (wishes.lan or game.open_information):
        raise UsageError(
            f"{game.title} hides the players' orders from each other: with --lan everybody gets "
            "a link, and plays on a screen of their own"
        )
    with closing(GameStorage(options.out / DATABASE)) as storage:
        is_new = past is not None or wishes.resumes is False
        stored = None if is_new else _kept(storage, game, wishes)
        bot_seats = BotSeats(options.out, options.run.play.sandbox, processes=1)
        with closing(bot_seats):
            game_service = GameService(storage, bot_seats, report=_warn)
            if past is not None:
                begun = _play_on(storage, game_service, past, options, wishes)
            else:
                begun = stored or _begin(storage, game_service, game, options, wishes, clock)
            _serve(game_service, begun, wishes, options.out)


def _warn(words: str) -> None:
    click.echo(f"warning: {words}", err=True)


def _past(
    context: click.Context, group: click.Context, options: MatchOptions, wishes: Wishes
) -> Replay:
    """Return the replay from which to play on. Raises: BadReplay, UsageError."""
    assert wishes.past is not None
    refuse(context, NOT_FROM_THE_PAST, "with --from a game goes on as it was begun")
    refuse(group, ("preset", "settings_file", "words", "seed"), "--from has the settings of then")
    replay = Replay(wishes.past)
    if is_said(group, "game") and options.game != replay.game.name:
        raise UsageError(f"{replay.path} is a match of {replay.game.title}: leave out --game")
    return replay


def _play_on(
    storage: GameStorage,
    game_service: GameService,
    past: Replay,
    options: MatchOptions,
    wishes: Wishes,
) -> StoredGame:
    """Begin a game in the middle of a replay. Raises: BadReplay, UsageError."""
    try:
        body = ContinueBody(_step(past, options.request.past_before), wishes.seat)
        game_id = Continuation(game_service, options.out).play_on_replay(past, body)
    except ActionRefused as error:
        raise UsageError(f"{past.path}: {error}") from error
    stored = storage.game(game_id)
    assert stored is not None
    for then, now in zip(past.bots, stored.seats, strict=True):
        if not now.is_person and now.digest != then.digest:
            words = f"note: {then.name} is not in {options.out / 'bots'}: {now.name} plays for it"
            click.echo(words, err=True)
    return stored


def _step(past: Replay, before_turn: int | None) -> int:
    """Return how many decisions of a replay count. Raises: BadReplay, UsageError."""
    require_played_so(past, before_turn)
    step = sum(1 for _ in decisions_before(past, before_turn))
    if past.outcome is not None and step == sum(1 for _ in decisions_before(past, None)):
        raise UsageError(f"{past.path}: the match is over by then: choose an earlier --turn")
    return step


def _kept(storage: GameStorage, game: AnyGame, wishes: Wishes) -> StoredGame | None:
    """Return the last game that is not over, if whoever typed this wants to go on with it."""
    running = storage.running_games(game.name)
    if not running:
        if wishes.resumes:
            raise UsageError(f"no game of {game.title} is kept: leave out --resume")
        return None
    last = running[0]
    names = " against ".join(one.name for one in last.seats)
    words = (
        f"A game of {game.title} is kept: {names}, {counted(last.decisions, 'decision')} so far. "
        "Go on with it?"
    )
    return last if wishes.resumes or click.confirm(words, default=True) else None


def _begin(
    storage: GameStorage,
    game_service: GameService,
    game: AnyGame,
    options: MatchOptions,
    wishes: Wishes,
    clock: TimeControl,
) -> StoredGame:
    game_id = new_game_id()
    spec, seats = _new_game(game, options, wishes, game_id)
    substitute = None if clock == NO_CLOCK else _substitute(game, options, wishes.substitute)
    game_service.create(spec, seats, game_id, Terms(clock=clock, substitute=substitute))
    stored = storage.game(game_id)
    assert stored is not None
    return stored


def _new_game(
    game: AnyGame, options: MatchOptions, wishes: Wishes, game_id: str
) -> tuple[MatchSpec, list[Participant]]:
    """Return what is played and who sits where. Raises: UsageError, BadBot."""
    teams = _count_teams(game, wishes)
    request, bots = options.request, teams - wishes.people
    settings = (*PEOPLE_SETTINGS.get(game.name, ()), *request.settings)
    # A plan has a bot for every seat; those of the seats that people have are not looked at.
    words = (*wishes.against, *([None] * (teams - len(wishes.against))))
    plan = MatchPlan(
        replace(request, game=game.name, players=words, settings=settings), read_configuration()
    )
    drawn = iter(plan.contestants()[:bots])
    seats: list[Participant] = []
    for team in range(1, teams + 1):
        if wishes.seat <= team < wishes.seat + wishes.people:
            digest = person_digest(game_id, team)
            seats.append(Participant(name=f"Player {team}", digest=digest, is_person=True))
        else:
            bot = next(drawn)
            seats.append(Participant(name=bot.name, digest=bot.digest, is_person=False))
    return replace(plan.spec(()), bots=tuple(one.digest for one in seats)), seats


def _substitute(game: AnyGame, options: MatchOptions, word: str | None) -> Participant:
    """Return the bot that plays for whoever is away. Raises: UsageError, BadBot."""
    request = replace(options.request, game=game.name, players=(word,))
    bot = MatchPlan(request, read_configuration()).contestants()[0]
    return Participant(name=bot.name, digest=bot.digest, is_person=False)


def _count_teams(game: AnyGame, wishes: Wishes) -> int:
    """Return how many teams play. Raises: UsageError."""
    fewest, most = min(game.team_counts), max(game.team_counts)
    teams = wishes.people + len(wishes.against)
    if not wishes.against:
        teams = max(teams, min(most, USUAL_TEAMS))
    if teams not in game.team_counts:
        raise UsageError(
            f"{game.title} is played by {fewest}"
            + (f" to {most}" if most > fewest else "")
            + f" teams, and {counted(teams, 'was', 'were')} asked for: see --against and --people"
        )
    if wishes.seat + wishes.people - 1 > teams:
        raise UsageError(f"--seat {wishes.seat}: there are {counted(teams, 'seat')}")
    return teams


def _serve(game_service: GameService, stored: StoredGame, wishes: Wishes, out: Path) -> None:
    listener = listen(ANY if wishes.lan else LOOPBACK, wishes.port)
    port = listener.getsockname()[1]
    here = lan_address() if wishes.lan else LOOPBACK
    web = Application(game_service, addresses(sorted({LOOPBACK, "localhost", here}), port), out=out)
    teams = [team for team, one in enumerate(stored.seats, 1) if one.is_person]
    ours, others = (teams[:1], teams[1:]) if wishes.lan else (teams, [])
    address = (
        f"http://{LOOPBACK}:{port}/games/{stored.id}?key={game_service.new_key(stored.id, ours)}"
    )
    lines = [f"your board: {address}"]
    for team in others:
        key = game_service.new_key(stored.id, [team])
        lines.append(f"team {team}:     http://{here}:{port}/join/{key}")
    if wishes.lan:
        lines.append(f"to watch:   http://{here}:{port}/games/{stored.id}/watch")
    lines.append("Ctrl-C ends the server; the game is kept")

    def ready() -> None:
        click.echo("\n".join(lines))
        if wishes.opens_browser:
            webbrowser.open(address)

    serve(web, listener, ready)
    again = commands_for(sys.argv[0], out).play(stored.spec.game)
    raise Stopped(f"stopped; to go on with the game: {again}")
