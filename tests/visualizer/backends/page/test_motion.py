"""The page moves things as the house does: a table of where everything is, of all games."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.views.matches import MATCHES, load_timeline
from tests.visualizer.backends.page.conftest import Open
from visualizer.model.motion import Motions, Moving
from visualizer.model.playback import Playback

FRACTIONS = (0.0, 0.1, 0.36, 0.5, 0.69, 0.71, 0.9, 1.0)
TURNS = 12
SEEN = """(asked) => asked.map(([turn, fraction]) => {
    const { replay, motions } = viewer;
    const { places, ways, words } =
        motions.placeBetween(replay.turnStart(turn), replay.turnEnd(turn), fraction);
    return {
        position: replay.positionAt(turn - 1 + fraction),
        places: [...places].map(([id, { x, y, scale }]) => [id, x, y, scale]),
        ways: ways.map(({ start, stop, opacity, team }) => [...start, ...stop, opacity, team]),
        words: words.map(({ at, text, opacity }) => [...at, text, opacity]),
    };
})"""

TELL = """(turn) => {
    viewer.playback.seekTurn(turn);
    viewer.playback.isPlaying = true;
    viewer.story.show(turn, false);
    return viewer.story.shown;
}"""


@for_each("name", MATCHES)
@pytest.mark.slow
def test_everything_is_where_the_house_says(name: str, open_page: Open) -> None:
    timeline = load_timeline(name)
    motions = Motions(timeline)
    turns = range(1, timeline.last_turn + 1, max(1, timeline.last_turn // TURNS))
    asked = [(turn, fraction) for turn in turns for fraction in FRACTIONS]
    seen = open_page(timeline).run(SEEN, asked)
    for (turn, fraction), there in zip(asked, seen, strict=True):
        assert there["position"] == timeline.position_at(turn - 1 + fraction)
        for part, rows in list_rows(motions.place(turn, fraction)).items():
            assert len(there[part]) == len(rows)
            for row, ours in zip(there[part], rows, strict=True):
                assert [pytest.approx(value, abs=0.002) if isinstance(value, float) else value
                        for value in ours] == row  # fmt: skip


def list_rows(moving: Moving) -> dict[str, list[list[Any]]]:
    return {
        "places": [[thing_id, *placed] for thing_id, placed in moving.places.items()],
        "ways": [[*way.start, *way.stop, way.opacity, way.team] for way in moving.ways],
        "words": [[*words.at, words.text, words.opacity] for words in moving.words],
    }


@pytest.mark.slow
def test_quiet_stretches_pass_as_fast_as_the_house_says_until_a_click_unfolds_them(
    open_page: Open,
) -> None:
    timeline = load_timeline("smack")
    playback, times = Playback([timeline]), [0, 3.5, 57, 58.5, 61, 66, 70]
    page = open_page(timeline)
    ask = "(times) => times.map((time) => viewer.playback.unfold(viewer.playback.fold(time) + 1))"
    for _ in "fu":
        folded = playback.folded
        assert page.run(ask, times) == pytest.approx(
            [folded.unfold(folded.fold(time) + 1) for time in times]
        )
        page.page.click(".folds button")
        playback.toggle_fold(playback.quiet[0])
    told = page.run(TELL, playback.quiet[0].begin)
    assert told == playback.quiet[0].words
