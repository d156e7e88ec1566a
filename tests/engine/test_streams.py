"""Named random streams from one seed, and what nobody can learn from them."""

from collections import Counter
from hashlib import blake2b, sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.streams import (
    MAX_SEED,
    Stream,
    Streams,
    derive_seed,
    draw_block,
    draw_seed,
    parse_seed,
    seed_hash,
    seed_text,
    seed_words,
    stream_key,
)
from tests.cases import for_each

seeds = st.integers(0, MAX_SEED)
keys = st.binary(min_size=16, max_size=16)


def draws(stream: Stream, count: int = 5) -> list[float]:
    return [stream.random() for _ in range(count)]


def scripted_stream(*numbers: float) -> Stream:
    """A stream that draws these."""
    stream = Stream(b"")
    stream.random = iter(numbers).__next__
    return stream


def test_the_draws_are_the_same_on_every_machine() -> None:
    assert derive_seed(1, "map") == 268310682861041691945080123276970833291
    assert stream_key(1, "map").hex() == "ae609f0af59ba66ae8eeafd6f88db9a1"
    assert draw_block(bytes(range(16)), 2**40 + 7)[:2] == [0.3967794110214852, 0.29575892329170794]
    streams = Streams(1)
    assert [streams["map"].below(1000) for _ in range(5)] == [649, 664, 358, 700, 697]


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
    assert stream_key(1, "1/map") != stream_key(11, "map")
    assert derive_seed(1, "/map") != derive_seed(1, "map")


@given(seeds, st.text())
def test_the_key_of_a_stream_is_no_seed_that_a_bot_is_given(seed: int, name: str) -> None:
    assert int.from_bytes(stream_key(seed, name), "big") != derive_seed(seed, name)
    assert int.from_bytes(stream_key(seed, name), "little") != derive_seed(seed, name)


@given(keys, st.integers(0, 2**64 - 1))
def test_a_block_is_a_keyed_hash_of_its_number_and_of_nothing_else(key: bytes, number: int) -> None:
    digest = blake2b(number.to_bytes(8, "little"), key=key).digest()
    parts = [int.from_bytes(digest[place : place + 8], "little") for place in range(0, 64, 8)]
    assert draw_block(key, number) == [(word >> 11) / 2**53 for word in parts]


@given(keys, st.integers(0, 20))
def test_a_stream_has_no_state_but_its_key_and_its_place(key: bytes, number: int) -> None:
    stream = Stream(key)
    draws(stream, 8 * number)
    assert draws(stream, 8) == draw_block(key, number)


def test_a_block_differs_wherever_one_bit_of_its_key_or_number_does() -> None:
    key = int.from_bytes(b"sixteen letters!", "big")
    changed = [(key ^ 1 << bit).to_bytes(16, "big") for bit in range(128)]
    blocks = [draw_block(other, 0) for other in changed]
    blocks += [draw_block(key.to_bytes(16, "big"), 1 << bit) for bit in range(64)]
    blocks.append(draw_block(key.to_bytes(16, "big"), 0))
    numbers = [number for block in blocks for number in block]
    assert len(set(numbers)) == len(numbers)


@given(st.binary(max_size=16), st.integers(1, 2**53))
def test_below_stays_below(key: bytes, bound: int) -> None:
    stream = Stream(key)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [0, -1, 2**53 + 1])
def test_no_number_is_drawn_below_a_bound_that_cannot_be(bound: int) -> None:
    with pytest.raises(ValueError, match=f"below {bound}: expected 1 to"):
        Stream(b"").below(bound)


def test_nothing_is_drawn_from_no_options() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Stream(b"").choice(())


def test_below_and_choice_reach_the_ends_of_their_range() -> None:
    for draw, number, option in ((0, 0, "a"), (6, 6, "g"), (7, 0, "a")):
        assert scripted_stream(draw / 2**53).below(7) == number
        assert scripted_stream(draw / 2**53).choice("abcdefg") == option


def test_draws_that_would_make_low_numbers_likelier_are_passed_over() -> None:
    spare = 2**53 % 7
    first_spare = 2**53 - spare
    assert scripted_stream((first_spare - 1) / 2**53).below(7) == 6
    for draw in (first_spare, 2**53 - 1):
        assert scripted_stream(draw / 2**53, 3 / 2**53).below(7) == 3


def test_every_option_is_as_likely() -> None:
    stream = Streams(1)["options"]
    counts = Counter(stream.choice("abcde") for _ in range(10_000))
    assert all(1850 < counts[option] < 2150 for option in "abcde")  # 3.75 standard deviations


def test_every_bit_of_a_draw_is_as_likely_as_not() -> None:
    stream = Streams(1)["bits"]
    numbers = [int(stream.random() * 2**53) for _ in range(10_000)]
    for bit in range(53):
        count = sum(number >> bit & 1 for number in numbers)
        assert 4_800 < count < 5_200, bit  # 4 standard deviations


def test_a_drawn_seed_has_128_bits() -> None:
    drawn = [draw_seed() for _ in range(200)]
    assert len(set(drawn)) == 200
    for bit in range(128):
        assert len({seed >> bit & 1 for seed in drawn}) == 2


@given(seeds)
def test_a_seed_survives_its_text(seed: int) -> None:
    assert parse_seed(seed_text(seed)) == seed


def test_a_seed_is_shown_so_that_no_json_reader_would_round_it() -> None:
    assert seed_text(7) == "7"
    assert seed_text(2**53 - 1) == "9007199254740991"
    assert seed_text(2**53) == "0x00000000000000000020000000000000"
    assert seed_text(MAX_SEED) == "0x" + "f" * 32


@pytest.mark.parametrize(
    ("text", "seed"), [("0", 0), ("007", 7), ("0x7", 7), ("0XFf", 255), (str(MAX_SEED), MAX_SEED)]
)
def test_a_seed_may_be_typed_in_either_way(text: str, seed: int) -> None:
    assert parse_seed(text) == seed


@for_each(
    "text",
    [
        *("", "-1", "+7", " 7", "1_0", "1.0", "7e3", "0x", "0xg", "0x_1", "ff", "٣", "0b1"),
        *(str(2**128), "0x1" + "0" * 32, "1" * 9_000, "seven\n"),
    ],
)
def test_what_is_no_seed_is_refused_with_what_one_looks_like(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a seed: expected .* such as 7, or 0x") as caught:
        parse_seed(text)
    assert len(str(caught.value)) < 250


@given(seeds)
def test_numpy_is_given_all_bits_of_a_seed(seed: int) -> None:
    text = seed_words(seed)
    assert all(0 <= word < 2**32 for word in text)
    assert sum(word << 32 * place for place, word in enumerate(text)) == seed


def test_the_hash_of_a_seed_is_the_sha_256_of_its_text() -> None:
    assert seed_hash(7) == sha256(b"7").hexdigest()
    assert seed_hash(1 << 100) == sha256(b"0x00000010000000000000000000000000").hexdigest()
