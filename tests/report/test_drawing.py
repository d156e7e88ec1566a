"""Where the boxes of brackets and rounds stand."""

import msgspec

from report.boxes import Box, Slot
from report.drawing import ACROSS, DOWN, HEADING_HEIGHT, MARGIN, draw_bracket, draw_rounds


def a_box(number: int, pairing: int, *slots: Slot, label: str = "") -> Box:
    return Box(round=number, pairing=pairing, label=label or f"round {number}", slots=slots)


def bots(*numbers: int) -> tuple[Slot, ...]:
    return tuple(Slot(entrant=number) for number in numbers)


def winner_slot(number: int, pairing: int) -> Slot:
    return Slot(source=(number, pairing))


def loser_slot(number: int, pairing: int) -> Slot:
    return Slot(source=(number, pairing), is_winner=False)


FOUR = [
    a_box(1, 1, *bots(1, 4), label="semi-final"),
    a_box(1, 2, *bots(2, 3), label="semi-final"),
    a_box(2, 1, winner_slot(1, 1), winner_slot(1, 2), label="final"),
]


def places(boxes: list[Box]) -> dict[tuple[int, int], tuple[float, float]]:
    """Columns and rows."""
    return {
        placed.box.place: ((placed.x - MARGIN) / ACROSS, (placed.y - HEADING_HEIGHT) / DOWN)
        for placed in draw_bracket(boxes).boxes
    }


def test_a_final_stands_half_way_between_those_that_lead_to_it() -> None:
    assert places(FOUR) == {(1, 1): (0, 0), (1, 2): (0, 1), (2, 1): (1, 0.5)}


def test_winners_are_led_on() -> None:
    assert len(draw_bracket(FOUR).lines) == 2


def test_each_round_has_one_heading() -> None:
    assert [heading.text for heading in draw_bracket(FOUR).headings] == ["semi-final", "final"]


def test_who_comes_from_a_place_is_said_while_it_is_open() -> None:
    final = draw_bracket(FOUR).boxes[-1]
    assert final.waiting == ("winner of 1.1", "winner of 1.2")


def test_a_bye_is_not_drawn() -> None:
    boxes = [
        a_box(1, 1, *bots(1)),
        a_box(1, 2, *bots(2, 3)),
        a_box(2, 1, Slot(entrant=1, source=(1, 1)), winner_slot(1, 2)),
    ]
    assert places(boxes) == {(1, 2): (0, 0), (2, 1): (1, 0)}


def test_behind_a_bye_stands_where_somebody_really_comes_from() -> None:
    boxes = [
        a_box(1, 1, *bots(1, 4)),
        a_box(1, 2, *bots(2, 3)),
        a_box(2, 1, loser_slot(1, 1)),
        a_box(3, 1, winner_slot(1, 1), winner_slot(1, 2)),
        a_box(4, 1, winner_slot(2, 1), loser_slot(3, 1)),
        a_box(5, 1, winner_slot(3, 1), winner_slot(4, 1)),
    ]
    drawing = draw_bracket(boxes)
    waiting = {placed.box.place: placed.waiting for placed in drawing.boxes}
    assert waiting[4, 1] == ("loser of 1.1", "loser of 3.1")


def test_losers_stand_below_winners() -> None:
    boxes = [
        *FOUR[:2],
        a_box(2, 1, loser_slot(1, 1), loser_slot(1, 2), label="losers' round 1"),
        a_box(3, 1, winner_slot(1, 1), winner_slot(1, 2), label="winners' final"),
        a_box(4, 1, winner_slot(2, 1), loser_slot(3, 1), label="losers' round 2"),
        a_box(5, 1, winner_slot(3, 1), winner_slot(4, 1), label="final"),
    ]
    rows = {place: row for place, (_, row) in places(boxes).items()}
    assert max(rows[1, 1], rows[1, 2], rows[3, 1]) < min(rows[2, 1], rows[4, 1])
    assert rows[3, 1] < rows[5, 1] < rows[4, 1]


def test_no_boxes_lie_on_each_other() -> None:
    taken = list(places(FOUR).values())
    assert len(taken) == len(set(taken))


def test_rounds_stand_side_by_side() -> None:
    drawing = draw_rounds(
        [a_box(1, 1, *bots(1, 2)), a_box(1, 2, *bots(3)), a_box(2, 1, *bots(1, 3))]
    )
    assert [placed.x for placed in drawing.boxes] == [MARGIN, MARGIN, MARGIN + ACROSS]
    assert [heading.text for heading in drawing.headings] == ["round 1", "round 2"]


def test_in_a_round_those_of_a_group_stand_below_its_name() -> None:
    boxes = [
        msgspec.structs.replace(a_box(1, number, *bots(number, number + 9)), group=group)
        for number, group in enumerate(("1 point", "1 point", "0 points"), 1)
    ]
    drawing = draw_rounds(boxes)
    assert [heading.text for heading in drawing.headings] == ["round 1", "1 point", "0 points"]
    name = drawing.headings[2]
    assert drawing.boxes[1].y < name.y < drawing.boxes[2].y
