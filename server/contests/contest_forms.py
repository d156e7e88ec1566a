"""The form of a contest: what it asks of which contests, filled and read."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, tzinfo
from functools import cached_property
from operator import attrgetter
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from engine.bots.own_files import MAX_SOURCE_BYTES, MAX_TOTAL_BYTES
from engine.catalog import GAMES
from engine.errors import BadSettings, UsageError
from engine.game import AnyGame
from engine.spec import MatchSpec
from runners.configuration import read_configuration
from runners.contests.contests import (
    Contest,
    ContestBase,
    Ladder,
    SavedTournament,
    TournamentChoices,
    new_ladder_id,
    usual_spec,
)
from runners.contests.ladders import Ladders
from runners.contests.registration import MIN_PLAYERS
from runners.contests.tournament_request import tournament_name, why_no_name
from runners.formats import FORMATS, USUAL_FORMAT, format_title
from runners.match_request import MatchRequest, limits_for, settings_for
from runners.storage.database import Stale, now
from runners.storage.ladder_tables import EntryRule, FieldRule, SourceRule
from server.contests.form_fields import (
    YES,
    BadForm,
    Field,
    Kind,
    setting_fields,
)
from server.identity.names import BadName, looks_like_one_of, validate_name

S = TypeVar("S", bound=msgspec.Struct)
KB = 1_000
MAX_GAMES = 100
SETTING, LIMIT = "set-", "limit-"
"""How the names of the fields begin that are settings of the game, or limits of bots."""
ANY_NAME = re.compile(r"[a-z][a-z_0-9]*")
OPTION = re.compile(r"--(\w+)")
CHOICES = "choices."
"""How attributes begin that are choices of how a tournament is played."""
ENTRY_RULES: Mapping[str, str] = {
    EntryRule.OPEN: "everybody",
    EntryRule.APPROVED: "whom an organizer approves",
}
BUILT_IN_RULES: Mapping[str, str] = {
    YES: "play",
    "no": "do not play",
}
SOURCE_RULES: Mapping[str, str] = {
    SourceRule.NOBODY: "nobody but its author",
    SourceRule.ORGANIZERS: "organizers",
    SourceRule.EVERYBODY_AFTER_END: "everybody, after the end of the season",
    SourceRule.EVERYBODY: "everybody",
}
FIELD_RULES: Mapping[str, str] = {
    FieldRule.EVERYBODY: "all bots of the ladder",
    FieldRule.ENTERED: "bots that their authors enter",
}
NOT_SEALED = "nothing of it can be sealed; change who reads it first"
NOBODY_ENTERS = (
    "nobody enters where all bots of the ladder play: for a group, or with bots that you approve, "
    "choose those that their authors enter"
)


def _read_tournament_name(typed: str) -> str:
    """Return the name of a tournament that is called so. Raises: BadName."""
    name = tournament_name(typed)
    if why := why_no_name(name):
        raise BadName(why)
    return name


GAME = Field(
    "game",
    "Game",
    "spec.game",
    kind=Kind.CHOICE,
    choices={name: GAMES[name].title for name in GAMES},
)
SECTIONS: Mapping[str, Sequence[Field]] = {
    "What": (
        Field("name", "Name", "name", Kind.TEXT, high=60, parse=validate_name, only=Ladder),
        Field("name", "Name", "name", Kind.TEXT, high=60, parse=_read_tournament_name,
              hint="Letters from A to Z, digits, blanks, - and . only.", only=SavedTournament),
        Field("words", "About it", "words", Kind.LINES, high=2_000, empty="",
              hint="What is played for, who may take part, when the final is shown."),
        Field("format", "Format", CHOICES + "format", Kind.CHOICE,
              hint="In a gauntlet the first bot plays all others.",
              choices={name: format_title(name) for name in FORMATS}),
        Field("games", "Map pairs per pairing", CHOICES + "games", high=MAX_GAMES),
        Field("rounds", "Rounds", CHOICES + "rounds", high=1_000, empty=None,
              hint="Of a Swiss tournament or a ladder; empty: as many as it needs."),
        Field("table", "Bots in a match", CHOICES + "table", high=MAX_GAMES),
        Field("break_minutes", "Minutes between rounds", CHOICES + "break_minutes", high=1_440,
              hint="Authors are told whom their bots meet, and everybody sees when it goes on. "
              "Empty: without a break.", empty=0),
    ),
    "Who plays": (
        Field("field", "Who plays", "field", Kind.CHOICE, choices=FIELD_RULES,
              hint="Where authors enter bots, the next two fields say whose."),
        Field("entry", "Who enters", "entry_rule", Kind.CHOICE, choices=ENTRY_RULES),
        Field("group", "Only for", "only_group", Kind.CHOICE, empty=None,
              hint="The bots of others are refused. Everybody reads the name of the group."),
        Field("house", "Built-in bots", kind=Kind.CHOICE, choices=BUILT_IN_RULES, only=Ladder,
              hint="The starter bots of the game: nobody waits for opponents."),
        Field("source", "Who reads a bot's source", "source_rule", Kind.CHOICE,
              choices=SOURCE_RULES),
        Field("sealed", "Keep what is handed in sealed", "is_sealed", Kind.BOX, empty=False,
              hint="The ladder plays no matches until the tournament begins: nobody sees what the "
              "others have built."),
    ),
    "When": (
        Field("begins", "Begins", "begins_at", Kind.TIME, empty=None, only=Ladder,
              hint="Empty: now."),
        Field("starts", "Begins", "begins_at", Kind.TIME, empty=None, only=SavedTournament,
              hint="Without an hour a new one begins at once, with the bots that are ticked."),
        Field("entries_until", "Entries until", "entries_until", Kind.TIME, empty=None, is_end=True,
              hint="Each bot plays with its newest version that was handed in before. Empty: until "
              "it begins."),
        Field("freezes", "Table frozen from", "freezes_at", Kind.TIME, empty=None,
              hint="Until the end, only organizers see what is played from then on."),
        Field("ends", "Ends", "ends_at", Kind.TIME, empty=None, is_end=True,
              hint="With an end it is a season; without one it never ends."),
    ),
    "Limits": (
        Field("versions", "Versions of a bot per day", "versions_per_day", high=1_000),
        Field("cpu", "CPU seconds per author and day", "cpu_s_per_day", Kind.DECIMAL,
              high=10 * 86_400),
        Field("matches_per_day", "Matches of a bot per day", "matches_per_day", high=100_000,
              hint="After its placement; it may still play those who are new."),
        Field("source_kb", "Source of a bot, kB", "most_source_bytes", unit=KB,
              high=MAX_SOURCE_BYTES // KB),
        Field("files_kb", "All files of a bot, kB", "most_bytes", unit=KB,
              high=MAX_TOTAL_BYTES // KB),
    ),
}  # fmt: skip
"""All fields of contests. One has those whose attributes it has."""


class ContestForm(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The form of a contest that is made or changed."""

    contest: Contest
    """As it is, or as a new one usually is."""
    is_new: bool = False
    is_fixed: bool = False
    """Whether it has matches, so that what they are played with stays as it is."""
    has_built_in: bool = False
    """Whether the built-in bots play."""
    zone: tzinfo = UTC
    """Whose clocks show the times that are typed without an offset."""
    groups: Mapping[str, str] = {}
    """The names of all groups, by their ids."""

    @cached_property
    def sections(self) -> dict[str, list[Field]]:
        """Return its fields under their headings, but for the settings of the game."""
        if self.contest.tournament is not None and self.contest.tournament.is_begun:
            return {}
        groups = {"": "everybody", **self.groups}
        found = {
            title: [
                replace(one, choices=groups) if one.key == "group" else one
                for one in fields
                if self._has(one)
            ]
            for title, fields in SECTIONS.items()
        }
        return {title: fields for title, fields in found.items() if fields}

    @cached_property
    def settings(self) -> dict[str, list[Field]]:
        """Return the settings of the game under their headings, as far as they can be changed."""
        if self.contest.tournament is not None or self.is_fixed:
            return {}
        usual = load_usual_spec(self.contest.ladder.game)
        return {
            "Settings of the game:": setting_fields(usual.settings, SETTING, "spec.settings"),
            "Limits of bots:": setting_fields(usual.limits, LIMIT, "spec.limits"),
        }

    @cached_property
    def values(self) -> dict[str, str]:
        """Return what it is filled with."""
        base = self.contest.base
        values = {
            one.key: one.format(attrgetter(one.attribute)(base), self.zone)
            for one in self._fields
            if one.attribute
        }
        has_built_in = {"house": YES if self.has_built_in else "no"}
        return values if self.contest.tournament else {**values, **has_built_in}

    def complete(self, sent: Mapping[str, str]) -> dict[str, str]:
        """Return all fields: those that were not sent are as before, but for boxes.

        A box that is not ticked is not sent.
        """
        boxes = {one.key: "" for one in self._fields if one.kind is Kind.BOX}
        return {**self.values, **boxes, **sent}

    def read(self, sent: Mapping[str, str]) -> Contest:
        """Return the contest that was typed. Raises: BadForm."""
        before, typed = self.values, self.complete(sent)
        changed: dict[str, object] = {}
        errors: dict[str, str] = {}
        for one in self._fields:
            # What was not changed stays as it is: times to the second, for example.
            if self.is_new or typed[one.key] != before[one.key]:
                try:
                    changed[one.attribute] = one.read(typed[one.key], self.zone)
                except ValueError as error:
                    errors[one.key] = str(error)
        if "group" in errors:
            errors["group"] = "this group is not there any more: choose another one, or everybody"
        if errors:
            raise BadForm(errors)
        changed.pop("", None)
        ladder, tournament = self.contest.ladder, self.contest.tournament
        if tournament is None:
            contest = Contest(ladder=_change_ladder(ladder, changed))
        else:
            contest = Contest(ladder=ladder, tournament=_change_tournament(tournament, changed))
        if errors := dict(self._find_conflicts(contest)):
            raise BadForm(errors)
        return contest

    def describe_changes(self, after: "ContestForm") -> str:
        """Return in which fields the form of the same contest differs since it was changed."""
        old, new = self.values, after.values
        changed = (
            f"{name} {old[name] or 'usual'} -> {new[name] or 'usual'}"
            for name in old
            if old[name] != new[name]
        )
        return ", ".join(changed) or "nothing"

    def errors_of(self, error: UsageError) -> Mapping[str, str]:
        """Return what is wrong, by the names of fields: options of commands are called so, too."""
        if isinstance(error, BadForm):
            return error.errors
        labels = {one.key: one.label for one in self._fields}
        text = OPTION.sub(lambda found: labels.get(found[1], found[0]), str(error))
        named = (name for name in OPTION.findall(str(error)) if name in labels)
        return {next(named, ""): text}

    @cached_property
    def _fields(self) -> list[Field]:
        sections = [*self.settings.values(), *self.sections.values()]
        fields = [one for fields in sections for one in fields]
        return [GAME, *fields] if self.is_new and self.settings else fields

    def _has(self, one: Field) -> bool:
        """Return whether it has a field. The name of a tournament stays."""
        is_fixed = not self.is_new and one.key == "name" and one.only is SavedTournament
        base = self.contest.base
        has_attribute = not one.attribute or hasattr(base, one.attribute.partition(".")[0])
        return isinstance(base, one.only) and has_attribute and not is_fixed

    def _find_conflicts(self, contest: Contest) -> Iterator[tuple[str, str]]:
        """Return what of its fields is wrong together."""
        ladder, one = contest.ladder, contest.tournament
        if one is None:
            yield from _find_wrong_times(ladder)
            if self.is_new and ladder.ends_at is not None and ladder.ends_at <= now():
                yield "ends", "the end is in the past: choose a later time"
            settings = ladder.spec.settings
            is_other = self.is_new or settings != self.contest.ladder.spec.settings
            if is_other and (why := ladder.game.why_not_rated(settings)) is not None:
                yield "", why
            return
        if one.begins_at is None and not self.is_new and not one.is_begun:
            yield "starts", "the begin: say when it begins"
        if one.is_sealed and ladder.source_rule is SourceRule.EVERYBODY:
            yield "sealed", f"everybody may read the sources of {ladder.name}: {NOT_SEALED}"
        is_open = one.entry_rule is EntryRule.OPEN and one.only_group is None
        if one.field is FieldRule.EVERYBODY and not is_open:
            yield "field", NOBODY_ENTERS


