"""Write a bot of one's own folder in the browser: the command `write`."""

from __future__ import annotations

import webbrowser
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import click

from cli.choices import BROWSER, PORT, complete_bots
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse, warn
from engine.errors import Stopped
from engine.result_folder import OutName
from engine.support.files import make_folder, make_private
from engine.support.lazy_import import lazy_imports
from server.site.site_options import SiteOptions

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding
    from runners import match_request, planning
    from runners.storage import schema
    from server.games import bot_seats, game_service, game_storage, new_games
    from server.http import listening, serving
    from server.identity import people as accounts
    from server.operations import server_lock
    from server.site import application, site
    from server.writing import drafts, folder_mirror

WITHOUT_EFFECT = tuple(
    name
    for name in (*FOR_ONE_MATCH, *FOR_SERIES, "seed", "http_origins")
    if name not in ("sandbox", "game")
)
FOLDER = OutName.WRITE
"""The folder of drafts and runs, in that of results."""
AUTHOR = "Author"
LINK = timedelta(minutes=30)
BUSY = "end that process first, or choose another folder of results with --out"


@click.command(
    epilog="Exit codes: 2 wrong usage, 130 stopped by Ctrl-C (files are kept as they are)."
)
@click.argument("bot", metavar="BOT", shell_complete=complete_bots)
@PORT
@BROWSER
@click.pass_context
def write(context: click.Context, /, bot: str, port: int, opens_browser: bool) -> None:
    """Write a bot in the browser, over its own file or folder.

    What you save in the browser is in the file, and what another editor saves is in the browser.
    The page is for this machine alone, and its address holds a secret that is good for once.
    """
    group = context.parent
    assert group is not None
    refuse(group, WITHOUT_EFFECT, "matches are begun on the page")
    options: MatchOptions = context.obj
    path = finding.resolve(bot, planning.bots_folder(options.game)).path
    _serve(options, path, port, opens_browser=opens_browser)


def _serve(options: MatchOptions, path: Path, port: int, *, opens_browser: bool) -> None:
    """Serve the page until a signal comes. Raises: Stopped, UsageError."""
    out = options.out / FOLDER
    make_folder(out)
    make_private(out)
    where = out / schema.DATABASE
    with (
        server_lock.server_lock(where, BUSY),
        closing(game_storage.GameStorage(where)) as storage,
        closing(bot_seats.BotSeats(out, options.run.play.sandbox, processes=1)) as seats,
    ):
        games = game_service.GameService(storage, seats, report=warn)
        run = match_request.RunOptions(out=out, workers=0, play=options.run.play)
        site_options = SiteOptions(has_guests=False, home_bot=str(path))
        whole_site = site.Site(games, storage, new_games.Opponents(out), run, site_options)
        with closing(whole_site):
            whole_site.start(is_web_only=True)
            author = _home_author(whole_site.people)
            mirror = folder_mirror.FolderMirror(
                drafts.Drafts(storage.database), drafts.Owner(author.id), options.game, path, warn
            )
            with closing(mirror):
                draft = mirror.start()
                listener = listening.listen(listening.LOOPBACK, port)
                port = listener.getsockname()[1]
                names = [listening.LOOPBACK, "localhost"]
                web = application.Application(
                    games, listening.host_headers(names, port), whole_site, out=out
                )
                key = whole_site.people.new_link(
                    accounts.Kind.DEVICE, made_by=author.id, good_for=LINK
                )
                address = f"http://{listening.LOOPBACK}:{port}/device/{key}?next=/write/{draft}"

                def ready() -> None:
                    click.echo(f"{path} in the browser: {address}")
                    click.echo("Ctrl-C ends it; the files stay as they are")
                    if opens_browser:
                        webbrowser.open(address)

                serving.serve(web, listener, ready)
    raise Stopped(f"stopped; your bot is in {path}")


def _home_author(people: accounts.People) -> accounts.Person:
    """Return who writes at home; made with the first start."""
    author = people.find_person_by_name(AUTHOR)
    if author is None:
        key = people.new_link(accounts.Kind.ORGANIZER, made_by=None)
        author = people.join(key, AUTHOR, None)
    return author
