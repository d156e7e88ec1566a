"""What follows from a ledger: standings, ratings, and both in words."""

import json
from collections.abc import Sequence

import msgspec
import pytest

from engine.bots.sandbox import Layer, Level
from engine.fault import Cause
from engine.replays.writing import Contestant
from engine.result import Protection
from runners.contests.plan import Entrant, Field, Secret
from runners.contests.standings import Overview, Standings, compute_standings, overview_of
from runners.contests.standings_table import (
    heading_lines,
    rating_text,
    sandbox_gaps,
    standings_json,
    standings_remarks,
    standings_table,
)
from runners.lost_decisions import forfeits_text
from runners.statistics.ratings import Rating, RatingKind
from tests.runners.contests.fields import (
    SECRET,
    a_field,
    a_ledger,
    a_result,
    list_entries,
    play_all,
)
from tests.runners.results import a_match_result


def standings(field: Field, breaks: Sequence[int] = ()) -> Standings:
    return compute_standings(a_ledger(field, play_all(field, breaks=breaks)))


def test_a_table_has_a_line_for_each_bot_below_a_heading() -> None:
    field = a_field(3)
    assert standings_table(standings(field), field) == [
        "  rank  bot    points  W-D-L  mean score",
        "     1  bot_0       2  4-0-0         0.0",
        "     2  bot_1       1  2-0-2        -1.0",
        "     3  bot_2       0  0-0-4        -2.0",
    ]


def test_at_tables_of_more_wins_and_the_mean_place_take_the_place_of_draws_and_losses() -> None:
    field = a_field(4, table=3)
    table = standings(field)
    assert standings_table(table, field) == [
        "  rank  bot    points  wins  place  mean score",
        "     1  bot_0       3     9   1.00         0.0",
        "     2  bot_1       2     3   1.67        -1.0",
        "     3  bot_2       1     0   2.33        -2.0",
        "     4  bot_3       0     0   3.00        -3.0",
    ]
    assert (
        heading_lines(table, field)[0]
        == "tournament 'spring': round_robin, 4 bots, 3-player matches, seed 1"
    )


def test_an_unfinished_table_is_ranked_by_share_and_says_so() -> None:
    field = a_field(4)
    entries = list_entries(field, play_all(field))
    # The last one has twice the points of the first, of three times as many pairings.
    saved = {
        entry.key: a_result(entry.key, [float(seat == winner) for seat in entry.fixture.seats])
        for entry in entries
        for pair, winner in (((0, 3), 0), ((1, 3), 3), ((2, 3), 3))
        if set(entry.fixture.seats) == set(pair)
    }
    table = compute_standings(a_ledger(field, saved))
    lines = standings_table(table, field)
    assert [line.split()[:4] for line in lines] == [
        ["rank", "bot", "share", "points"],
        ["1", "bot_0", "100%", "1"],
        ["2", "bot_3", "67%", "2"],
        ["3", "bot_1", "0%", "0"],
        ["4", "bot_2", "0%", "0"],
    ]
    assert heading_lines(table, field)[1] == (
        "6 matches played, 6 of this stage to come; until then ranked by the share of the points "
        "that each could have by now"
    )
    ratings = overview_of(a_ledger(field, saved)).ratings
    assert json.loads(standings_json(table, field, ratings))["is_by_share"] is True
    over = standings(field)
    assert "share" not in standings_table(over, field)[0] + "".join(heading_lines(over, field))
    bracket = a_field(4, format="single_elimination")
    assert not compute_standings(a_ledger(bracket, {})).is_by_share


def test_points_of_thirds_have_two_digits() -> None:
    field = a_field(4, table=4)
    cells = [line.split()[2] for line in standings_table(standings(field), field)[1:]]
    assert cells == ["1", "0.67", "0.33", "0"]


