"""What an organizer types of a contest."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from engine.catalog import find_game
from engine.errors import UsageError
from runners.contests.contests import Contest, Ladder, new_ladder_id, usual_spec
from runners.storage.ladder_tables import EntryRule, FieldRule, SourceRule
from server.contests.contest_forms import SECTIONS, ContestForm, new_ladder
from server.contests.form_fields import BadForm
from tests.server.contests.field import CHOICES, announced

BERLIN = ZoneInfo("Europe/Berlin")
TWICE = datetime(2027, 10, 31, 1, 30, 20, tzinfo=UTC)
"""In Berlin it is 02:30 then, as it was an hour before."""
DAY = timedelta(days=1)
SEASON = Ladder(
    id=new_ladder_id(),
    name="Autumn",
    spec=usual_spec(find_game("slime_mind")),
    begins_at=TWICE,
    freezes_at=TWICE + DAY,
    ends_at=TWICE + 2 * DAY,
    created_at=TWICE,
)
CUP = announced(
    SEASON.id,
    choices=replace(CHOICES, format="swiss", rounds=3, break_minutes=5),
    field=FieldRule.ENTERED,
    begins_at=TWICE + DAY,
    entries_until=TWICE,
)
OF_SEASON = ContestForm(contest=Contest(ladder=SEASON), zone=BERLIN, groups={"1a": "Class 1a"})
OF_CUP = replace(OF_SEASON, contest=Contest(ladder=SEASON, tournament=CUP))
NEW = ContestForm(contest=new_ladder(find_game("slime_mind")), is_new=True)
NEW_SMACK = replace(NEW, contest=new_ladder(find_game("smack")))
OPEN = replace(SEASON, source_rule=SourceRule.EVERYBODY)
OF_OPEN_CUP = replace(OF_CUP, contest=Contest(ladder=OPEN, tournament=CUP))
NEW_CUP = replace(OF_CUP, is_new=True, zone=UTC)
LATER = datetime(2027, 11, 1, 8, tzinfo=UTC)
TYPED: Mapping[str, tuple[str, str, object]] = {
    "words": (" For a cake. ", "words", "For a cake."),
    "format": ("round_robin", "choices.format", "round_robin"),
    "games": ("7", "choices.games", 7),
    "rounds": ("", "choices.rounds", None),
    "table": ("4", "choices.table", 4),
    "break_minutes": ("", "choices.break_minutes", 0),
    "field": ("everybody", "field", FieldRule.EVERYBODY),
    "entry": ("approved", "entry_rule", EntryRule.APPROVED),
    "group": ("1a", "only_group", "1a"),
    "source": ("organizers", "source_rule", SourceRule.ORGANIZERS),
    "sealed": ("yes", "is_sealed", True),
    "begins": ("2027-10-30T09:00", "begins_at", LATER - 2 * DAY - timedelta(hours=1)),
    "starts": ("2027-11-01T09:00", "begins_at", LATER),
    "entries_until": ("2027-11-01T09:00", "entries_until", LATER),
    "freezes": ("2027-11-01T09:00", "freezes_at", LATER),
    "ends": ("2027-11-01", "ends_at", datetime(2027, 11, 1, 23, tzinfo=UTC)),
    "versions": ("3", "versions_per_day", 3),
    "cpu": ("1.5", "cpu_s_per_day", 1.5),
    "matches_per_day": ("50", "matches_per_day", 50),
    "source_kb": ("20", "most_source_bytes", 20_000),
    "files_kb": ("100", "most_bytes", 100_000),
}
"""What is typed in each field, and what of the contest it then is."""


@pytest.mark.parametrize("form", [OF_SEASON, OF_CUP])
def test_a_form_that_is_sent_as_it_was_filled_changes_nothing(form: ContestForm) -> None:
    """Times stay to the second, and those that clocks show twice are not asked about."""
    assert form.read(form.values) == form.contest
    assert form.read({}) == form.contest
    assert form.values.get("begins", "2027-10-31T02:30") == "2027-10-31T02:30"


def test_every_field_is_read_and_shown_again() -> None:
    fields = [one for section in SECTIONS.values() for one in section]
    assert {one.key for one in fields} == {"name", "house", *TYPED}
    for key, (typed, attribute, value) in TYPED.items():
        form = OF_SEASON if key in OF_SEASON.values else OF_CUP
        contest = form.read({key: typed})
        assert attrgetter(attribute)(contest.base) == value, key
        shown = replace(form, contest=contest).values
        assert {one for one in shown if shown[one] != form.values[one]} == {key}
    assert OF_SEASON.read({"name": " Winter  cup "}).title == "Winter cup"
    assert NEW_CUP.read({"name": " Winter  cup "}).id == "Winter_cup"
    assert "name" not in OF_CUP.values


@pytest.mark.parametrize(
    ("form", "typed", "errors"),
    [
        (NEW, {"name": "x"}, {"name": "a name has 2 to 24 letters; this one has 1"}),
        (NEW, {"name": "Ox", "game": "chess"}, {"game": "Game: expected Slime Mind or "}),
        (OF_SEASON, {"set-rows": "many"}, {"set-rows": "rows: expected a whole number from 2"}),
        (OF_SEASON, {"set-columns": "2"}, {"set-slime_pairs": "slime_pairs + rock_pairs + plant_"}),
        (OF_SEASON, {"limit-memory_mb": "-1"}, {"limit-memory_mb": "memory_mb: expected a whole"}),
        (OF_SEASON, {"entry": "all"}, {"entry": "Who enters: expected everybody or whom an"}),
        (OF_SEASON, {"group": "none"}, {"group": "this group is not there any more"}),
        (OF_SEASON, {"cpu": "nan"}, {"cpu": "CPU seconds per author and day: expected a number"}),
        (OF_SEASON, {"versions": "0", "files_kb": ""}, {"versions": "Vers", "files_kb": "All fil"}),
        (
            OF_CUP,
            {"games": "0"},
            {"games": "Map pairs per pairing: expected a whole number from 1"},
        ),
        (OF_SEASON, {"ends": "soon"}, {"ends": "Ends: soon: expected a time such as 2027-05-28T"}),
        (OF_SEASON, {"ends": "2028-10-29T02:30"}, {"ends": "Ends: 2028-10-29 02:30 comes twice"}),
        (OF_SEASON, {"ends": "2026-01-01"}, {"ends": "a season ends after it", "freezes": "a sea"}),
        (OF_SEASON, {"ends": ""}, {"freezes": "only a season is frozen"}),
        (OF_SEASON, {"freezes": "2029-01-01"}, {"freezes": "a season is frozen after its begin"}),
        (NEW_CUP, {"name": "a/b"}, {"name": "'a/b' cannot be the name of a tournament"}),
        (OF_CUP, {"format": "lottery"}, {"format": "Format: expected "}),
        (OF_CUP, {"break_minutes": "9999"}, {"break_minutes": "Minutes between rounds: expected"}),
        (OF_CUP, {"starts": ""}, {"starts": "the begin: say when it begins"}),
        (OF_CUP, {"field": "everybody", "entry": "approved"}, {"field": "nobody enters where all"}),
        (OF_OPEN_CUP, {"sealed": "yes"}, {"sealed": "everybody may read the sources of Autumn"}),
        (
            NEW_SMACK,
            {"name": "Ox", "begins": "2026-01-01", "ends": "2026-01-02"},
            {"ends": "the end is in"},
        ),
        (NEW_SMACK, {"name": "Ox", "set-pace": "free"}, {"": "pace = free: whoever copies"}),
    ],
)
def test_what_is_wrong_is_said_at_each_field(
    form: ContestForm, typed: dict[str, str], errors: dict[str, str]
) -> None:
    with pytest.raises(BadForm) as refused:
        form.read(typed)
    found = refused.value.errors
    assert {key: why[: len(errors.get(key, why))] for key, why in found.items()} == errors


def test_options_that_commands_name_are_the_fields_of_a_form() -> None:
    for why, errors in (
        ("--table 9: two play it", {"table": "Bots in a match 9: two play it"}),
        ("it --has no such field", {"": "it --has no such field"}),
    ):
        assert OF_CUP.errors_of(UsageError(why)) == errors


def test_a_season_that_is_prolonged_has_another_final() -> None:
    at = datetime(2025, 1, 1, tzinfo=UTC)
    past = {"begins_at": at, "freezes_at": None, "ends_at": at + 30 * DAY}
    concluded = replace(SEASON, **past, concluded_at=at + 31 * DAY)
    form = ContestForm(contest=Contest(ladder=concluded))
    assert form.read(form.values).ladder == concluded
    assert form.read({"ends": "2099-01-01T00:00"}).ladder.concluded_at is None
