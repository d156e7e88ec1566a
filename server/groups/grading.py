"""The table of a group for grading: a row for each bot on each ladder, and for who has no bot."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo

from engine.catalog import game_named
from report.files import Row
from server.groups.course_progress import StepsDone
from server.groups.hand_ins import Place, by_author
from server.identity.groups import Member
from server.writing.courses import courses


def grading_rows(
    members: Iterable[Member], found: Sequence[Place], done: StepsDone, zone: tzinfo
) -> Iterator[Row]:
    """Yield the rows, members by name; times are those of the server's zone, with its offset.

    `done`: the steps of courses that they have done.
    """
    of_person = by_author(found)
    for member in members:
        for row in [_row(place, zone) for place in of_person.get(member.id, ())] or [NOTHING]:
            yield {
                "person": member.name,
                "person_id": member.id,
                "joined_group": _time(member.joined_at, zone),
                "invitation": member.joined_by,
                **row,
                **{f"course_{game}": done.get(member.id, {}).get(game, 0) for game in courses()},
            }


def _row(place: Place, zone: tzinfo) -> Row:
    hand_in, ladder = place.hand_in, place.ladder
    return {
        "bot": hand_in.name,
        "bot_id": hand_in.bot,
        "game": game_named(hand_in.game).title,
        "version": hand_in.number,
        "handed_in": _time(hand_in.at, zone),
        "handed_in_by": hand_in.by,
        "authors": len(hand_in.authors),
        "state": hand_in.state,
        "checks": place.checks,
        "ladder": None if ladder is None else ladder.name,
        "ladder_id": None if ladder is None else ladder.id,
        "entry": place.entry,
        "place": place.rank,
        "is_final": place.is_final,
        "rating": place.rating,
        "games": place.games,
        "faults": place.faults,
    }


NOTHING: Row = dict.fromkeys(
    (
        *(
            "bot",
            "bot_id",
            "game",
            "version",
            "handed_in",
            "handed_in_by",
            "authors",
            "state",
            "checks",
        ),
        *("ladder", "ladder_id", "entry", "place", "is_final", "rating", "games", "faults"),
    )
)
"""The columns of `_row`, of a member who has handed in nothing."""


def _time(at: datetime, zone: tzinfo) -> str:
    return at.astimezone(zone).isoformat(timespec="seconds")