def _find_wrong_times(ladder: Ladder) -> Iterator[tuple[str, str]]:
    begins_at, freezes_at, ends_at = ladder.begins_at, ladder.freezes_at, ladder.ends_at
    if ends_at is not None and ends_at <= begins_at:
        yield "ends", "a season ends after it has begun"
    if freezes_at is not None and ends_at is None:
        yield "freezes", "only a season is frozen: it has an end, at which all is shown again"
    elif freezes_at is not None and not begins_at <= freezes_at < (ends_at or freezes_at):
        yield "freezes", "a season is frozen after its begin and before its end"


def new_ladder(game: AnyGame) -> Contest:
    """Return what a new ladder of a game usually is."""
    at, spec = now(), load_usual_spec(game)
    ladder = Ladder(id=new_ladder_id(), name="", spec=spec, begins_at=at, created_at=at)
    return Contest(ladder=ladder)


def new_tournament(ladder: Ladder) -> Contest:
    """Return what a new tournament of the bots of a ladder usually is."""
    table = min(count for count in ladder.game.team_counts if count >= MIN_PLAYERS)
    tournament = SavedTournament(
        name="",
        ladder=ladder.id,
        choices=TournamentChoices(format=USUAL_FORMAT, games=1, rounds=None, table=table),
        field=FieldRule.EVERYBODY,
        created_at=now(),
    )
    return Contest(ladder=ladder, tournament=tournament)


