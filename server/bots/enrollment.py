"""Which ladders a bot enters, and what those ask of it: never less than the strictest one does."""

from collections.abc import Collection, Iterable

from engine.bots.finding import Copies, Packed
from engine.bots.own_files import SUFFIX
from engine.errors import BadBot
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
from runners.storage.ladder_tables import EntryState
from server.bots.acceptance import NotAccepted
from server.bots.bot_rows import Bot
from server.bots.bots import Bots

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
