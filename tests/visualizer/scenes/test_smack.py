"""What is drawn of Smack!, as values."""

import numpy as np
from PIL import ImageColor

from engine.games.smack.events import HalfBegan, HalfEnded, Moved
from engine.games.smack.notation import parse_move, position_text
from engine.games.smack.position import START, Position, Side, parse_squares
from engine.games.smack.rules import make_move_event
from engine.games.smack.settings import Settings
from engine.games.smack.squares import SQUARE_OF
from engine.games.smack.state import Boards
from visualizer.drawing.sprites import standard_sprites
from visualizer.scene import Annotation, Label, Sprite, Tile
from visualizer.scenes.smack import BOARD_DISTANCE, FROM, SCORE, STATUS, TO, TURN, SmackScene

SCENE = SmackScene(Settings(), 2)


def boards_with(nerds: str, bullies: str, side: Side = Side.NERDS) -> Boards:
    boards = Boards(Settings())
    position = Position(parse_squares(nerds), parse_squares(bullies), side)
    for half in (1, 2):
        boards.apply(HalfBegan(half, position_text(position)))
    return boards


def thing_on(boards: Boards, half: int, square: str) -> object:
    return SCENE.thing(boards, half * 1_000 + SQUARE_OF[square])


def play(boards: Boards, half: int, text: str) -> Moved:
    board = boards.halves[half - 1]
    event = make_move_event(board, parse_move(board.position, text), ends=False)
    boards.apply(event)
    return event


def test_both_boards_stand_side_by_side_with_165_squares_each() -> None:
    tiles = [part for part in SCENE.backdrop() if isinstance(part, Tile)]
    assert len(tiles) == 2 * 165
    assert {tile.x + BOARD_DISTANCE for tile in tiles[:165]} == {tile.x for tile in tiles[165:]}


def test_the_pieces_of_a_team_are_nerds_on_one_board_and_bullies_on_the_other() -> None:
    boards = boards_with("A6", "H9")
    assert thing_on(boards, 1, "A6") == Sprite(
        "nerd", 0.5, 9.5, 0.96, "nerd_1", facts=("nerd A6", 1, "A6", 1)
    )
    assert thing_on(boards, 2, "A6") == Sprite(
        "nerd", BOARD_DISTANCE + 0.5, 9.5, 0.96, "nerd_2", facts=("nerd A6", 2, "A6", 2)
    )
    bully = thing_on(boards, 1, "H9")
    assert isinstance(bully, Sprite)
    assert bully.image == "bully_2"


def test_the_start_shows_forty_pieces_a_board_and_nobody_at_the_nurse() -> None:
    boards = boards_with("A6", "H9")
    boards.apply(HalfBegan(1, position_text(START)))
    things = [SCENE.thing(boards, thing_id) for thing_id in SCENE.ids(boards)]
    kinds = [
        thing.kind for thing in things if isinstance(thing, Sprite) and thing.x < BOARD_DISTANCE
    ]
    assert (kinds.count("nerd"), kinds.count("bully"), kinds.count("patient")) == (32, 8, 0)


def test_a_capture_moves_the_victim_to_the_nurse_and_marks_the_move() -> None:
    boards = boards_with("F6 A6", "G7 J9")
    event = play(boards, 1, "F6-G7")
    assert event.points == 4
    patient = SCENE.thing(boards, 1_450)
    assert isinstance(patient, Sprite)
    assert (patient.kind, patient.image) == ("patient", "bully_2")
    source, target = SCENE.thing(boards, 1_000 + FROM), SCENE.thing(boards, 1_000 + TO)
    assert isinstance(source, Tile)
    assert isinstance(target, Tile)
    assert (source.x, source.y) == (5, 9)
    assert (target.x, target.y) == (6, 8)