def test_machines_that_held_bots_back_less_than_was_asked_are_named() -> None:
    field = a_field(2, games=2)
    gaps = {"pi4": (Layer.FILES,), "": (Layer.FILES, Layer.CALLS)}
    hosts = iter(("pi4", "", "pi4", "big"))
    saved = {
        key: msgspec.structs.replace(result, host=host, gaps=gaps.get(host, ()))
        for (key, result), host in zip(play_all(field).items(), hosts, strict=True)
    }
    table = compute_standings(a_ledger(field, saved))
    assert sandbox_gaps(table) == [
        (
            "  sandbox incomplete on the runner's machine, in 1 match: a bot could read and "
            "change your files, could start processes and use the network (files, calls)"
        ),
        "  sandbox incomplete on pi4, in 2 matches: a bot could read and change your files (files)",
    ]
    assert standings_remarks(table) == sandbox_gaps(table)
    shown = json.loads(standings_json(table, field, overview_of(a_ledger(field, saved)).ratings))
    assert shown["sandbox_gaps"] == [
        {"host": "", "layers": ["files", "calls"], "matches": 1},
        {"host": "pi4", "layers": ["files"], "matches": 2},
    ]


def test_matches_that_were_void_at_first_are_counted() -> None:
    field = a_field(2, games=2)
    saved = {
        key: msgspec.structs.replace(result, void_tries=("ann waited",) * tries)
        for (key, result), tries in zip(play_all(field).items(), (0, 2, 0, 1), strict=True)
    }
    table = compute_standings(a_ledger(field, saved))
    assert standings_remarks(table) == [
        "  2 matches were void and played again: a bot waited too long for a processor"
    ]
    shown = json.loads(standings_json(table, field, overview_of(a_ledger(field, saved)).ratings))
    assert shown["void"] == 2


def test_a_machine_that_was_asked_for_nothing_has_no_gaps() -> None:
    off = Protection(level=Level.OFF, layers=(), failings={Layer.FILES: "no Landlock"})
    assert a_match_result(sandbox=off).gaps == ()


def test_the_best_few_will_do_where_there_is_no_room() -> None:
    field = a_field(9)
    assert len(standings_table(standings(field), field, most=4)) == 5


def test_strength_is_shown_where_it_counts() -> None:
    swiss, robin = a_field(4, format="swiss"), a_field(4)
    assert "Buchholz" in standings_table(standings(swiss), swiss)[0]
    assert "Buchholz" not in standings_table(standings(robin), robin)[0]


def test_live_ratings_move_on_a_ladder_alone() -> None:
    ladder, robin = a_field(4, format="ladder"), a_field(4)
    before = [row.live for row in compute_standings(a_ledger(ladder, {})).rows]
    table = standings(ladder)
    live = [row.live or 0.0 for row in table.rows]
    assert before == [1500.0] * 4
    assert live[0] == max(live) > 1500 > min(live)
    heading_line, best, *_ = standings_table(table, ladder)
    assert heading_line.split() == ["rank", "bot", "points", "W-D-L", "live", "mean", "score"]
    assert best.split()[4] == f"{live[0]:.0f}"
    assert "live" not in standings_table(standings(robin), robin)[0]
    assert {row.live for row in standings(robin).rows} == {None}


def test_who_is_in_quarantine_is_marked_and_forfeits_are_told_below() -> None:
    field = a_field(4)
    table = standings(field, breaks=[2])
    assert [line.endswith("  in quarantine") for line in standings_table(table, field)] == [
        *[False] * 4,
        True,
    ]
    assert standings_remarks(table) == ["  bot_2: forfeited 3 matches"]
    assert heading_lines(table, field) == [
        "tournament 'spring': round_robin, 4 bots, seed 1",
        "9 matches played, 3 forfeited, over",
        "maps follow from secret 99",
    ]


