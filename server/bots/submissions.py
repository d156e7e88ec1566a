"""Taking in a version of a bot: which ladder, which name, which files, and how often."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from engine.bots.finding import Copies
from engine.catalog import find_game
from engine.errors import EngineFailure
from runners.contests.contests import Ladder, describe_end
from runners.contests.entries import NotEntered
from runners.storage.database import Stale
from runners.storage.ladder_tables import CheckState
from runners.storage.tables import name_key
from server.bots.acceptance import Identical, NewVersion, NotAccepted
from server.bots.bot_rows import Version
from server.bots.bots import Bots, default_name, validate_bot_name
from server.bots.checking import FILES, STEPS
from server.bots.enrollment import Enrollment, filter_open_ladders, require_fitting
from server.bots.uploads import BadUpload, Sent, Upload, game_in, parse_upload, size_summary
from server.bots.zips import unzip_in_sandbox
from server.http.page_requests import Pages
from server.identity.names import BadName
from server.identity.people import Person


class SubmissionRefused(Exception):
    """Why nothing was handed in, in a sentence."""


class Taken(NamedTuple):
    """What became of what was handed in."""

    version: Version
    is_identical: bool
    entered: Ladder | None = None
    """The ladder that files which were handed in before have entered by that."""


class Submissions:
    """Takes in bots, whatever they were sent by."""

    def __init__(
        self,
        pages: Pages,
        bots: Bots,
        copies: Copies,
        enrollment: Enrollment,
        on_submission: Callable[[], object],
    ) -> None:
        """`on_submission` is called when there is a version to check."""
        self._audit = pages.audit
        self._bots = bots
        self._copies = copies
        self._enrollment = enrollment
        self._on_taken = on_submission

    def take(
        self, me: Person, files: Sequence[Sent], form: Mapping[str, str], address: str
    ) -> Taken:
        """Take in a version of a bot; `form` has its name, and its ladder or game.

        Raises: SubmissionRefused.
        """
        try:
            upload = parse_upload(files, unzip_in_sandbox)
            ladder = self._choose_ladder(me, form.get("ladder", ""), form.get("game", ""), upload)
            name = self._name(me, ladder.spec.game, form.get("name", "").strip(), upload.name)
            version = self._new_version(me, ladder, name, upload)
        except Identical as error:
            return self._enter_identical(error.version, ladder)
        except (BadUpload, BadName, NotAccepted) as error:
            raise SubmissionRefused(str(error)) from error
        except Stale as error:  # two requests with the same new name
            raise SubmissionRefused(
                "this name was taken this very moment: choose another one"
            ) from error
        except EngineFailure as error:
            raise SubmissionRefused(
                "the server cannot keep these files now: tell the organizer"
            ) from error
        message = f"{name}, version {version.number}"
        self._audit.note("bot handed in", message, address=address, person=me.id)
        self._on_taken()
        return Taken(version, is_identical=False)

    def _enter_identical(self, version: Version, ladder: Ladder) -> Taken:
        """Enter the ladder with a version that is there already, if it has yet to be entered."""
        bot = self._bots.bot(version.bot_id)
        assert bot is not None
        if ladder in self._enrollment.others(bot):
            with suppress(NotEntered):
                self._enrollment.enter(bot, ladder.id)
                return Taken(version, is_identical=True, entered=ladder)
        return Taken(version, is_identical=True)

    def _name(self, me: Person, game: str, typed: str, files: str) -> str:
        """Return the name of the bot that is meant: what was typed, or else that of its files.

        Many begin with a file of the same name: theirs gets its author's, too. Raises: BadName.
        """
        name = validate_bot_name(typed or default_name(files))
        namesake = self._bots.find_bot_by_name(game, name)
        if typed or namesake is None or namesake.is_by(me.id):
            return name
        return validate_bot_name(default_name(files, me.name))

    def _new_version(self, me: Person, ladder: Ladder, name: str, upload: Upload) -> Version:
        """Raises: NotAccepted, Stale, EngineFailure."""
        packed = upload.packed
        asking = self._ladders_to_play_on(ladder, name)
        require_fitting(packed, asking)
        new = NewVersion(
            person_id=me.id,
            game=ladder.spec.game,
            name=name,
            digest=packed.digest,
            size=sum(map(len, packed.files.values())),
            most_per_day=min(one.versions_per_day for one in asking),
            ladder=ladder,
        )
        self._bots.require_acceptable(new)
        self._copies.unpack(new.digest, packed)  # before: a transaction keeps others waiting
        version = self._bots.new_version(new)
        text = "; ".join(filter(None, [size_summary(packed), upload.note]))
        with suppress(Stale):  # it was checked meanwhile
            place = STEPS.index(FILES) + 1
            self._bots.note_check(version.id, place, FILES, CheckState.PASSED, text)
        return version

    def _ladders_to_play_on(self, ladder: Ladder, name: str) -> list[Ladder]:
        """Return the ladders on which the version would play: each has its limits.

        Raises: NotAccepted while the bot plays the final of one of them.
        """
        bot = self._bots.find_bot_by_name(ladder.spec.game, name)
        return [ladder, *(self._enrollment.require_no_final(bot) if bot else ())]

    def _choose_ladder(self, me: Person, word: str, named_game: str, upload: Upload) -> Ladder:
        """Return the ladder that was named, or the first of the bot's game that one may enter.

        That is of the class it derives from, where that can be seen; else the one that was named.
        Raises: SubmissionRefused.
        """
        own_game = game_in(upload.packed)
        game = own_game or named_game
        every, groups = self._enrollment.find_ladders(me.id)
        ladders = filter_open_ladders(every)
        for ladder in ladders:
            if _has_id_or_name(ladder, word):
                _require_game(ladder, own_game)
                return ladder
        ladders = [ladder for ladder in ladders if ladder.is_for(groups)]
        if not word:
            for ladder in ladders:
                if ladder.spec.game == game:
                    return ladder
        for ladder in every:
            if _has_id_or_name(ladder, word):  # and is none of the open ones
                raise SubmissionRefused(f"{ladder.name} {describe_end(ladder)}")
        names = ", ".join(ladder.name for ladder in ladders) or "none"
        meant = f"there is no ladder {word!r:.60}" if word else "no ladder was named"
        raise SubmissionRefused(f"{meant}; expected one of: {names}")


def _require_game(ladder: Ladder, own_game: str | None) -> None:
    """Raises: SubmissionRefused for a bot that derives from the class of another game."""
    if own_game not in (None, ladder.spec.game):
        raise SubmissionRefused(
            f"this bot derives from a class of engine.games.{own_game}, so it plays "
            f"{find_game(own_game).title}, and {ladder.name} is a ladder of {ladder.game.title}"
        )


def _has_id_or_name(ladder: Ladder, word: str) -> bool:
    """Return whether a ladder is meant by its id or its name."""
    return bool(word) and (word == ladder.id or name_key(word.strip()) == name_key(ladder.name))
