"""How answers are waited for at the engine's end of the pipe."""

import os

import pytest

from engine.bots.channel import LONGEST_PAUSE, PollChannel


@pytest.mark.skipif(os.name != "posix", reason="pipes cannot be polled there")
def test_answers_are_polled_for_after_misses_and_read_at_once_after_hits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, worker = os.pipe()
    ours = PollChannel(reader, os.open(os.devnull, os.O_WRONLY))
    reads: list[bool] = []

    def read(descriptor: int, size: int) -> bytes:
        """Return what came, and note whether there was something."""
        reads.append(False)
        content = _read(descriptor, size)
        reads[-1] = True
        return content

    _read = os.read
    monkeypatch.setattr("os.read", read)

    def misses(answers: int) -> int:
        """Return how many reads found nothing, of answers that never come in time."""
        reads.clear()
        for _ in range(answers):
            assert ours.receive(1, 10) == b""
        return reads.count(False)

    assert misses(1) == 1, "the first is read for"
    assert misses(200) < 12, "later ones seldom"
    os.write(worker, b"a\n" * (LONGEST_PAUSE + 2))
    for _ in range(LONGEST_PAUSE + 2):
        os.write(worker, b"a\n")
        assert ours.receive(1_000, 10_000).endswith(b"a\n")
    assert misses(2) == 2, "what came in time is trusted again"
    ours.close()
    os.close(worker)
