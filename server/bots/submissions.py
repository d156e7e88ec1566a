"""Taking in a version of a bot: which ladder, which name, which files, and how often.

Which ladders a bot enters, and what those ask of it: never less than the strictest one does.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from engine.bots.finding import Copies, Packed
from engine.bots.own_files import SUFFIX
from engine.catalog import find_game
from engine.errors import BadBot, EngineFailure
from runners.contests.contests import Ladder, describe_end, find_ladders
from runners.contests.entries import (
    ENTERED_STATES,
    Entry,
    NotEntered,
    enter,
    find_bot_entries,
    groups_of_person,
)
from runners.contests.ladders import Ladders, find_bot_ladders
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import CheckState, EntryState
from runners.storage.tables import name_key
from server.bots.bots import (
    Bot,
    Bots,
    Identical,
    NewVersion,
    NotAccepted,
    Version,
    default_name,
    validate_bot_name,
)
from server.bots.checking import FILES, STEPS
from server.bots.uploads import BadUpload, Sent, Upload, game_in, parse_upload, size_summary
from server.bots.zips import unzip_in_sandbox
from server.http.page_requests import Pages
from server.identity.names import BadName
from server.identity.people import Person

KB = 1_000


class Enrollment:
    """Lets authors enter ladders with their bots, and leave them."""

    def __init__(self, database: Database, bots: Bots, copies: Copies) -> None:
        self._database = database
        self._bots = bots
        self._ladders = Ladders(database)
        self._copies = copies

    def others(self, bot: Bot) -> list[Ladder]:
        """Return the ladders of its game that a bot could enter."""
        (entered,) = self._database.read(find_bot_entries(bot.id))
        return others(bot, entered, *self.find_ladders(bot.person_id))

    def find_ladders(self, person_id: str) -> tuple[list[Ladder], frozenset[str]]:
        """Return all ladders, and the ids of the groups that somebody is in."""
        ladders, groups = self._database.read(find_ladders(), groups_of_person(person_id))
        return ladders, groups

    def enter(self, bot: Bot, ladder_id: str) -> EntryState:
        """Enter a ladder with the version that plays. Raises: NotEntered, with a sentence."""
        version = self._bots.active_version(bot.id)
        ladder = self._ladders.ladder(ladder_id)
        if version is None or ladder is None:
            raise NotEntered("no version of this bot plays now" if ladder else "no such ladder")
        try:
            require_fitting(self._copies.pack(version.digest), [ladder])
        except (BadBot, NotAccepted) as error:
            raise NotEntered(str(error)) from error
        return enter(self._database, ladder_id, bot.id)

    def require_no_final(self, bot: Bot) -> list[Ladder]:
        """Return the ladders that a bot has entered and that are not over.

        Raises: NotAccepted while it plays the final of one: with what was handed in before.
        """
        at = now()
        found, of_bot = self._database.read(find_bot_entries(bot.id), find_bot_ladders(bot.id))
        living = {entry.contest for entry in found if entry.state in ENTERED_STATES}
        entered = [one for one in of_bot if one.id in living and not one.is_over(at)]
        for ladder in entered:
            if ladder.is_in_final(at):
                raise NotAccepted(
                    f"{ladder.name} {describe_end(ladder)}, and its final is being played with the "
                    f"version of {bot.name} that was handed in before: try again once it is over, "
                    "or choose another name"
                )
        return entered

    def leave(self, bot: Bot, ladder_id: str) -> None:
        """Leave a ladder, which may be entered again. Raises: NotEntered."""
        try:
            self._ladders.set_state(ladder_id, bot.id, EntryState.WITHDRAWN, was=ENTERED_STATES)
        except Stale as error:
            raise NotEntered("this bot does not play there") from error


def others(
    bot: Bot, entries: Iterable[Entry], ladders: Iterable[Ladder], groups: Collection[str]
) -> list[Ladder]:
    """Return those of all ladders that a bot with these entries could enter.

    `groups`: the ids of those that its author is in.
    """
    entered = {
        entry.contest
        for entry in entries
        if entry.state in (*ENTERED_STATES, EntryState.DISQUALIFIED)
    }
    return [
        ladder
        for ladder in filter_open_ladders(ladders)
        if ladder.spec.game == bot.game and ladder.id not in entered and ladder.is_for(groups)
    ]


def filter_open_ladders(ladders: Iterable[Ladder]) -> list[Ladder]:
    """Return those of some ladders that can be entered."""
    at = now()
    return [ladder for ladder in ladders if not ladder.is_closed(at)]


def require_fitting(packed: Packed, ladders: Iterable[Ladder]) -> None:
    """Raises: NotAccepted for a bot that is larger than one of these ladders allows."""
    source = sum(len(text) for name, text in packed.files.items() if name.endswith(SUFFIX))
    total = sum(map(len, packed.files.values()))
    for ladder in ladders:
        for size, most, unit in (
            (source, ladder.most_source_bytes, f"source ({SUFFIX} files)"),
            (total, ladder.most_bytes, "files"),
        ):
            if size > most:
                raise NotAccepted(
                    f"this bot has {size / KB:,.1f} kB of {unit}, and {ladder.name} allows "
                    f"{most // KB:,} kB: make it smaller"
                )


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