def _change_ladder(ladder: Ladder, changed: Mapping[str, object]) -> Ladder:
    after, at = _change(ladder, changed), now()
    if changed.get("begins_at", at) is None:
        after = replace(after, begins_at=at.replace(second=0, microsecond=0))
    # A season that is prolonged has another final.
    return after if after.is_closed(at) else replace(after, concluded_at=None)


def _change_tournament(one: SavedTournament, changed: Mapping[str, object]) -> SavedTournament:
    after = replace(_change(one, changed), settled_at=None, why="")
    return replace(after, entries_until=after.entries_until or after.begins_at)


def _change(one: S, changed: Mapping[str, object]) -> S:
    """Return a struct with other values, by its attributes, such as `choices.games`."""
    inner = defaultdict[str, dict[str, object]](dict)
    for path, value in changed.items():
        name, _, rest = path.partition(".")
        inner[name][rest] = value
    values = {
        name: found[""] if "" in found else _change(getattr(one, name), found)
        for name, found in inner.items()
    }
    try:
        return replace(one, **values)
    except ValueError as error:  # of several together, such as a map without room
        known = one.__struct_fields__
        named = (f"{SETTING}{name}" for name in ANY_NAME.findall(str(error)) if name in known)
        raise BadForm({next(named, ""): str(error)}) from error


