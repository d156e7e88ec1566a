"""What bots said, as far as there is room."""

from random import Random

from visualizer.backends.page.texts import deflate, encode, select_texts

LOGS = {(turn, 1, 7): [f"{Random(turn).random()}"] for turn in range(1, 1000)}


def test_all_is_kept_where_there_is_room() -> None:
    texts = select_texts({(3, 1, 7): "took 60 ms"}, {(2, 1, 7): ["<b>", "x"]}, 10_000)
    assert (texts.faults, texts.logs) == ([(3, 1, 7, "took 60 ms")], [(2, 1, 7, ["<b>", "x"])])
    assert (texts.faults_left_out, texts.logs_left_out) == (0, 0)


def test_faults_without_words_take_no_room() -> None:
    assert select_texts({(3, 1, 7): ""}, {}, 10_000).faults == []


def test_the_first_rounds_are_kept_and_the_others_counted() -> None:
    texts = select_texts({}, LOGS, 5_000)
    assert [turn for turn, *_ in texts.logs] == list(range(1, len(texts.logs) + 1))
    assert len(texts.logs) + texts.logs_left_out == len(LOGS)
    assert 100 < len(texts.logs) < 900


def test_what_is_kept_fits() -> None:
    faults = {place: line * 3 for place, [line] in LOGS.items()}
    assert len(deflate(encode(select_texts(faults, LOGS, 5_000)))) <= 5_100


def test_faults_leave_room_for_logs() -> None:
    texts = select_texts({place: line for place, [line] in LOGS.items()}, LOGS, 5_000)
    assert texts.faults
    assert texts.logs
