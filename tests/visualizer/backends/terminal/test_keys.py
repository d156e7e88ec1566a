"""The bytes that come when keys are pressed."""

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from visualizer.backends.terminal.show import keys_in


@for_each(
    "content, keys",
    [
        (b" ", ["space"]),
        (b"q", ["q"]),
        (b"N", ["N"]),
        (b"\x1b[C", ["right"]),
        (b"\x1bOD", ["left"]),
        (b"\x1b[1;2C", ["shift right"]),
        (b"\x1b[5~\x1b[6~", ["page up", "page down"]),
        (b"\x1b[H\x1b[4~", ["home", "end"]),
        (b"\x1bOP\x1b[11~", ["f1", "f1"]),
        (b"\x1b", ["escape"]),
        (b"\x1a", ["suspend"]),
        (b"++-", ["+", "+", "-"]),
        ("é".encode(), ["é"]),
        (b"\x1b[99~\x07", []),
        (b"", []),
    ],
)
def test_keys_have_names(content: bytes, keys: list[str]) -> None:
    assert keys_in(content) == keys


@given(st.binary())
def test_anything_may_be_typed(content: bytes) -> None:
    assert all(keys_in(content))
