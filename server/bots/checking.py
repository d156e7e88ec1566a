"""The checks of bots that were handed in: one step after the other, in processes of the server.

What remains to be checked is what the database says is being checked: a server that was killed in
the midst of checks begins those again.
"""

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.confined_child import ConfinedChild
from engine.bots.finding import Copies, Packed
from engine.bots.own_files import MEGABYTE
from engine.bots.sandbox import Level
from engine.catalog import describe_game, find_game
from engine.errors import BadBot, EngineFailure, SlimeMindError
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.spec import MatchSpec
from engine.support.interpreter_state import format_traceback
from engine.support.process_pool import ProcessLost
from runners.contests.contests import usual_spec
from runners.contests.entries import NotEntered, enter
from runners.contests.ladders import Ladders
from runners.storage.database import Database, Stale
from runners.storage.ladder_tables import CheckState, EntryState
from runners.storage.leases import Lease, LeaseLost
from runners.storage.locks import LockHeld
from runners.team_counts import fewest_teams
from server.bots.bots import HANDED_IN, Bot, Bots, Version
from server.bots.examining import BotExaminer, Finding
from server.bots.uploads import size_summary
from server.games.recorded_matches import starter_bot
from server.http.parts import Report, ignore_report
from server.identity.audit_log import AuditLog
from visualizer.drawing.custom_sprites import make_custom_sprites, pictures_by_purpose, save_sprites
from visualizer.drawing.pictures import EXPECTED, Unfit, reencode_content

FILES = "Size and names"
SOURCE = "Syntax and class"
LOADING = "Game and signature"
DECISION = "First decision"
MATCH = "First match"
LADDER = "Ladder"
STEPS = (FILES, SOURCE, LOADING, DECISION, MATCH, LADDER)
"""The steps of the checks, in order; their places are numbered from 1."""
MAX_TRIES = 3
"""How often a check is begun that fails for reasons of the server's."""
PAUSE_S = 5.0
"""The time between two of those."""
WAIT_S = 1.0
"""How long nobody asks for the checks, where another server has them."""
POLL_INTERVAL_S = 2.0
"""The database is looked at so often: another process may have taken in a version."""
LISTEN_S = 0.2
"""How long somebody who listens may go on after the end."""
SEED_BITS = 128


MAX_PICTURES = 8
"""The pictures of a bot: whoever watches its match waits for all of them to be drawn."""
TOO_MUCH = "takes too much time or memory to decode"


class BadPicture(Exception):
    """Why a bot's pictures are refused, in a sentence."""


class _Decoded(msgspec.Struct):
    """What the child answers of a picture."""

    png: bytes = b""
    why: str = ""


def save_pictures(packed: Packed, digest: str, out: Path) -> int:
    """Keep the pictures of a bot where those that draw its matches look; return how many.

    Raises: BadPicture, EngineFailure.
    """
    found = pictures_by_purpose(packed.files) if packed.is_folder else {}
    if len(found) > MAX_PICTURES:
        raise BadPicture(
            f"there are {len(found)} pictures of the bot, from {next(iter(found.values()))} on; "
            f"{MAX_PICTURES} are allowed"
        )
    if found:
        pngs = {purpose: _redraw_png(name, packed.files[name]) for purpose, name in found.items()}
        save_sprites(make_custom_sprites(pngs), out, digest)
    return len(found)


def _redraw_png(name: str, content: bytes) -> bytes:
    """Return a new PNG file of an untrusted one. Raises: BadPicture, EngineFailure."""
    child = ConfinedChild(_reencode_in_child, most_bytes=MEGABYTE)
    try:
        found = msgspec.msgpack.decode(child.ask(content), type=_Decoded)
    except (TimeoutError, EOFError, msgspec.MsgspecError):
        found = _Decoded(why=TOO_MUCH)
    finally:
        child.end()
    if found.why:
        raise BadPicture(f"{name}: {found.why}; {EXPECTED}")
    return found.png


def _reencode_in_child(content: bytes) -> bytes:
    try:
        return msgspec.msgpack.encode(_Decoded(png=reencode_content(content)))
    except Unfit as flaw:
        return msgspec.msgpack.encode(_Decoded(why=str(flaw)))


