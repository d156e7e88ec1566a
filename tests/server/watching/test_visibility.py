"""What of a match each role may see."""

import pytest

from engine.catalog import find_game
from server.watching.visibility import Role, VisiblePart, WatchedMatch, find_visible_part

OPEN, LATE = find_game("slime_mind"), find_game("game_of_death")
NOTHING, AFTER = VisiblePart.NOTHING, VisiblePart.AFTER_THE_END
VIEW, COPY, ALL = VisiblePart.PUBLIC_VIEW, VisiblePart.PUBLIC_COPY, VisiblePart.EVERYTHING


@pytest.mark.parametrize(
    ("match", "of_each_role"),
    [
        (WatchedMatch(OPEN, is_over=False), [VIEW, VIEW, ALL, VIEW, VIEW]),
        (WatchedMatch(OPEN, is_over=True), [COPY, COPY, ALL, COPY, ALL]),
        (WatchedMatch(LATE, is_over=False), [AFTER, AFTER, ALL, VIEW, AFTER]),
        (WatchedMatch(LATE, is_over=True), [COPY, COPY, ALL, COPY, ALL]),
        (WatchedMatch(OPEN, False, is_withheld=True), [NOTHING, VIEW, *[NOTHING] * 3]),
        (WatchedMatch(OPEN, True, is_withheld=True), [NOTHING, COPY, *[NOTHING] * 3]),
        (WatchedMatch(LATE, False, is_withheld=True), [NOTHING, AFTER, *[NOTHING] * 3]),
        (WatchedMatch(OPEN, False, is_confidential=True), [AFTER, AFTER, AFTER, VIEW, AFTER]),
        (WatchedMatch(OPEN, True, is_confidential=True), [COPY, COPY, COPY, COPY, ALL]),
    ],
)
def test_each_role_sees_what_it_may(match: WatchedMatch, of_each_role: list[VisiblePart]) -> None:
    assert [find_visible_part(role, match) for role in Role] == of_each_role
