"""Text of users that is not UTF-8: what it is, where, and what to do, in one place."""

from pathlib import Path

import pytest

from engine.bots.programs.languages import read_languages
from engine.bots.programs.manifest import BadManifest, read_manifest
from engine.errors import BadSettings
from engine.settings import read_toml
from engine.support.text_decoding import BadEncoding, decode_text, is_about_encoding, why_not_source
from runners.authoring.positions import read_positions

TEXT = "# a caf\u00e9\n[[position]]\n"
WITH_MARK = "it is {} (with a byte order mark), not UTF-8; save it as UTF-8"
WITHOUT_MARK = "it is {} (without a byte order mark), not UTF-8; save it as UTF-8"
LATIN = "line 1 has the byte 0xe9 (\u00e9 in Latin-1 or cp1252): it is not UTF-8; save it as UTF-8"
REASONS = {
    "utf-16": WITH_MARK.format("UTF-16"),
    "utf-16-le": WITHOUT_MARK.format("UTF-16"),
    "utf-16-be": WITHOUT_MARK.format("UTF-16"),
    "utf-32": WITH_MARK.format("UTF-32"),
    "utf-32-le": WITHOUT_MARK.format("UTF-32"),
    "utf-32-be": WITHOUT_MARK.format("UTF-32"),
    "latin-1": LATIN,
    "cp1252": LATIN,
}
DECLARED = "it declares the encoding {} {}; take out that declaration and save it as UTF-8"


@pytest.mark.parametrize("encoding", REASONS)
def test_another_encoding_is_named_with_its_cure(encoding: str) -> None:
    with pytest.raises(BadEncoding) as refused:
        decode_text(TEXT.encode(encoding))
    assert str(refused.value) == REASONS[encoding]
    assert is_about_encoding(str(refused.value))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf_8_is_read_with_and_without_a_mark(encoding: str) -> None:
    assert decode_text(TEXT.encode(encoding)) == TEXT


def test_a_null_byte_alone_is_no_other_encoding() -> None:
    with pytest.raises(BadEncoding, match=r"^line 2 has a null byte, as no text has$"):
        decode_text(b"a = 1\nb = '\0'\n")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04\0\0", "a zip archive: unpack it"),
        (b"\x1f\x8b\x08\xff", "a gzip archive"),
        (b"\x89PNG\r\n\x1a\n\0", "a picture (PNG)"),
    ],
)
def test_what_is_no_text_at_all_is_named(content: bytes, what: str) -> None:
    with pytest.raises(BadEncoding) as refused:
        decode_text(content)
    assert str(refused.value) == f"it is {what}"


@pytest.mark.parametrize("encoding", REASONS)
@pytest.mark.parametrize("read", [read_toml, read_positions, read_languages])
def test_every_file_of_a_user_is_refused_alike(read: object, encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(TEXT.encode(encoding))
    assert callable(read)
    with pytest.raises(BadSettings) as refused:
        read(file)
    assert str(file) in str(refused.value)
    assert str(refused.value).endswith(f": {REASONS[encoding]}")


@pytest.mark.parametrize("encoding", REASONS)
def test_a_manifest_is_refused_alike(encoding: str) -> None:
    with pytest.raises(BadManifest) as refused:
        read_manifest(TEXT.encode(encoding))
    assert str(refused.value) == f"bot.toml: {REASONS[encoding]}"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (b"# coding: utf8x\n", DECLARED.format("utf8x", "that Python does not know")),
        (b"# coding: rot13\n", DECLARED.format("rot13", "that Python does not know")),
        (b"# coding: utf-16\nx = 1\n", DECLARED.format("utf-16", "and line 2 is not in it")),
        (b"#\n# coding: ascii\n\n# \xe9\n", DECLARED.format("ascii", "and line 4 is not in it")),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            DECLARED.format("latin-1", "and begins with the mark of UTF-8"),
        ),
        (b"# coding: utf-8\n# \xe9\n", LATIN.replace("line 1", "line 2")),
        (b"# coding: latin-1\n# \xe9\n", ""),
        (b"\xef\xbb\xbf# coding: utf-8\nx = 1\n", ""),
        (b"\n\n# coding: latin-1\n", ""),
        (b"", ""),
    ],
)
def test_a_declaration_of_a_source_that_is_not_true_is_told(source: bytes, why: str) -> None:
    assert why_not_source(source) == why
    assert not why or is_about_encoding(why)