class Checking:
    """Checks versions, as many at once as it has processes; of each person one at a time."""

    def __init__(
        self,
        database: Database,
        out: Path,
        level: Level,
        report: Report = ignore_report,
        is_ready: Callable[[], bool] = lambda: True,
        *,
        processes: int = 1,
    ) -> None:
        """`report` takes a sentence where a check failed for a reason of the server's.

        `is_ready`: whether another check may begin now.
        """
        self._is_ready = is_ready
        self._audit = AuditLog(database)
        self._report = report
        self._lease = Lease(database, "checks")
        self._bots = Bots(self._lease.database)
        self._out = out
        self._copies = Copies(out / "bots")
        self._processes = processes
        self._thread = threading.Thread(target=self._check_all, name="checks", daemon=True)
        self._changed = threading.Condition()
        self._begun = dict[str, str]()
        """The versions that are being checked, and whose they are."""
        self._turns = dict[str, int]()
        """When somebody's version was taken last, as the number of that turn."""
        self._turn_numbers = count(1)
        self._examiners = list[BotExaminer]()
        self._is_closed = False
        self._is_lost = False
        """Whether another server has taken the checks over."""
        self.new_examiner: Callable[[], BotExaminer] = lambda: BotExaminer(out, level)
        """Returns what finds out about bots, of which each has a process."""

    def start(self) -> None:
        """Begin with what remains to be checked, once no other server checks."""
        self._thread.start()

    def wake(self) -> None:
        """Look for versions to check: one was handed in."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """End at once; what is being checked is checked again after the next start."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            for examiner in self._examiners:
                examiner.terminate()
        if self._thread.is_alive():
            self._thread.join()

    # -- the threads --------------------------------------------------------------------------

    def _check_all(self) -> None:
        """Check what there is whenever the lease can be had."""
        while not self._is_closed:
            with suppress(LockHeld, SlimeMindError), self._lease.hold():
                self._is_lost = False
                threads = [
                    threading.Thread(target=self._run, name=f"checks {number}", daemon=True)
                    for number in range(1, self._processes + 1)
                ]
                if self._lease.database.path is None:
                    threads.append(threading.Thread(target=self._listen, name="checks listening"))
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed, WAIT_S)

    def _run(self) -> None:
        """Check what there is."""
        examiner = self.new_examiner()
        with self._changed:
            self._examiners.append(examiner)
        try:
            while (taken := self._take()) is not None:
                self._check(*taken, examiner)
                with self._changed:
                    self._begun.pop(taken[0].id, None)
                    self._changed.notify_all()
        except LeaseLost:
            with self._changed:
                self._is_lost = True
                self._begun.clear()
                self._changed.notify_all()
        examiner.close()

    def _listen(self) -> None:
        """Look for versions to check whenever a process of pages has taken one in."""
        while not self._is_over():
            with (
                suppress(EngineFailure),  # it is listened to again
                closing(self._lease.database.listen(HANDED_IN, LISTEN_S)) as notices,
            ):
                for notice in notices:
                    if self._is_over():
                        return
                    if notice is not None:
                        self.wake()
            with self._changed:
                self._changed.wait_for(self._is_over, POLL_INTERVAL_S)

    def _is_over(self) -> bool:
        return self._is_closed or self._is_lost

    def _take(self) -> tuple[Version, Bot] | None:
        """Wait for a version to check; None when it is over."""
        with self._changed:
            while not self._is_over():
                with suppress(SlimeMindError):  # it is looked at again
                    taken = self._next_to_check() if self._is_ready() else None
                    if taken is not None:
                        version, bot = taken
                        by = _submitter_id(version, bot)
                        self._begun[version.id] = by
                        self._turns[by] = next(self._turn_numbers)
                        return taken
                self._changed.wait(POLL_INTERVAL_S)
        return None

    def _next_to_check(self) -> tuple[Version, Bot] | None:
        """Return the oldest version of whoever's turn was longest ago.

        So nobody waits for all that somebody else has handed in.
        """
        if not self._bots.versions_to_check():
            return None
        self._bots.refuse_banned()
        waiting = [
            (version, bot)
            for version in self._bots.versions_to_check()
            if (bot := self._bots.bot(version.bot_id)) is not None
            and _submitter_id(version, bot) not in self._begun.values()
        ]
        return min(waiting, key=lambda one: self._turns.get(_submitter_id(*one), 0), default=None)

    def _check(self, version: Version, bot: Bot, examiner: BotExaminer) -> None:
        """Check a version. Raises: LeaseLost: another server goes on with it."""
        for _ in range(MAX_TRIES):
            try:
                database = self._lease.database
                checks = _Checks(database, self._bots, self._copies, self._out, examiner)
                why = checks.run(version, bot)
                if why:
                    message = f"{bot.name}, version {version.number}: {why}"
                    self._audit.note(
                        "version refused", message, address="", person=_submitter_id(version, bot)
                    )
                return
            except Stale:  # somebody else has decided, or the bot's author has left
                return
            except LeaseLost:
                raise
            except Exception as error:  # noqa: BLE001 - a bug of ours must not end all checks
                if self._is_closed:
                    return
                is_known = isinstance(error, ProcessLost | SlimeMindError)
                message = str(error) if is_known else format_traceback(error)
                self._report(f"the checks of version {version.number} of {bot.name}: {message}")
                with self._changed:
                    if self._is_over():
                        return
                    examiner.restart()
                    self._changed.wait_for(lambda: self._is_closed, PAUSE_S)
        with suppress(Stale, SlimeMindError):
            for check in self._bots.find_checks(version.id):
                if check.state is CheckState.RUNNING:
                    self._bots.note_check(version.id, check.place, check.name, CheckState.FAILED)
            self._bots.refuse(version.id, SERVER_FAULT_TEXT)


