"""Named random streams from one seed."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.streams import Stream, Streams, derive_seed


def draws(stream: Stream, count: int = 5) -> list[float]:
    return [stream.random() for _ in range(count)]


def test_the_draws_are_the_same_on_every_machine() -> None:
    assert derive_seed(1, "map") == 5343904415316373685
    streams = Streams(1)
    assert [streams["map"].below(1000) for _ in range(5)] == [648, 710, 782, 537, 887]


def test_what_one_stream_draws_never_shifts_another() -> None:
    alone, beside = Streams(7), Streams(7)
    expected = draws(alone["map"], 6)
    got = []
    for _ in range(3):
        got += draws(beside["map"], 2)
        draws(beside["plants"], 3)
    assert got == expected


def test_streams_of_different_names_or_seeds_differ() -> None:
    first = draws(Streams(7)["map"])
    assert first not in (draws(Streams(7)["plants"]), draws(Streams(8)["map"]))


def test_a_name_always_means_the_same_stream() -> None:
    streams = Streams(7)
    assert streams["map"] is streams["map"]
    assert draws(streams["map"], 3) + draws(streams["map"], 2) == draws(Streams(7)["map"])


def test_a_number_in_the_name_is_not_taken_for_a_seed() -> None:
    assert derive_seed(1, "1/map") != derive_seed(11, "map")


@given(st.integers(), st.integers(1, 10**6))
def test_below_stays_below(seed: int, bound: int) -> None:
    stream = Stream(seed)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


def test_below_and_choice_reach_the_ends_of_their_range() -> None:
    stream = Stream(0)
    for extreme, number, option in ((0.0, 0, "a"), (1 - 2**-53, 6, "g")):
        stream.random = lambda extreme=extreme: extreme  # type: ignore[misc]
        assert (stream.below(7), stream.choice("abcdefg")) == (number, option)


def test_every_option_is_as_likely() -> None:
    stream = Stream(1)
    counts = Counter(stream.choice("abcde") for _ in range(10_000))
    assert all(1850 < counts[option] < 2150 for option in "abcde")  # 3.75 standard deviations
