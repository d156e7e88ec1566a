"""Hand in a bot to a server by its API, and follow its checks: the command `submit`."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click
import msgspec

from cli.choices import complete_bots, option
from cli.options import MatchOptions
from engine.errors import BadBot, EngineFailure, UsageError
from engine.support.files import read_file
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding, own_files
    from runners import planning
    from runners.storage import ladder_tables
    from server.bots import bodies
    from server.http import responses


ZIP = ".zip"
BETWEEN_S = 0.3
"""The time between two looks at the checks."""
MAX_FAILURES = 100
"""The server may be unreachable so often in a row while the checks are followed: as it is started
anew, for half a minute."""
TIMEOUT_S = 60
MAX_ANSWER_BYTES = 1_000_000


@click.command(
    epilog="Exit codes: 0 accepted, 1 refused, 2 wrong usage, 130 stopped (the checks go on)."
)
@click.argument("bot", shell_complete=complete_bots)
@option(
    "--server",
    default="http://127.0.0.1:8000",
    metavar="URL",
    help="The address of the server.",
)
@option(
    "--token",
    default="",
    envvar="SLIME_MIND_TOKEN",
    metavar="TOKEN",
    help="A token made on your own page there; better kept in the environment, as "
    "SLIME_MIND_TOKEN.",
)
@option(
    "--name", default="", metavar="NAME", help="The bot's name there; default: that of its file."
)
@option(
    "--ladder",
    default="",
    metavar="NAME",
    help="The ladder it is to play on; default: the first one of the bot's game.",
)
@click.pass_obj
def submit(options: MatchOptions, /, **asked: str) -> None:
    """Hand in a bot to a server.

    BOT is a file or folder, a name in playerCode, or a zip. It is checked at once and plays a
    first match; what is refused is said with its line and reason.
    """
    submit_there(Submission(**asked, game=options.game, prints_json=options.prints_json))


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What is handed in, and where."""

    bot: str
    server: str
    token: str
    name: str
    ladder: str
    game: str
    prints_json: bool = False
    """Whether the version is printed once, when its checks have ended."""


def submit_there(submission: Submission) -> None:
    """Hand in a bot. Raises: UsageError, EngineFailure; click's exit 1 if it is refused."""
    base = _base_address(submission.server)
    if not submission.token:
        raise UsageError(
            f"a token is needed: make one at {base}/me and set SLIME_MIND_TOKEN to it, or give it "
            "with --token"
        )
    body = bodies.BotBody(
        files=_read_files(submission),
        name=submission.name,
        ladder=submission.ladder,
        game=submission.game,
    )
    server = Server(base, submission.token)
    try:
        answer = server.ask("/bots", msgspec.json.encode(body))
    except NoAnswer as error:
        raise EngineFailure(str(error)) from error
    tell = _ignore_progress if submission.prints_json else click.echo
    tell(f"{one_line(answer.name)}, version {answer.number}: {base}{answer.path}")
    if answer.is_identical:
        tell(f"identical to this version, which is {answer.state}: no new one was made")
    if answer.entered:
        tell(f"it has entered {one_line(answer.entered)} now")
    answer = _follow_checks(server, answer, tell)
    if answer.first_match:
        tell(f"first match: {base}{answer.first_match}")
    if submission.prints_json:
        click.echo(msgspec.json.encode(answer).decode())
    if answer.state is ladder_tables.VersionState.FORMER:
        raise click.ClickException("it does not play: make it active again on its page")
    if answer.state is not ladder_tables.VersionState.ACTIVE:
        raise click.ClickException(f"{answer.state}: {one_line(answer.why)}")
    tell("accepted")


def _ignore_progress(text: str) -> None:
    """Print nothing of the way there."""


class NoAnswer(Exception):
    """The server cannot be reached, or its answer is not that of such a server."""


class NoRedirects(HTTPRedirectHandler):
    """Follows no redirection: the token is for the server that was named, and for no other."""

    def redirect_request(self, *about: object) -> None:
        return None


class Server:
    """A server, asked in the name of whose token it is."""

    def __init__(self, base: str, token: str) -> None:
        if not (token.isascii() and token.isprintable()):
            raise UsageError("--token: this is not a token; it begins with slime_")
        self._base = base
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._opener = build_opener(NoRedirects)

    def ask(self, path: str, body: bytes | None = None) -> bodies.VersionAnswer:
        """Return what the API answers. Raises: NoAnswer; click's exit 1 where it refuses."""
        request = Request(f"{self._base}/api/v1{path}", data=body, headers=self._headers)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return msgspec.json.decode(answer.read(MAX_ANSWER_BYTES), type=bodies.VersionAnswer)
        except HTTPError as error:
            with error:
                message = _error_text(error)
            raise click.ClickException(f"refused: {message}") from error
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            raise NoAnswer(f"{self._base}: does not answer: {one_line(reason)}") from error
        except msgspec.MsgspecError as error:
            raise NoAnswer(f"{self._base}: is not a server of this version") from error


def _error_text(error: HTTPError) -> str:
    try:
        return one_line(
            msgspec.json.decode(error.read(MAX_ANSWER_BYTES), type=responses.Problem).error
        )
    except (msgspec.MsgspecError, OSError, HTTPException):
        return f"status {error.code}; is this a server of Slime Mind?"


def _follow_checks(
    server: Server, answer: bodies.VersionAnswer, tell: Callable[[str], None]
) -> bodies.VersionAnswer:
    """Print each step as it ends; return the version when all have. Raises: EngineFailure."""
    printed, failures = 0, 0
    while True:
        done = [
            check for check in answer.checks if check.state is not ladder_tables.CheckState.RUNNING
        ]
        for check in done[printed:]:
            message = f", {one_line(check.words)}" if check.words else ""
            tell(f"  {one_line(check.name)}: {check.state}{message}")
        printed = max(printed, len(done))
        if answer.state is not ladder_tables.VersionState.CHECKING:
            return answer
        time.sleep(BETWEEN_S)
        try:
            answer, failures = server.ask(answer.path), 0
        except NoAnswer as error:
            failures += 1
            if failures > MAX_FAILURES:
                raise EngineFailure(f"{error}; the checks go on there") from error


def _read_files(submission: Submission) -> dict[str, bytes]:
    """Return what is sent. Raises: BadBot."""
    path = finding.bot_path(submission.bot, planning.bots_folder(submission.game))
    if path is None:
        path = Path(submission.bot)
    if path.suffix == ZIP:
        try:
            return {path.name: read_file(path, own_files.MAX_TOTAL_BYTES)}
        except (OSError, ValueError) as error:
            raise BadBot(f"{one_line(path)}: cannot be read: {one_line(error)}") from error
    path = path.absolute()  # the `.` of somebody who stands in a bot's folder has no name
    files = finding.read_own_files(path)
    return {f"{path.name}/{name}": text for name, text in files.items()} if path.is_dir() else files


def _base_address(server: str) -> str:
    """Return a server's address without its last slash. Raises: UsageError."""
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        raise UsageError(
            f"--server {one_line(server)}: expected an address such as https://example.org"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
