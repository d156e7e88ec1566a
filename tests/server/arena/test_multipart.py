"""Forms with files, as browsers send them."""

import pytest

from server.http.multipart import MOST_PARTS, BadForm, Part, parts_of

TYPE = "multipart/form-data; boundary=----WebKitFormBoundary7MA4"
MARK = b"------WebKitFormBoundary7MA4"
FORM = b"\r\n".join(
    [
        MARK,
        b'Content-Disposition: form-data; name="ladder"',
        b"",
        b"main",
        MARK,
        'Content-Disposition: form-data; name="files"; filename="mine/b\u00f6t.py"'.encode(),
        b"Content-Type: text/x-python",
        b"",
        b"a = 1\r\n\r\n--b\x00",
        MARK + b"--",
        b"",
    ]
)


def test_fields_and_files_are_read_to_the_byte() -> None:
    assert parts_of(TYPE, FORM) == [
        Part("ladder", None, b"main"),
        Part("files", "mine/böt.py", b"a = 1\r\n\r\n--b\x00"),
    ]


@pytest.mark.parametrize("boundary", ['"quo ted"', "", "a" * 71, "a;b"])
def test_a_boundary_that_is_none_is_refused(boundary: str) -> None:
    with pytest.raises(BadForm):
        parts_of(f"multipart/form-data; boundary={boundary}", FORM)


@pytest.mark.parametrize("kind", ["", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_another_kind_of_body_is_refused(kind: str) -> None:
    with pytest.raises(BadForm, match="multipart/form-data"):
        parts_of(kind, FORM)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"x",
        MARK,
        FORM[:-4],
        FORM[5:],
        FORM.replace(b"\r\n\r\n", b"\r\n", 1),
        FORM.replace(b'name="ladder"', b""),
        FORM.replace(b"form-data;", b"attachment;"),
        FORM.replace(b'"ladder"', b'"' + b"l" * 9_000 + b'"'),
        FORM.replace("ö".encode(), b"\xff"),
        (b"\r\n" + MARK) * (MOST_PARTS + 1),
    ],
)
def test_a_form_that_no_browser_sends_is_refused(body: bytes) -> None:
    with pytest.raises(BadForm):
        parts_of(TYPE, body)


def test_a_form_that_was_cut_off_anywhere_is_refused() -> None:
    for length in range(len(FORM) - 4):
        with pytest.raises(BadForm):
            parts_of(TYPE, FORM[:length])
