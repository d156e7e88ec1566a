"""Series that last."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from engine.errors import UsageError
from runners.series import Series
from runners.storage.kept_series import lock_series, with_saved_secret
from runners.storage.store import default_url, open_store
from tests.runners.playing import a_series


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


def with_secret(series: Series, secret: int) -> Series:
    """A series for which a secret has been drawn."""
    return msgspec.structs.replace(series, secret=secret)


def test_a_series_that_goes_on_has_the_secret_it_was_begun_with(out: Path) -> None:
    series, url = a_series(out), default_url(out, "slime_mind")
    for secret in (5, 6):
        with lock_series(with_secret(series, secret), url) as saved:
            assert saved == with_secret(series, 5)


def test_another_bot_another_seed_or_other_settings_have_another_secret(out: Path) -> None:
    series, url = a_series(out), default_url(out, "slime_mind")
    other_bot = msgspec.structs.replace(series, contestants=series.contestants[::-1])
    spec = msgspec.structs.replace(series.spec, seed=2)
    other_seed = msgspec.structs.replace(series, spec=spec)
    limits = msgspec.structs.replace(series.spec.limits, cpu_ms=99)
    spec = msgspec.structs.replace(series.spec, limits=limits)
    others = [other_bot, other_seed, msgspec.structs.replace(series, spec=spec)]
    with closing(open_store(url)) as store:
        saved = [
            with_saved_secret(with_secret(each, number), store)
            for number, each in enumerate([series, *others])
        ]
    assert [each.secret for each in saved] == [0, 1, 2, 3]


def test_more_maps_of_the_same_series_follow_from_the_same_secret(out: Path) -> None:
    series, url = a_series(out, maps=2), default_url(out, "slime_mind")
    longer = msgspec.structs.replace(series, maps=9)
    with closing(open_store(url)) as store:
        first, second = (
            with_saved_secret(with_secret(each, 5), store) for each in (series, longer)
        )
    assert second.fixtures()[:4] == first.fixtures()


def test_a_secret_that_was_said_is_taken_and_not_kept(out: Path) -> None:
    series, url = a_series(out), default_url(out, "slime_mind")
    said = msgspec.structs.replace(series, secret=7, is_secret_said=True)
    with lock_series(said, url) as saved:
        assert saved.secret == 7
    with lock_series(with_secret(series, 8), url) as saved:
        assert saved.secret == 8
    with lock_series(said, url) as saved:
        assert saved.secret == 7


def test_a_series_is_played_by_one_process_at_a_time(out: Path) -> None:
    series, url = a_series(out), default_url(out, "slime_mind")
    with (
        lock_series(series, url),
        pytest.raises(UsageError, match=r"this series is being played by process \d+ on .*--seed"),
        lock_series(series, url),
    ):
        pass