def test_notes_tell_moves_captures_and_ends() -> None:
    boards = boards_with("F6 F7 A6", "H7 J9", Side.BULLIES)
    board = boards.halves[0]
    event = make_move_event(board, parse_move(board.position, "H7-G7"), ends=False)
    piece, f6, f7 = (1_000 + SQUARE_OF[name] for name in ("G7", "F6", "F7"))
    assert list(SCENE.annotations(boards, event)) == [
        Annotation("took", piece, f7, "H7-G7xF7,F6"),
        Annotation("captured", f7),
        Annotation("captured", f6),
    ]
    board = boards_with("F6 A6", "G7 J9").halves[0]
    f6, g7 = (1_000 + SQUARE_OF[name] for name in ("F6", "G7"))
    hurl = make_move_event(board, parse_move(board.position, "F6-G7"), ends=False)
    assert list(SCENE.annotations(boards, hurl)) == [Annotation("hurled", f6, g7, "F6-G7xG7")]
    over = HalfEnded(1, "agreement", (3, 4))
    assert list(SCENE.annotations(boards, over)) == [
        Annotation("over", 1_000 + STATUS, 0, "is over: team 1 3 : 4 team 2, ended by agreement")
    ]


def test_headings_say_who_moves_how_it_stands_and_why_it_is_over() -> None:
    boards = boards_with("A6", "H9")
    status, score = SCENE.thing(boards, 1_000 + STATUS), SCENE.thing(boards, 2_000 + SCORE)
    assert isinstance(status, Label)
    assert isinstance(score, Label)
    assert status.text == "Board 1: team 1 0 : 0 team 2"
    assert score.text == "team 2 to move, the nerds"
    boards.apply(HalfEnded(1, "repetition", (0, 0)))
    why = SCENE.thing(boards, 1_000 + SCORE)
    assert isinstance(why, Label)
    assert why.text == "the same position too often"


def test_7_2_whose_turn_it_is_on_each_board() -> None:
    first, second = SCENE.team_color(1), SCENE.team_color(2)
    boards = boards_with("A6", "H9")
    play(boards, 2, "A6-A7")
    markers = [SCENE.thing(boards, half * 1_000 + TURN) for half in (1, 2)]
    assert [marker.fill for marker in markers if isinstance(marker, Tile)] == [first, first]
    play(boards, 1, "A6-A7")
    marker = SCENE.thing(boards, 1_000 + TURN)
    assert isinstance(marker, Tile)
    assert marker.fill == second


def test_7_2_the_clothes_of_the_pupils_have_the_colors_of_their_teams() -> None:
    for team in (1, 2):
        own, other = (ImageColor.getrgb(SCENE.team_color(each)) for each in (team, 3 - team))
        for kind in ("nerd", "bully"):
            picture = standard_sprites("smack")[f"{kind}_{team}"].convert("RGB")
            pixels = np.asarray(picture, dtype=int)[230:245].reshape(-1, 3)
            shares = [(abs(pixels - each).max(axis=1) < 24).mean() for each in (own, other)]
            assert shares[0] > 0.1 > 0.01 > shares[1]


def test_pieces_are_called_by_their_squares() -> None:
    boards = boards_with("A6", "H9")
    kind = SCENE.kinds["nerd"]
    nerd = thing_on(boards, 1, "A6")
    assert isinstance(nerd, Sprite)
    assert dict(zip(kind.facts, nerd.facts, strict=True))["name"] == "nerd A6"


def test_the_office_has_a_place_for_every_piece_and_its_name_and_ends_with_the_board() -> None:
    bare = boards_with("", "")
    things = (SCENE.thing(bare, 1_000 + what) for what in (*range(400, 432), *range(450, 458)))
    patients = [thing for thing in things if isinstance(thing, Sprite)]
    labels = [part for part in SCENE.backdrop() if isinstance(part, Label)]
    name = next(label for label in labels if "nurse" in label.text)
    assert len({(piece.x, piece.y) for piece in patients}) == len(patients) == 40
    assert all(abs(piece.x - name.x) > 1.8 for piece in patients if piece.y == name.y)
    assert max(piece.y + piece.size / 2 for piece in patients) < SCENE.extent.bottom
    assert max(piece.x for piece in patients) < 15
