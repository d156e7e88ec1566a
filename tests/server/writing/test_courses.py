"""The courses, played from the first step to the last by starter bots that can do it."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from server.writing.courses import games_with_courses, load_steps
from tests.server.members import Browser, Server, serving
from tests.server.writing.authors import API, call, make_draft, request
from tests.server.writing.test_running import a_draft, over

SOLVED_BY = {
    "slime_mind": [*["player_two"] * 4, "splitter", *["player_two"] * 3],
    "smack": ["player_two", "player_two", "player_two", "player_three"],
}
"""Who reaches the goal of each step."""
SPLITTER = """if slime.level >= 4 and self.board.empty_around(slime): return "SPLIT"
        plant = self.board.nearest_plant(slime)
        return self.board.bite(slime, plant) or self.board.step_towards(slime, plant)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served") / "results") as made:
        made.organizer()
        yield made


@pytest.fixture
def ann(server: Server) -> Browser:
    return server.member(f"Ann {time.monotonic_ns() % 10**9}")


def try_step(browser: Browser, game: str, step: int, draft: Any) -> Any:
    """Return what came of a try, once it is over."""
    path = f"/api/v1/courses/{game}"
    made = request(browser, "POST", f"{path}/steps/{step}/try", {"draft": draft["id"]})
    over(browser, made["run"])
    return request(browser, "GET", f"{path}/tries/{made['run']['id']}")


def test_there_are_eight_steps_for_slime_mind_and_four_for_smack() -> None:
    assert {game: len(load_steps(game)) for game in games_with_courses()} == {
        "slime_mind": 8,
        "smack": 4,
    }
    assert {game: len(bots) for game, bots in SOLVED_BY.items()} == {"slime_mind": 8, "smack": 4}


@pytest.mark.parametrize("game", SOLVED_BY)
def test_a_course_is_played_from_the_first_step_to_the_last(ann: Browser, game: str) -> None:
    drafts: dict[str, Any] = {}
    assert request(ann, "GET", f"/api/v1/courses/{game}")["next"] == 1
    for number, bot in enumerate(SOLVED_BY[game], 1):
        if bot not in drafts:
            is_own = bot == "splitter"
            drafts[bot] = a_draft(ann, SPLITTER) if is_own else make_draft(ann, bot[7:], game, bot)
        done = try_step(ann, game, number, drafts[bot])
        assert done["is_done"], (number, done)
        assert done["next"] == (number + 1 if number < len(SOLVED_BY[game]) else None)
    course = request(ann, "GET", f"/api/v1/courses/{game}")
    assert all(step["is_done"] and step["tries"] == 1 for step in course["steps"])


@pytest.mark.parametrize("step", [1, 2, 4])
def test_what_is_not_enough_is_told_in_numbers(ann: Browser, step: int) -> None:
    done = try_step(ann, "slime_mind", step, a_draft(ann, "return 'NOTHING'"))
    assert not done["is_done"]
    assert any(not goal["is_met"] for goal in done["goals"])


def test_a_split_below_the_level_is_seen(ann: Browser) -> None:
    body = "plant = self.board.nearest_plant(slime)\n        if slime.level >= 2: return 'SPLIT'\n"
    body += "        return self.board.bite(slime, plant) or self.board.step_towards(slime, plant)"
    done = try_step(ann, "slime_mind", 5, a_draft(ann, body))
    goals = {goal["words"]: goal for goal in done["goals"]}
    assert goals["splits: at least 2"]["is_met"]
    lowest = goals["the lowest level of a split: at least 4"]
    assert (lowest["is_met"], lowest["counted"] < 4) == (False, True)


def test_who_is_where_is_shown_to_organizers(server: Server) -> None:
    zoe = server.member("Zoe")
    try_step(zoe, "slime_mind", 1, make_draft(zoe, "Zoe", template="player_two"))
    browser = server.browser()
    browser.client.cookies.set("session", server.site.people.new_session(server.person_id("Olga")))
    found = request(browser, "GET", "/api/v1/courses/slime_mind/people")["people"]
    (own,) = [one for one in found if one["name"] == "Zoe"]
    assert (own["done"], own["tries"]) == ([1], 1)
    assert call(zoe, "GET", "/api/v1/courses/slime_mind/people")[0] == 404
    assert '"courses"' in zoe.get("/me/export").text


def test_what_cannot_be_tried_is_refused(ann: Browser) -> None:
    draft = make_draft(ann)
    body = {"draft": draft["id"]}
    for path, status in (
        ("chess/steps/1/try", 404),
        ("slime_mind/steps/9/try", 404),
        ("slime_mind/steps/x/try", 404),
        ("smack/steps/1/try", 422),
    ):
        assert call(ann, "POST", f"/api/v1/courses/{path}", body)[0] == status
    assert call(ann, "POST", "/api/v1/courses/smack/steps/1/try", {"draft": "none"})[0] == 404
    run = request(ann, "POST", f"{API}/{draft['id']}/runs", {"opponent": "player_one"})
    assert call(ann, "GET", f"/api/v1/courses/slime_mind/tries/{run['id']}")[0] == 404
