"""What a match tells: captions, the end, and the key moments."""

import pytest

from tests.views.matches import load_timeline
from tests.visualizer.conftest import MakeTimeline
from visualizer.model.story import MAX_LETTERS, Ending, Story, find_key_moments, fit_sentences


def test_a_caption_tells_of_the_last_turn_that_has_ended(race_timeline: MakeTimeline) -> None:
    story = Story(race_timeline(["run"] * 4, ["plant"] * 4, last_turn=4))
    found = [story.caption(position) for position in range(5)]
    assert found[0] == "bot_1 against bot_2"
    assert found[1] == "Turn 1: bot_1 takes the lead 1 : 0"
    assert found[2:4] == [f"Turn {turn}: bot_1 leads {turn} : 0" for turn in (2, 3)]
    assert story.ending is not None
    assert found[4] == story.ending.line


def test_figures_that_make_the_last_caption_too_long_are_left_out() -> None:
    ending = Ending("Learned wins", "nobody else was left", ("47 : 0 points", "x" * 60), ())
    assert ending.line == "Learned wins: nobody else was left. 47 : 0 points"
    assert len(Ending("Learned wins", "w" * 200, (), ()).line) == MAX_LETTERS


@pytest.mark.parametrize(
    ("scores", "turns"),
    [
        ([(5, 5), (5, 5), (9, 1), (9, 1), (9, 1), (5, 5), (5, 5), (0, 9)], [2, 5]),
        ([(1, 1), (1, 1), (1, 1)], []),
        ([(turn % 2 * 9, (turn + 1) % 2 * 9) for turn in range(9)], [1, 2, 3, 4, 5, 6, 7]),
        ([(4, 4)], []),
    ],
    ids=["the largest changes, without the end", "no change", "seven at most", "no turn"],
)
def test_key_moments_are_the_turns_in_which_shares_change_most(
    scores: list[tuple[float, ...]], turns: list[int]
) -> None:
    assert find_key_moments(scores) == turns


def test_the_stages_of_a_long_turn_have_captions_of_their_own() -> None:
    timeline = load_timeline("smac")
    story, last = Story(timeline), timeline.turn_end(15)
    captions = [story.caption(position) for position in range(timeline.turn_start(15) + 1, last)]
    assert captions[1:4] == [
        "Turn 15, allocation: Spreader evolves (attack 4, defense 4, stacking 6)",
        "Turn 15, growth",
        "Turn 15, combat: 18 cells are fought over",
    ]
    assert story.caption(last) == "Turn 15: Spreader takes the lead with 57"


def test_a_turn_that_is_over_at_once_has_one_caption() -> None:
    timeline = load_timeline("slime_mind")
    story = Story(timeline)
    begin, end = timeline.turn_start(15), timeline.turn_end(15)
    assert {story.caption(position) for position in range(begin, end)} == {story.caption(begin)}


def test_of_a_caption_whole_sentences_are_left_where_it_has_no_room() -> None:
    caption = "Ann wins: the last one fell. 3 : 0 points. 1 : 6 slimes"
    assert fit_sentences(caption, lambda text: len(text) <= 45) == caption.removesuffix(
        ". 1 : 6 slimes"
    )
    assert fit_sentences(caption, lambda text: False) == "Ann wins: the last one fell"