def _submitter_id(version: Version, bot: Bot) -> str:
    """Return the id of who has handed a version in."""
    return version.person_id or bot.person_id


SERVER_FAULT_TEXT = (
    "The server could not check this version, which says nothing against it: hand it in again, "
    "and tell the organizer if that happens twice."
)


class _Checks:
    """The steps of one version."""

    def __init__(
        self, database: Database, bots: Bots, copies: Copies, out: Path, examiner: BotExaminer
    ) -> None:
        self._database = database
        self._bots = bots
        self._ladders = Ladders(database)
        self._copies = copies
        self._out = out
        self._examiner = examiner

    def run(self, version: Version, bot: Bot) -> str:
        """Return why a version was refused; '' if it plays from now on.

        Raises: Stale, ProcessLost, SlimeMindError; all of that is no fault of the bot's.
        """
        self._bots.restart_checks(version.id, after=STEPS.index(FILES) + 1)
        match: str | None = None
        for step, find in self._make_steps(version, bot):
            self._note(version, step, CheckState.RUNNING)
            finding = find()
            match = finding.match or match
            if not finding.is_good:
                self._note(version, step, CheckState.FAILED, finding.words)
                why = f"{step}: {finding.words}"
                self._bots.refuse(version.id, why, match)
                return why
            self._note(version, step, CheckState.PASSED, finding.words)
        self._enter(version, bot)
        self._bots.activate(version.id, match)
        return ""

    def _make_steps(self, version: Version, bot: Bot) -> list[tuple[str, Callable[[], Finding]]]:
        job = self._first_match_job(version, bot)
        examiner = self._examiner
        said = [one.words for one in self._bots.find_checks(version.id) if one.name == FILES]
        return [
            (FILES, lambda: self._check_files(version, "".join(said))),
            (SOURCE, lambda: examiner.source(self._copies.pack(version.digest), job.spec.packages)),
            (LOADING, lambda: examiner.loading(job)),
            (DECISION, lambda: examiner.first_decision(job)),
            (MATCH, lambda: examiner.first_match(job)),
        ]

    def _check_files(self, version: Version, said: str) -> Finding:
        """Look at the copy; `said` is what was said of the files when they were handed in."""
        try:
            packed = self._copies.pack(version.digest)
        except BadBot:
            message = "the server's copy of the files is gone or was changed: hand them in again"
            return Finding(is_good=False, words=message)
        try:
            save_pictures(packed, version.digest, self._out)
        except BadPicture as error:
            return Finding(is_good=False, words=str(error))
        return Finding(is_good=True, words=said or size_summary(packed))

    def _first_match_job(self, version: Version, bot: Bot) -> Job:
        """Return the first match, as the ladder plays it.

        It is against the game's starter bot; on a server without one, against itself.
        """
        spec = _limit_turns(self._match_spec(version, bot))
        game = find_game(spec.game)
        own = opponent = Contestant(
            name=bot.name, digest=version.digest, version=str(version.number)
        )
        with suppress(BadBot):
            starter = starter_bot(game, self._out)
            opponent = Contestant(name=starter.name, digest=starter.digest)
        contestants = (own, *[opponent] * (fewest_teams(game, 2) - 1))
        digests = tuple(one.digest for one in contestants)
        # The same seed when the checks are begun again.
        seed = int(sha256(version.id.encode()).hexdigest(), 16) >> (256 - SEED_BITS)
        spec = replace(spec, bots=digests, seed=seed)
        return Job(spec=spec, contestants=contestants)

    def _match_spec(self, version: Version, bot: Bot) -> MatchSpec:
        ladder = None if version.ladder_id is None else self._ladders.ladder(version.ladder_id)
        return usual_spec(find_game(bot.game)) if ladder is None else ladder.spec

    def _enter(self, version: Version, bot: Bot) -> None:
        """Enter the ladder, which does no harm if it was done before."""
        ladder = None if version.ladder_id is None else self._ladders.ladder(version.ladder_id)
        if ladder is None:
            return
        try:
            state = enter(self._database, ladder.id, bot.id, version.handed_in_at)
        except NotEntered as error:
            self._note(version, LADDER, CheckState.FAILED, f"it does not play there: {error}")
            return
        text = f"it plays on {ladder.name} from now on"
        if state is EntryState.WAITING:
            text = f"the organizer of {ladder.name} has yet to let it in"
        self._note(version, LADDER, CheckState.PASSED, text)

    def _note(self, version: Version, step: str, state: CheckState, text: str = "") -> None:
        self._bots.note_check(version.id, STEPS.index(step) + 1, step, state, text)


def _limit_turns(spec: MatchSpec) -> MatchSpec:
    """Cut the first match of a slow game short, so that its author is not kept waiting."""
    most = describe_game(spec.game).max_checked_turns
    if most is None or spec.settings.max_turns <= most:
        return spec
    return replace(spec, settings=replace(spec.settings, max_turns=most))
