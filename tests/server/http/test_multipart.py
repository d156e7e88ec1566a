"""Forms with files, as browsers send them."""

import pytest

from server.http.multipart import MAX_HEADER_BYTES, MAX_PARTS, BadForm, Part, parse_parts
from tests.cases import for_each

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
    assert parse_parts(TYPE, FORM) == [
        Part("ladder", None, b"main"),
        Part("files", "mine/böt.py", b"a = 1\r\n\r\n--b\x00"),
    ]


@pytest.mark.parametrize("boundary", ['"quo ted"', "", "a" * 71, "a;b"])
def test_a_boundary_that_is_none_is_refused(boundary: str) -> None:
    with pytest.raises(BadForm):
        parse_parts(f"multipart/form-data; boundary={boundary}", FORM)


@pytest.mark.parametrize("kind", ["", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_another_kind_of_body_is_refused(kind: str) -> None:
    with pytest.raises(BadForm, match="multipart/form-data"):
        parse_parts(kind, FORM)


@for_each(
    "body",
    [
        b"",
        b"x",
        MARK,
        FORM[:-4],
        FORM[5:],
        b"\r\n" + FORM,
        FORM.replace(b"\r\n\r\n", b"\r\n", 1),
        FORM.replace(b'name="ladder"', b""),
        FORM.replace(b"form-data;", b"attachment;"),
        FORM.replace(b'"ladder"', b'"' + b"l" * 9_000 + b'"'),
        FORM.replace("ö".encode(), b"\xff"),
        (b"\r\n" + MARK) * (MAX_PARTS + 1),
    ],
)
def test_a_form_that_no_browser_sends_is_refused(body: bytes) -> None:
    with pytest.raises(BadForm):
        parse_parts(TYPE, body)


def test_a_form_that_was_cut_off_anywhere_is_refused() -> None:
    for length in range(len(FORM) - 4):
        with pytest.raises(BadForm):
            parse_parts(TYPE, FORM[:length])


def a_form(*parts: bytes) -> bytes:
    """Draw a form of these parts: headers, a blank line and the content."""
    return b"".join(MARK + b"\r\n" + part + b"\r\n" for part in parts) + MARK + b"--\r\n"


def a_field(name: bytes, *headers: bytes) -> bytes:
    disposition = b'Content-Disposition: form-data; name="' + name + b'"'
    return b"\r\n".join([disposition, *headers, b"", b"x"])


def test_a_form_may_be_empty() -> None:
    assert parse_parts(TYPE, a_form()) == []


def test_a_form_has_so_many_parts_at_most() -> None:
    fields = [a_field(b"n")] * MAX_PARTS
    assert len(parse_parts(TYPE, a_form(*fields))) == MAX_PARTS
    with pytest.raises(BadForm, match="more than 10100 parts"):
        parse_parts(TYPE, a_form(*fields, a_field(b"n")))


def test_all_headers_of_a_part_are_bounded_together() -> None:
    half = b"X-Long: " + b"l" * (MAX_HEADER_BYTES // 2)
    assert parse_parts(TYPE, a_form(a_field(b"n", half))) == [Part("n", None, b"x")]
    with pytest.raises(BadForm, match="not as browsers send it"):
        parse_parts(TYPE, a_form(a_field(b"n", half, half)))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (FORM[:-4], "the form is incomplete: it was cut off on its way"),
        (FORM.replace("ö".encode(), b"\xff"), "the name of a file is not UTF-8; rename it"),
        (FORM.replace(b'name="ladder"', b""), "a part of the form has no name"),
        (FORM.replace(b'"ladder"', b'"' + b"l" * 9_000 + b'"'), "is not as browsers send it"),
    ],
)
def test_a_form_that_is_refused_is_told_why(body: bytes, why: str) -> None:
    with pytest.raises(BadForm, match=why):
        parse_parts(TYPE, body)


def test_what_is_wrong_with_a_form_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BadForm):
        parse_parts(TYPE, FORM[5:])
    assert caplog.records == []


def test_a_file_may_be_named_like_a_header() -> None:
    part = b'Content-Disposition: form-data; name="a"; filename="x; name=y.py"\r\n\r\nx'
    assert parse_parts(TYPE, a_form(part)) == [Part("a", "x; name=y.py", b"x")]
