"""Describe the decisions that bots lost: how many, why, and the command that shows them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

import msgspec

from cli.store_options import StoreOptions
from engine.errors import SlimeMindError
from engine.replays.writing import Contestant
from engine.result_folder import REPLAY, ResultFolder
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.commands import Commands, place_words
from runners.lost_decisions import LostDecisions, first_fault, forfeits_text, in_order
from runners.planning import word_for

CANNOT_PLAY = 1
"""The exit code where a bot loses nearly all its decisions, so that there is no answer."""
MAX_DETAIL_LENGTH = 200


class FaultPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """Knows where the matches and the bots are, and so what to type to look at a fault."""

    commands: Commands
    game: str
    files: Mapping[Contestant, Path] = {}
    """The own files of the bots."""
    rules: tuple[str, ...] = ()
    """What was typed of the rules."""
    folder: str = ResultFolder.MATCHES
    """The folder of the matches, in that of results."""

    @classmethod
    def of_question(cls, store: StoreOptions, files: Mapping[Contestant, Path]) -> Self:
        """Return those of the matches by which a question is answered."""
        match = store.match
        return cls(commands=store.commands, game=match.game, files=files, rules=match.rules_to_type)

    def bot_argument(self, bot: Contestant) -> str:
        """Return what to type for a bot."""
        file = self.files.get(bot)
        return bot.name if file is None else word_for(file, self.game)

    def command(self, name: str, *arguments: str) -> str:
        """Return a command of authors, for bots of this game and matches by these rules."""
        return self.commands.of_bot(name, *self.rules, *arguments)

    def replay(self, key: str) -> Path:
        """Return where the replay of a match is, if it was kept."""
        return self.commands.out / self.folder / key / REPLAY

    def fault_command(self, bot: Contestant, key: str, team: int) -> str:
        """Return the command that shows the first fault of a team, or else checks its bot."""
        found = self.replay_fault_command(self.replay(key), bot, team)
        return found or self.command("check", self.bot_argument(bot))

    def replay_fault_command(self, replay: Path, bot: Contestant, team: int) -> str | None:
        """Return the command that shows the first fault of a team; None without a replay."""
        fault = first_fault(replay, team)
        if fault is None:
            return None
        place = place_words(fault.turn, team, fault.piece_id)
        key = replay.parent.name
        match = key if replay == self.replay(key) else str(replay)
        return self.commands.ask(self.bot_argument(bot), match, place)


def loss_lines(
    losses: Iterable[LostDecisions], places: FaultPlaces, names: Sequence[str] | None = None
) -> list[str]:
    """Return lines on what each bot lost, with its causes and a command to look at the first.

    `names` are those of the players, where their bots have the same.
    """
    lines = []
    for lost in losses:
        name = lost.bot.name if names is None else names[lost.player]
        nearly_all = ", nearly all its decisions," if lost.is_nearly_all else ""
        where = f"in {pluralize(lost.matches, 'match')}, first in {lost.key}"
        lines.append(
            f"  faults of {one_line(name)}: {forfeits_text(lost.causes)}{nearly_all} {where}"
        )
        lines += [f"    {line}" for line in fault_texts(lost)]
        lines.append(f"    look at it:  {places.fault_command(lost.bot, lost.key, lost.team)}")
    return lines


def fault_texts(lost: LostDecisions) -> list[str]:
    """Return the words of the first fault of each cause."""
    return [
        f"{cause}: {one_line(message)[:MAX_DETAIL_LENGTH]}"
        for cause, _ in in_order(lost.causes)
        if (message := lost.details.get(cause, ""))
    ]


class GivenUp(SlimeMindError):
    """Raised where a bot loses nearly all its decisions, so that nothing more is played."""


def make_given_up(lost: LostDecisions, places: FaultPlaces) -> GivenUp:
    """Return the error that says why no more is played, and what to type."""
    advice = f"look at it:  {places.fault_command(lost.bot, lost.key, lost.team)}"
    lines = [why_given_up(lost), *fault_texts(lost), advice]
    return GivenUp("\n  ".join(lines))


def why_given_up(lost: LostDecisions) -> str:
    """Return the sentence that says why no more is played."""
    name = one_line(lost.bot.name)
    return (
        f"stopped after {pluralize(lost.played, 'match')}: {name} loses nearly all its decisions "
        f"({lost.lost} of {lost.decisions}), so that nothing can be said of how well it plays; "
        "mend it first"
    )
