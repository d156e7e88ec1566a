"""Numbers and names as they are written."""

import pytest

from visualizer.model import formatting


@pytest.mark.parametrize(
    ("us", "text"),
    [(0, "0 us"), (999, "999 us"), (1_000, "1 ms"), (45_400, "45 ms"), (1_250_000, "1.25 s")],
)
def test_cpu_time_is_said_in_a_unit_that_suits_it(us: int, text: str) -> None:
    assert formatting.cpu(us) == text


@pytest.mark.parametrize(("points", "text"), [(0, "0.0"), (39.64, "39.6"), (12_345.0, "12 345.0")])
def test_scores_have_one_decimal_and_their_thousands_apart(points: float, text: str) -> None:
    assert formatting.score(points) == text


def test_facts_are_in_words() -> None:
    words = [formatting.fact(value) for value in (True, False, 3, "12 %")]
    assert words == ["yes", "no", "3", "12 %"]
