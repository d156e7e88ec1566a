"""Numbers and names as they are written."""

import pytest

from engine.support.wording import write_scores, write_time
from visualizer.model import formatting


@pytest.mark.parametrize(
    ("us", "text"),
    [(0, "0 µs"), (999, "999 µs"), (1_000, "1.0 ms"), (45_400, "45 ms"), (1_250_000, "1.25 s")],
)
def test_cpu_time_is_said_in_a_unit_that_suits_it(us: int, text: str) -> None:
    assert write_time(us) == text


@pytest.mark.parametrize(
    ("points", "texts"), [((0, 44.0), ["0", "44"]), ((39.64, 12_345), ["39.6", "12\u202f345"])]
)
def test_scores_in_a_sentence_have_decimals_where_these_are_not_0(
    points: list[float], texts: list[str]
) -> None:
    assert write_scores(points) == texts


def test_facts_are_in_words() -> None:
    parts = [formatting.fact_text(value) for value in (True, False, 3, "12 %")]
    assert parts == ["yes", "no", "3", "12 %"]