def entry_words(contest: ContestBase, group: str) -> str:
    """Return who may enter a contest, which is for a group of this name unless that is ''."""
    if not group:
        return ENTRY_RULES[contest.entry_rule]
    whom = ", whom an organizer approves" if contest.entry_rule is EntryRule.APPROVED else ""
    return f"members of the group {group}{whom}"


def settings_words(ladder: Ladder) -> list[str]:
    """Return what is not as usual in a ladder's matches, as --set and --limit take it."""
    usual = usual_spec(ladder.game)
    fields = setting_fields(usual.settings, "", "settings")
    fields += setting_fields(usual.limits, "", "limits")
    typed = {one.label: one.format(attrgetter(one.attribute)(ladder.spec)) for one in fields}
    return [f"{name}={text}" for name, text in typed.items() if text]


def load_usual_spec(game: AnyGame) -> MatchSpec:
    """Return with what ladders of a game are played here, where nothing else is typed.

    The settings are the game's own where those of config.toml are meant for another game.
    """
    spec, request = usual_spec(game), MatchRequest(game=game.name)
    configuration = read_configuration()
    with suppress(BadSettings):
        spec = replace(spec, settings=settings_for(request, configuration))
    with suppress(BadSettings):
        spec = replace(spec, limits=limits_for(request, configuration))
    return spec


def save_ladder(ladders: Ladders, ladder: Ladder, before: Ladder | None = None) -> None:
    """Keep a new ladder, or one that was changed. Raises: BadForm if another one has its name."""
    others = (one.name for one in ladders.all() if one.id != ladder.id)
    is_renamed = before is None or before.name != ladder.name
    try:
        if is_renamed and looks_like_one_of(ladder.name, others):
            raise Stale
        (ladders.add if before is None else ladders.change)(ladder)
    except Stale as error:
        raise name_taken_error("ladder", ladder.name) from error


def name_taken_error(kind: str, name: str) -> BadForm:
    """Return what is wrong with a name that another contest of this kind has."""
    why = f"there is a {kind} called {name} already, or one that looks like it"
    return BadForm({"name": f"{why}: choose another name"})
