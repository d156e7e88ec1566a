"""Lines that are unpacked when they are asked for."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.replays import lines as stored_lines
from engine.replays.lines import MAX_COMMAS, MAX_LINE_BYTES, PackedText, StoredLines, TooLarge


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> object:
    """Make a few lines many blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_lines, "BLOCK_BYTES", 50)
        patch.setattr(stored_lines, "CHUNK_BYTES", 7)
        yield


def store_lines(content: bytes) -> StoredLines:
    text = PackedText(content)
    lines = StoredLines(text)
    for start, line in text.lines():
        lines.add(line, start)
    return lines


texts = st.lists(st.binary(max_size=300).map(lambda line: line.replace(b"\n", b" ")), max_size=20)


@given(lines=texts, order=st.randoms())
def test_every_line_can_be_read_again_in_any_order(lines: list[bytes], order: object) -> None:
    content = gzip.compress(b"".join(line + b"\n" for line in lines))
    saved = store_lines(content)
    assert len(saved) == len(lines)
    numbers = list(range(len(lines)))
    order.shuffle(numbers)  # type: ignore[attr-defined]
    assert [saved[number] for number in numbers] == [lines[number] for number in numbers]


@given(lines=texts, share=st.floats(0, 1))
def test_of_a_file_that_was_cut_off_there_are_the_first_lines(
    lines: list[bytes], share: float
) -> None:
    content = gzip.compress(b"".join(line + b"\n" for line in lines))
    saved = store_lines(content[: int(share * len(content))])
    assert [saved[number] for number in range(len(saved))] == lines[: len(saved)]


def test_blocks_are_unpacked_anew_from_where_they_begin() -> None:
    lines = [b"%d" % number * 20 for number in range(200)]
    saved = store_lines(gzip.compress(b"\n".join([*lines, b""])))
    assert saved[199] == lines[199]
    assert saved[0] == lines[0]
    assert saved[100] == lines[100]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b" " * (MAX_LINE_BYTES + 1), id="too long"),
        pytest.param(b"[" + b"1," * MAX_COMMAS + b"1,1]", id="too many parts"),
    ],
)
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_without_bound_is_refused(
    line: bytes, end: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_lines, "BLOCK_BYTES", 2**20)
    monkeypatch.setattr(stored_lines, "CHUNK_BYTES", 2**14)
    with pytest.raises(TooLarge, match="it has a line of more than"):
        list(PackedText(gzip.compress(line + end)).lines())


def test_a_file_that_holds_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_lines, "MAX_UNPACKED_BYTES", 1_000)
    with pytest.raises(TooLarge, match="it holds more than"):
        list(PackedText(gzip.compress(b"[]\n" * 1_000)).lines())