def test_secrets_are_told_when_all_is_over_and_not_before() -> None:
    field = a_field(3)
    later = msgspec.structs.replace(field.entrants[2], secret=Secret(1, 2**127))
    field = Field(field.plan, (*field.entrants[:2], later))
    ledger = a_ledger(field, {})
    begun = compute_standings(ledger)
    assert "secret" not in "".join(heading_lines(begun, field))
    assert json.loads(standings_json(begun, field, overview_of(ledger).ratings))["secrets"] is None
    over, large = standings(field), f"0x8{31 * '0'}"
    assert heading_lines(over, field)[2:] == [
        "maps follow from secret 99",
        f"maps follow from secret {large} where bot_2 played",
    ]
    ratings = overview_of(a_ledger(field, play_all(field))).ratings
    assert json.loads(standings_json(over, field, ratings))["secrets"] == [
        {"secret": "99", "bots": ["bot_0", "bot_1"]},
        {"secret": large, "bots": ["bot_2"]},
    ]


def test_a_name_cannot_command_the_terminal_nor_break_the_table() -> None:
    field = a_field(2)
    painted = Entrant(bot=Contestant(name="\x1b[2Jx" + 50 * "y" + "\n", digest="d9"), secret=SECRET)
    field = Field(field.plan, (*field.entrants, painted))
    lines = standings_table(standings(field), field)
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize(
    ("rating", "text"),
    [
        ((RatingKind.RATED, 1512.4, 1480.0, 1544.6), "1512 (1480 to 1545)"),
        ((RatingKind.WON_ALL, 1700.4, 1600.0, None), "1700 (at least 1600)"),
        ((RatingKind.LOST_ALL, 1300.0, None, 1400.0), "1300 (at most 1400)"),
        ((RatingKind.NOT_COMPARABLE, None, None, None), "not yet comparable"),
    ],
    ids=str,
)
def test_a_rating_says_no_more_than_is_known(
    rating: tuple[RatingKind, float | None, float | None, float | None], text: str
) -> None:
    kind, elo, low, high = rating
    figures = Rating(entrant=0, kind=kind, elo=elo, low=low, high=high, points=1, games=2)
    assert rating_text(figures) == text


def test_causes_are_counted_in_the_order_of_their_names() -> None:
    assert forfeits_text({Cause.SLEPT: 2, Cause.EXIT: 1}) == "3 forfeited turns (1 exit, 2 slept)"


def test_scripts_are_told_all_of_it() -> None:
    field = a_field(3)
    overview = overview_of(a_ledger(field, play_all(field)))
    answer = json.loads(standings_json(overview.standings, field, overview.ratings))
    assert (answer["name"], answer["format"], answer["is_over"]) == ("spring", "round_robin", True)
    first = answer["standings"][0]
    assert (first["rank"], first["bot"]["name"], first["points"]) == (1, "bot_0", 2.0)
    assert first["rating"]["kind"] == "won all"


def overview(size: int, breaks: tuple[int, ...] = (), **changes: object) -> Overview:
    field = a_field(size, **changes)
    return overview_of(a_ledger(field, play_all(field, breaks=breaks)))


def test_everybody_has_a_place_a_rating_and_a_history() -> None:
    seen = overview(4)
    assert [row.number for row in seen.standings.rows] == [0, 1, 2, 3]
    assert [rating.entrant for rating in seen.ratings] == [0, 1, 2, 3]
    assert [rating.games for rating in seen.ratings] == [6, 6, 6, 6]
    assert [seen.histories.get_history(number)[-1][0] for number in range(4)] == [6, 6, 6, 6]


def test_forfeits_say_nothing_of_strength() -> None:
    seen = overview(4, breaks=(3,), quarantine=1)
    assert [rating.games for rating in seen.ratings] == [5, 4, 4, 1]


def test_a_tournament_without_a_result_rates_nobody() -> None:
    seen = overview_of(a_ledger(a_field(3), {}))
    assert {rating.kind for rating in seen.ratings} == {RatingKind.NOT_COMPARABLE}
    assert seen.standings.open == 6
